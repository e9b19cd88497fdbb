#pragma once
// Random numbers and smooth noise as functions of position, so the same for any number of threads.

#include "common/math.h"

namespace firn {

/// Uniform in [0, 1); depends on the seed, the cell and a number within the cell.
double uniformAt(int seed, const Vec3i& cell, int number);

/// Smooth gradient noise in about [-1, 1], with about one feature per unit length (Perlin 2002).
double gradientNoise(int seed, const Vec3d& x);

}  // namespace firn
