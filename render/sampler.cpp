#include "render/sampler.h"

#include <array>

namespace firn {
namespace {

std::uint32_t reverseBits(std::uint32_t x)
{
    x = __builtin_bswap32(x);
    x = ((x >> 4) & 0x0f0f0f0fU) | ((x & 0x0f0f0f0fU) << 4);
    x = ((x >> 2) & 0x33333333U) | ((x & 0x33333333U) << 2);
    return ((x >> 1) & 0x55555555U) | ((x & 0x55555555U) << 1);
}

/// Each bit is flipped by a hash of the bits below it (Laine and Karras 2011, constants of Vegdahl 2021).
std::uint32_t permuteUpwards(std::uint32_t x, std::uint32_t seed)
{
    x ^= x * 0x3d20adeaU;
    x += seed;
    x *= (seed >> 16) | 1U;
    x ^= x * 0x05526c56U;
    x ^= x * 0x53a22864U;
    return x;
}

std::uint32_t owenScramble(std::uint32_t x, std::uint32_t seed)
{
    return reverseBits(permuteUpwards(reverseBits(x), seed));
}

/// Direction numbers of the second Sobol dimension: Pascal's triangle modulo 2.
constexpr std::array<std::uint32_t, 32> sobolDirections()
{
    std::array<std::uint32_t, 32> directions{};
    std::uint32_t v = 0x80000000U;
    for (auto& direction : directions) {
        direction = v;
        v ^= v >> 1;
    }
    return directions;
}

std::uint32_t sobolSecond(std::uint32_t index)
{
    static constexpr auto directions = sobolDirections();
    std::uint32_t x = 0;
    for (int bit = 0; index != 0; index >>= 1, ++bit) {
        if (index & 1U) x ^= directions[bit];
    }
    return x;
}

}  // namespace

Vec2f Sampler::stratified(Event event) const
{
    const std::uint64_t key = mixBits(m_pixelKey ^ (goldenStep * (static_cast<std::uint64_t>(event) + 1)));
    const auto low = static_cast<std::uint32_t>(key);
    const auto high = static_cast<std::uint32_t>(key >> 32);
    const std::uint32_t index =
        owenScramble(m_sample, low);  // shuffles the samples of each event; keeps the strata of powers of two
    const std::uint32_t x = owenScramble(reverseBits(index), high);
    const std::uint32_t y = owenScramble(sobolSecond(index), static_cast<std::uint32_t>(mixBits(key)));
    return {toUnitInterval(x), toUnitInterval(y)};
}

}  // namespace firn
