#pragma once
// Single-scattering albedo where snow of several looks mixes: the mean over the particles around a point, weighted by
// their cross-sections of extinction.

#include <span>

#include "render/mean_field.h"
#include "render/snow_optics.h"

namespace firn {

class AlbedoField {
public:
    /// `optics`: of each region of snow. Throws as rasterizeDensity does.
    AlbedoField(const SnowParticles& particles, std::span<const SnowOptics> optics, double voxel_m);

    /// Linear Rec. 709, at a point in metres.
    Vec3f at(const Vec3f& point_m) const { return m_field.at(point_m, m_least); }

    /// The least of each channel.
    const Vec3f& least() const { return m_least; }

private:
    MeanField m_field;
    Vec3f m_least = Vec3f::Ones();
};

/// The region's, for a particle's `material`; of the last region for numbers that the scene does not have.
const SnowOptics& opticsOfParticle(std::span<const SnowOptics> optics, const SnowParticles& particles, std::size_t i);

}  // namespace firn
