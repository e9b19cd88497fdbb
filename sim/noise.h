#pragma once
// Random numbers and smooth noise by position, the same for any number of threads.

#include <cstdint>

#include "common/math.h"

namespace firn {

/// 64 well-mixed bits of a key (the finaliser of splitmix64, Steele et al. 2014).
std::uint64_t mixBits(std::uint64_t key);

/// Uniform in [0, 1) by seed, cell and number within the cell.
double uniformAt(int seed, const Vec3i& cell, int number);

/// Smooth gradient noise in about [-1, 1], one feature per unit length (Perlin 2002).
double gradientNoise(int seed, const Vec3d& x);

}  // namespace firn
