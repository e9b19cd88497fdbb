#pragma once
// Lights at infinity: suns (discs) and the environment (constant and gradient skies). The environment can be reached by
// scattering and by light sampling, and both are combined; a sun is sampled as a light only, because scattering would
// hit a disc of half a degree once in 200000 tries. Camera rays see both.

#include <array>
#include <vector>

#include "common/math.h"
#include "common/scene/scene.h"
#include "render/sampler.h"

namespace firn {

struct Sun {
    Vec3f direction = Vec3f::UnitY();  // towards the centre of the disc, unit length
    Vec3f irradiance = Vec3f::Zero();  // on a surface facing it, the disc unoccluded
    float one_minus_cos_radius = 0;    // of the disc's angular radius

    /// A direction within the disc, uniform in solid angle.
    Vec3f sample(Vec2f u) const;
    /// Radiance seen in `direction`: irradiance / projected solid angle inside the disc, zero outside.
    Vec3f radiance(const Vec3f& direction) const;
};

struct GradientSky {
    Vec3f zenith = Vec3f::Zero();   // radiance
    Vec3f horizon = Vec3f::Zero();  // radiance at and below the horizon
};

struct EnvironmentSample {
    Vec3f direction;
    float pdf;  // per steradian
};

class Lights {
public:
    Lights() = default;
    explicit Lights(const std::vector<LightSpec>& specs);

    const std::vector<Sun>& suns() const { return m_suns; }
    bool hasEnvironment() const { return m_hasEnvironment; }

    /// Radiance of the environment, without suns.
    Vec3f environment(const Vec3f& direction) const;
    /// Radiance of all that a camera ray sees when it meets nothing: environment and discs.
    Vec3f background(const Vec3f& direction) const;

    /// A direction with density proportional to the environment's brightness at its elevation.
    EnvironmentSample sampleEnvironment(Vec2f u) const;
    float environmentPdf(const Vec3f& direction) const;

private:
    static constexpr int s_bands = 32;  // of equal solid angle, from nadir to zenith

    void tabulate();

    std::vector<Sun> m_suns;
    std::vector<GradientSky> m_skies;
    Vec3f m_constant = Vec3f::Zero();
    bool m_hasEnvironment = false;
    std::array<float, s_bands> m_bandPdf{};  // per steradian
    std::array<float, s_bands + 1> m_bandCdf{};
};

/// Towards a light at the given elevation above the horizon and azimuth from +z towards +x.
Vec3f lightDirection(double elevation_deg, double azimuth_deg);

}  // namespace firn
