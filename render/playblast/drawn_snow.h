#pragma once
// The particles of a frame as discs, for the camera and for the sun.

#include "render/playblast/eye.h"
#include "render/playblast/settings.h"
#include "render/snow_particles.h"

namespace firn {

class DrawnSnow {
public:
    /// Marks a surface of a pixel as snow; the other bits are its colour.
    static constexpr std::uint32_t mark = 0x80000000;

    DrawnSnow(const SnowParticles& particles, const PlayblastSettings& settings);

    void draw(const PinholeEye& eye, DepthPicture& picture) const;
    void draw(const SunEye& eye, DepthPicture& picture) const;

    /// Edge of the cube that a particle fills at rest, the mean of all, m.
    float spacing_m() const { return m_spacing_m; }
    /// A ball with all particles that the camera may show; without any, of radius 0.
    Vec3f middle_m(const PinholeEye& eye, const DepthPicture& picture, float& radius_m) const;

    static Vec3f colorOf(std::uint32_t surface);

private:
    const SnowParticles& m_particles;
    std::vector<std::uint32_t> m_surfaces;
    std::vector<float> m_radii_m;
    float m_spacing_m = 0;
};

}  // namespace firn
