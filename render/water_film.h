#pragma once
// The gloss of wet snow: water covers a share of the surface, and its film mirrors lights and the sky. The film is a
// rough dielectric surface (Walter et al. 2007, GGX) of refractive index 1.33. It mirrors lights that light sampling
// finds as a rough surface, and smooth skies as a smooth one. It adds its light to that of the volume, which it leaves
// as it is. It mirrors 2 % of the light that comes from above.

#include <memory>
#include <span>

#include "render/mean_field.h"
#include "render/mirrored_light.h"
#include "render/snow_optics.h"

namespace firn {

class WaterFilm {
public:
    /// `optics`: of each region of snow. Throws as rasterizeDensity does.
    WaterFilm(const SnowParticles& particles, std::span<const SnowOptics> optics, double voxel_m);

    /// The share of the surface that water covers.
    float wetnessAt(const Vec3f& place_m) const;

    /// Radiance that the film mirrors to the eye.
    Vec3f radiance(const RenderScene& scene, const SnowPoint& point) const;

private:
    float m_wettest = 0;
    std::unique_ptr<const MeanField> m_field;  // none where all snow is as wet
};

}  // namespace firn
