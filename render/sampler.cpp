#include "render/sampler.h"

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

/// Owen scrambling of the number whose reversed bits these are.
std::uint32_t owenScrambleReversed(std::uint32_t reversed, std::uint32_t seed)
{
    return reverseBits(permuteUpwards(reversed, seed));
}

/// The second coordinate of a Sobol point, bits reversed. Its direction numbers are Pascal's triangle modulo 2, in
/// which C(j, i) is odd where j has all bits of i: bit i is the parity of the index's bits j of that kind.
std::uint32_t sobolSecondReversed(std::uint32_t index)
{
    index ^= (index >> 1) & 0x55555555U;
    index ^= (index >> 2) & 0x33333333U;
    index ^= (index >> 4) & 0x0f0f0f0fU;
    index ^= (index >> 8) & 0x00ff00ffU;
    return index ^ (index >> 16);
}

}  // namespace

Vec2f Sampler::stratified(Event event) const
{
    const std::uint64_t key = mixBits(m_pixelKey ^ (goldenStep * (static_cast<std::uint64_t>(event) + 1)));
    const auto low = static_cast<std::uint32_t>(key);
    const auto high = static_cast<std::uint32_t>(key >> 32);
    const std::uint32_t index = owenScrambleReversed(
        reverseBits(m_sample), low);  // shuffles the samples of each event; keeps the strata of powers of two
    const std::uint32_t x = owenScrambleReversed(index, high);
    const std::uint32_t y = owenScrambleReversed(sobolSecondReversed(index), static_cast<std::uint32_t>(mixBits(key)));
    return {toUnitInterval(x), toUnitInterval(y)};
}

}  // namespace firn
