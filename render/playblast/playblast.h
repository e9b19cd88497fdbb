#pragma once
// Quick pictures of a simulation: particles and bodies drawn by depth, with one sun, its shadow and the sky's light. No
// paths are traced.

#include "common/body/body.h"
#include "common/image/png.h"
#include "render/camera.h"
#include "render/lights.h"
#include "render/playblast/settings.h"
#include "render/snow_particles.h"
#include "render/still_snow.h"

namespace firn {

class Playblast {
public:
    /// Builds the bodies. Throws as makeBodies, StillSnow and LightRig do.
    Playblast(const Scene& scene, const PlayblastSettings& settings);

    /// The frame with these particles at its time. The same bits for any number of threads. Throws as PlacedCamera().
    Rgb8Image picture(SnowParticles particles) const;

private:
    Scene m_scene;
    PlayblastSettings m_settings;
    std::vector<Body> m_bodies;
    StillSnow m_still;
    LightRig m_lights;
    std::vector<float> m_powder;  // extinction over density of powder in the air, of each region, m^2/kg
};

}  // namespace firn
