#pragma once
// A smooth pseudo-random field in space, computed in all lanes of a register.

#include "render/lanes.h"

namespace firn {

namespace noise {

using Bits = std::uint32_t __attribute__((vector_size(4 * laneCount)));

/// A word for each lattice point (murmur3's finalizer over a sum of products).
inline Bits hash(Ints x, Ints y, Ints z, std::uint32_t seed)
{
    Bits h = reinterpret_cast<Bits>(x) * 0x8da6b343U + reinterpret_cast<Bits>(y) * 0xd8163841U +
             reinterpret_cast<Bits>(z) * 0xcb1ab31fU + seed;
    h = (h ^ (h >> 16)) * 0x85ebca6bU;
    h = (h ^ (h >> 13)) * 0xc2b2ae35U;
    return h ^ (h >> 16);
}

inline Floats floor(Floats x)
{
    const Floats whole = toFloats(toInts(x));
    return select(whole > x, whole - 1.f, whole);
}

/// Dot product of an offset with one of the twelve directions to the edges of a cube.
inline Floats alongGradient(Bits hash, Floats x, Floats y, Floats z)
{
    const auto h = reinterpret_cast<Ints>(hash & 15U);
    const Floats u = select(h < 8, x, y);
    const Floats v = select(h < 4, y, select((h == 12) | (h == 14), x, z));
    const auto withSign = [&](Floats value, int bit) {
        return reinterpret_cast<Floats>(reinterpret_cast<Ints>(value) ^ (((h >> bit) & 1) << 31));
    };
    return withSign(u, 0) + withSign(v, 1);
}

}  // namespace noise

/// Gradient noise (Perlin 2002) with lattice points at integers: mean 0, within [-1, 1], rms about .25.
inline Floats gradientNoise(Floats x, Floats y, Floats z, std::uint32_t seed)
{
    const Floats bx = noise::floor(x), by = noise::floor(y), bz = noise::floor(z);
    const Ints i = toInts(bx), j = toInts(by), k = toInts(bz);
    const Floats fx = x - bx, fy = y - by, fz = z - bz;
    const auto fade = [](Floats t) { return t * t * t * (t * (t * 6.f - 15.f) + 10.f); };
    const auto corner = [&](int dx, int dy, int dz) {
        return noise::alongGradient(noise::hash(i + dx, j + dy, k + dz, seed), fx - static_cast<float>(dx),
                                    fy - static_cast<float>(dy), fz - static_cast<float>(dz));
    };
    const auto mix = [](Floats a, Floats b, Floats t) { return a + t * (b - a); };
    const Floats u = fade(fx), v = fade(fy), w = fade(fz);
    const auto face = [&](int dx) {
        return mix(mix(corner(dx, 0, 0), corner(dx, 0, 1), w), mix(corner(dx, 1, 0), corner(dx, 1, 1), w), v);
    };
    return mix(face(0), face(1), u);
}

}  // namespace firn
