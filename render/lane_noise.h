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

/// Noise of angular pieces: space is divided into cells around jittered lattice points, and in each cell the value is a
/// plane of random height and slope. Mean 0, within [-1, 1], rms about .25.
inline Floats pieceNoise(Floats x, Floats y, Floats z, std::uint32_t seed)
{
    const Floats bx = noise::floor(x), by = noise::floor(y), bz = noise::floor(z);
    const Ints i = toInts(bx), j = toInts(by), k = toInts(bz);
    const Floats fx = x - bx, fy = y - by, fz = z - bz;
    // Points are at most a quarter of a cell away from the lattice: then the nearest of all is one of the eight around.
    const auto part = [](noise::Bits bits, int shift) {
        return toFloats(reinterpret_cast<Ints>((bits >> shift) & 255U)) * (1.f / 128) - 1.f;
    };
    Floats nearest = floats(8), dx{}, dy{}, dz{};
    Ints piece{};
    for (int corner = 0; corner < 8; ++corner) {
        const int cx = corner >> 2, cy = corner >> 1 & 1, cz = corner & 1;
        const noise::Bits h = noise::hash(i + cx, j + cy, k + cz, seed);
        constexpr float jitter = 0.25f;
        const Floats ox = fx - static_cast<float>(cx) - jitter * part(h, 0);
        const Floats oy = fy - static_cast<float>(cy) - jitter * part(h, 8);
        const Floats oz = fz - static_cast<float>(cz) - jitter * part(h, 16);
        const Floats distance = ox * ox + oy * oy + oz * oz;
        const Ints isNearer = distance < nearest;
        nearest = smaller(nearest, distance);
        piece = select(isNearer, reinterpret_cast<Ints>(h), piece);
        dx = select(isNearer, ox, dx);
        dy = select(isNearer, oy, dy);
        dz = select(isNearer, oz, dz);
    }
    const noise::Bits plane = reinterpret_cast<noise::Bits>(piece) * 0x9e3779b1U;
    return 0.4f * part(plane, 24) + 0.4f * (part(plane, 0) * dx + part(plane, 8) * dy + part(plane, 16) * dz);
}

}  // namespace firn
