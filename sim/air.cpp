#include "sim/air.h"

#include <algorithm>
#include <cmath>

#include "common/snow/noise.h"

namespace firn {

namespace {

constexpr double viscosity = 1.72e-5;                // of air at 0 degrees C, Pa s
constexpr double leastShare = 7, exposedShare = 12;  // see AirFlow::exposure

/// The vector potential of the gusts, in units of their size: three noises that drift apart, so that gusts change.
Vec3d potential(int seed, const Vec3d& x, double drift)
{
    Vec3d result;
    for (int a = 0; a < 3; ++a) {
        Vec3d place = x;
        place[a] += drift;
        result[a] = gradientNoise(seed + 11 * a, place);
    }
    return result;
}

/// Curl by central differences. Its rms is rmsOfCurl.
Vec3d curl(int seed, const Vec3d& x, double drift)
{
    constexpr double step = 0.01;
    Mat3d slope;  // slope(i, j) = d potential_i / d x_j
    for (int j = 0; j < 3; ++j) {
        const Vec3d ahead = x + step * Vec3d::Unit(j), behind = x - step * Vec3d::Unit(j);
        slope.col(j) = (potential(seed, ahead, drift) - potential(seed, behind, drift)) / (2 * step);
    }
    return {slope(2, 1) - slope(1, 2), slope(0, 2) - slope(2, 0), slope(1, 0) - slope(0, 1)};
}

}  // namespace

double dragCoefficient(double reynolds)
{
    return std::max(0.44, 24 / reynolds * (1 + 0.15 * std::pow(reynolds, 0.687)));
}

AirFlow::AirFlow(const Scene& scene) : m_air(scene.air)
{
    for (const SnowRegion& region : scene.snow) m_crumb_m.push_back(1e-3 * region.material.crumb_mm);
}

Vec3d AirFlow::velocity(const Vec3d& place_m, double time_s) const
{
    if (m_air.gust_m_s == 0) return m_air.wind_m_s;
    constexpr double rmsOfCurl = 1.83;
    const Vec3d x = (place_m - time_s * m_air.wind_m_s) / m_air.gust_size_m;  // the wind carries its gusts
    const double drift = time_s * m_air.gust_m_s / m_air.gust_size_m;
    return m_air.wind_m_s + m_air.gust_m_s / rmsOfCurl * curl(m_air.seed, x, drift);
}

double AirFlow::exposure(double share)
{
    return std::clamp((share - leastShare) / (exposedShare - leastShare), 0.0, 1.0);
}

Vec3d AirFlow::slowed(const Vec3d& velocity, const Vec3d& wind, std::size_t region, double snowDensity, double exposure,
                      double dt_s) const
{
    const Vec3d relative = velocity - wind;
    const double speed = relative.norm();
    if (speed == 0 || exposure == 0) return velocity;
    return wind + relative / (1 + dragRate(exposure, speed, region, snowDensity) * dt_s);
}

double AirFlow::spread() const
{
    constexpr double still = 0.002, share = 0.1;  // of air without gusts, m^2/s; of their speed times their size
    return still + share * m_air.gust_m_s * m_air.gust_size_m;
}

double AirFlow::dragRate(double exposure, double speed, std::size_t region, double snowDensity) const
{
    const double d = m_crumb_m[region];
    return exposure * 0.75 * dragCoefficient(m_air.density_kg_m3 * speed * d / viscosity) * m_air.density_kg_m3 *
           speed / (snowDensity * d);
}

double AirFlow::fallSpeed(double diameter_m, double density, double gravity) const
{
    double slow = 0, fast = 1000;  // weight is more than drag at the first, less at the second
    for (int k = 0; k < 60; ++k) {
        const double speed = (slow + fast) / 2, reynolds = m_air.density_kg_m3 * speed * diameter_m / viscosity;
        const double drag = 0.75 * dragCoefficient(reynolds) * m_air.density_kg_m3 * speed * speed;
        (drag < gravity * density * diameter_m ? slow : fast) = speed;
    }
    return slow;
}

}  // namespace firn
