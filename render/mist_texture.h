#pragma once
// Fine structure of mist. Powder in the air hangs in clouds of all sizes down to grains. The density of mist (mist.h)
// is smooth over the size of a particle, so noise of several octaves makes it denser in some places and thinner in
// others.

#include "common/math.h"
#include "render/bricks.h"

namespace firn {

/// Multiplies the mist of a brick by the noise. Its first value is at `low` (m), and values are `spacing` (m) apart.
/// Octaves that such values cannot hold are left out. The noise has the mean 1, so mass is kept on average. It is fixed
/// in space.
void addMistTexture(const Vec3d& low, double spacing, Bricks::Values& mist);

}  // namespace firn
