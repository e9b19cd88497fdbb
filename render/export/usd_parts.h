#pragma once
// The parts of a shot's USD layer. Samples are those at the times of the given frames.

#include "common/body/body.h"
#include "common/scene/scene.h"
#include "render/export/usd_text.h"
#include "render/lights.h"

namespace firn {

void addCamera(UsdText& usd, const Scene& scene, const std::vector<int>& frames);

/// Suns, the mean radiance of all skies as one dome, and lamps. Values are those of Firn: radiance, or of a sun the
/// irradiance on a surface that faces it (normalize = 1).
void addLights(UsdText& usd, const Scene& scene, const LightRig& rig, const std::vector<int>& frames);

/// Visible bodies as meshes: moved by a transform, or of bodies that deform by the places of their vertices. A plane
/// becomes a square of 200 m.
void addBodies(UsdText& usd, const Scene& scene, const std::vector<Body>& bodies, const std::vector<int>& frames);

}  // namespace firn
