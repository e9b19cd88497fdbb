#pragma once
// The gloss of wet and glazed snow: a film of water or ice covers a share of the surface and mirrors lights and the
// sky. The film is a rough dielectric surface (Walter et al. 2007, GGX) with the refractive index of water, 1.33; that
// of ice is nearly the same, 1.31. It mirrors lights that light sampling finds as a rough surface, and smooth skies as
// a smooth one. It adds its light to that of the volume, which it leaves as it is. It mirrors 2 % of the light that
// comes from above.

#include <memory>
#include <span>

#include "render/mean_field.h"
#include "render/mirrored_light.h"
#include "render/snow_optics.h"

namespace firn {

class WaterFilm {
public:
    /// `shares`: of each particle, the share of its surface that is covered. Throws as rasterizeDensity does.
    WaterFilm(const SnowParticles& particles, const std::vector<float>& shares, double voxel_m);

    /// The share of the surface that is covered.
    float shareAt(const Vec3f& place_m) const;

    /// Radiance that the film mirrors to the eye.
    Vec3f radiance(const RenderScene& scene, const SnowPoint& point) const;
    /// The same for each group of the scene's lights.
    GroupedLight byGroup(const RenderScene& scene, const SnowPoint& point) const;

private:
    float m_most = 0;
    std::unique_ptr<const MeanField> m_field;  // none where all particles have the same share
};

/// Shares for WaterFilm: of snow with the wetness of its region, and with glaze (snow_relief.h; empty: none). Empty if
/// all are 0.
std::vector<float> filmShares(const SnowParticles& particles, std::span<const SnowOptics> optics,
                              const std::vector<float>& glaze);

}  // namespace firn
