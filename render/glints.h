#pragma once
// The sparkle of single crystals at the surface of snow. Their facets mirror lights like small, slightly wavy mirrors.
// A facet lies in each cell of a lattice in the space where the snow lay at rest, with a random normal that its cell
// gives; so glints stay where they are when the camera moves by little, and move with the snow. After Jakob et al. 2014
// (discrete facets) and Zirr and Kaplanyan 2016 (a lattice for each size of pixels, mixed from level to level).
//
// With facets of all directions, in a share c of the cells, under a light of irradiance E, the mean over many facets is
//     L = strength c F(theta) E / (4 pi),  c = 0.27,
// F = Fresnel reflectance of ice at half of the angle between eye and light: about 0.12 % of what white snow sends back
// under a light from above.

#include <memory>

#include "render/lens.h"
#include "render/mean_field.h"
#include "render/mirrored_light.h"

namespace firn {

struct GlintSettings {
    double strength = 1;
    double size_m = 5e-4;    // edge of a cell
    double pixel_angle = 0;  // of the picture, radians; facets far away stand for several
    double streak_px = 1;    // length of what a point draws while the shutter is open
    Lens lens = {};          // what is not in focus
};

class Glints {
public:
    /// `shifts`: to the places at rest (rest_places.h); none = snow lies where it lay at rest.
    Glints(std::unique_ptr<const MeanField> shifts, const GlintSettings& settings);

    /// Radiance that the facet at a point, if there is one, mirrors to the eye.
    Vec3f radiance(const RenderScene& scene, const SnowPoint& point) const;
    /// The same for each group of the scene's lights.
    GroupedLight byGroup(const RenderScene& scene, const SnowPoint& point) const;

private:
    float levelAt(float distance_m) const;
    GroupedLight ofFacets(const RenderScene& scene, const SnowPoint& point, float level) const;
    GroupedLight mean(const RenderScene& scene, const SnowPoint& point) const;
    GroupedLight ofLevel(const RenderScene& scene, const SnowPoint& point, int level) const;

    std::unique_ptr<const MeanField> m_shifts;
    float m_strength, m_size_m, m_pixelAngle;
    float m_streakLevels;  // by which a streak is longer than a pixel
    Lens m_lens;
};

}  // namespace firn
