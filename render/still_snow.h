#pragma once
// Snow that is rendered but not simulated: the undisturbed field around a shot.

#include "common/body/body.h"
#include "render/snow_particles.h"

namespace firn {

/// The particles of the scene's still regions as they are seeded, without those inside bodies at time 0. Throws
/// Error(File) when the file of a region cannot be read.
SnowParticles stillSnow(const Scene& scene, const std::vector<Body>& bodies);

}  // namespace firn
