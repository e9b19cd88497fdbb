#pragma once
// Snow that is rendered but not simulated: the undisturbed field around a shot.

#include "common/body/body.h"
#include "common/cache/particle_frame.h"

namespace firn {

/// The particles of the scene's still regions, as they are seeded; bodies at time 0 displace them. Throws Error (File)
/// when a region's file cannot be read.
ParticleFrame stillSnow(const Scene& scene, const std::vector<Body>& bodies);

}  // namespace firn
