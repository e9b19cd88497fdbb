#include "common/snow/noise.h"

#include <algorithm>
#include <cmath>

#include "common/mix_bits.h"

namespace firn {

namespace {

std::uint64_t nextBits(std::uint64_t key) { return mixBits(key + goldenStep); }

std::uint64_t cellBits(int seed, const Vec3i& cell)
{
    std::uint64_t bits = nextBits(static_cast<std::uint32_t>(seed));
    for (int a = 0; a < 3; ++a) bits = nextBits(bits ^ static_cast<std::uint32_t>(cell[a]));
    return bits;
}

double fade(double t) { return t * t * t * (t * (t * 6 - 15) + 10); }

}  // namespace

double uniformAt(int seed, const Vec3i& cell, int number)
{
    return static_cast<double>(nextBits(cellBits(seed, cell) + static_cast<std::uint32_t>(number)) >> 11) * 0x1p-53;
}

double gradientNoise(int seed, const Vec3d& x)
{
    const Vec3d base = x.array().floor();
    const Vec3d f = x - base;
    double sum = 0;
    for (int corner = 0; corner < 8; ++corner) {
        const Vec3d offset(corner & 1, corner >> 1 & 1, corner >> 2 & 1);
        const std::uint64_t bits = cellBits(seed, (base + offset).cast<int>());
        const auto component = [&](int shift) { return static_cast<double>(bits >> shift & 0xffff) / 32767.5 - 1; };
        const Vec3d gradient(component(0), component(16), component(32));
        double weight = 1;
        for (int a = 0; a < 3; ++a) weight *= offset[a] > 0 ? fade(f[a]) : 1 - fade(f[a]);
        sum += weight * gradient.dot(f - offset);
    }
    return std::clamp(1.5 * sum, -1.0, 1.0);
}

}  // namespace firn
