#include "render/photon_source.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "common/image/luminance.h"

namespace firn {

namespace {

// With discs of radius r 2^j, j >= 0, at probability 2^-(j+1), the density at distance d from the axis is the sum of
// 2^-(j+1) / (pi r^2 4^j) over r 2^j >= d: this over pi r^2, times 8^-m, where r 2^m is the smallest of these discs.
constexpr float sumOfDiscs = 4.0f / 7;

/// 8^-m for the smallest m >= 0 with 4^m >= `ratio`, by the exponent of the float.
float eighths(float ratio)
{
    constexpr std::int32_t bias = 127, mantissaBits = 23;
    const std::int32_t exponent = (std::bit_cast<std::int32_t>(ratio) >> mantissaBits) - bias;
    const std::int32_t m = std::max(0, std::min((exponent >> 1) + 1, 40));
    return std::bit_cast<float>((bias - 3 * m) << mantissaBits);
}

/// The largest j with 2^-j >= 1 - u: j is geometrically distributed with mean 1.
int doublings(float u) { return static_cast<int>(-std::log2(1 - u)); }

}  // namespace

PhotonSource::PhotonSource(const Lights& lights, std::vector<Vec3f> seen, float reach_m, const Vec3f& center,
                           float radius)
    : m_lampPhotons(center, radius), m_center(center), m_radius(radius)
{
    addTargets(seen, 0, targetCount, reach_m);
    addLights(lights);
}

/// Splits the places in halves along the longest edge of their box until there is one target for each part.
void PhotonSource::addTargets(std::span<Vec3f> places, std::size_t first, std::size_t count, float reach_m)
{
    Vec3f low = places.front(), high = low;
    for (const Vec3f& place : places) {
        low = low.cwiseMin(place);
        high = high.cwiseMax(place);
    }
    const std::size_t half = places.size() / 2;
    const Vec3f center = 0.5f * (low + high);
    const float radius = 0.5f * (high - low).norm() + reach_m;
    m_lampPhotons.add(static_cast<std::size_t>(std::countr_zero(count)), center, radius);
    if (count > 1) {
        Eigen::Index axis = 0;
        (high - low).maxCoeff(&axis);
        std::nth_element(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(half), places.end(),
                         [axis](const Vec3f& a, const Vec3f& b) { return a[axis] < b[axis]; });
        addTargets(half > 0 ? places.first(half) : places, first, count / 2, reach_m);
        addTargets(places.subspan(half), first + count / 2, count / 2, reach_m);
        return;
    }
    m_targets.x[first] = center.x();
    m_targets.y[first] = center.y();
    m_targets.z[first] = center.z();
    m_targets.inverse_square[first] = 1 / (radius * radius);
}

/// A light's share goes with the root of its power: weak lights matter in the shadow of strong ones.
void PhotonSource::addLights(const Lights& lights)
{
    constexpr std::size_t samples = 256;
    float total = 0;
    for (std::size_t k = 0; k < lights.all().size(); ++k) {
        const auto& light = lights.all()[k];
        Sampler sampler(0, 0, 0);
        float power = 0;
        for (std::size_t i = 0; i < samples; ++i) {
            const LightSample sample = light->sample(m_targets.center(i % targetCount), sampler.uniform2());
            power += luminance(sample.irradiance) * sample.scale;
        }
        if (!(power > 0)) continue;
        m_power += power / samples;
        m_lights.push_back({light, lights.groupOf(k), std::sqrt(power)});
        total += m_lights.back().share;
    }
    for (Choice& choice : m_lights) choice.share /= total;
}

Photon PhotonSource::sample(Sampler& sampler) const
{
    using Event = Sampler::Event;
    Photon photon;
    if (m_lights.empty()) return photon;
    const Vec2f choice = sampler.stratified(Event::Time);
    const Choice* chosen = m_lights.data();
    for (float u = choice.x(); chosen != &m_lights.back() && u >= chosen->share; ++chosen) u -= chosen->share;
    photon.group = chosen->group;
    photon.is_sampled = chosen->light->foundBy() != FoundBy::Scattering;
    if (!chosen->light->isAtInfinity()) {
        const LampPhotons::LampRay found =
            m_lampPhotons.sample(*chosen->light, {sampler.stratified(Event::Lens).x(), choice.y()},
                                 sampler.stratified(Event::Pixel), sampler.stratified(Event::FirstLight));
        photon.ray = found.ray;
        photon.power = found.power / chosen->share;
        return photon;
    }
    const auto target = std::min(targetCount - 1, static_cast<std::size_t>(choice.y() * targetCount));
    const LightSample toLight = chosen->light->sample(m_targets.center(target), sampler.stratified(Event::FirstLight));

    const Vec2f w = sampler.stratified(Event::Pixel);
    const float disc = std::ldexp(1.0f, doublings(sampler.stratified(Event::Lens).x()));
    const float r = disc * std::sqrt(w.x() / m_targets.inverse_square[target]), angle = 2 * pif * w.y();
    const Vec3f u = toLight.direction.unitOrthogonal(), v = toLight.direction.cross(u);
    const Vec3f point = m_targets.center(target) + u * (r * std::cos(angle)) + v * (r * std::sin(angle));
    const float back = toLight.direction.dot(m_center - point) + m_radius;
    photon.ray.origin = point + toLight.direction * back;
    photon.ray.direction = -toLight.direction;
    photon.power = toLight.irradiance * (toLight.scale / (density(point, toLight.direction) * chosen->share));
    return photon;
}

/// Photons per area (1 / m^2) across `direction`, at a point.
float PhotonSource::density(const Vec3f& point, const Vec3f& direction) const
{
    std::array<float, lanes> sums{};  // of every sixteenth target each
    for (std::size_t first = 0; first < targetCount; first += lanes) {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            const std::size_t i = first + lane;
            float x = m_targets.x[i] - point.x(), y = m_targets.y[i] - point.y(), z = m_targets.z[i] - point.z();
            const float along = x * direction.x() + y * direction.y() + z * direction.z();
            x -= along * direction.x();
            y -= along * direction.y();
            z -= along * direction.z();
            const float inverseSquare = m_targets.inverse_square[i];
            sums[lane] += inverseSquare * eighths((x * x + y * y + z * z) * inverseSquare);
        }
    }
    float sum = 0;
    for (const float value : sums) sum += value;
    return sum * sumOfDiscs / (pif * targetCount);
}

float PhotonSource::leastPower() const
{
    float most = 0;
    for (std::size_t i = 0; i < targetCount; ++i) most = std::max(most, density(m_targets.center(i), Vec3f::UnitY()));
    return m_power / most;
}

}  // namespace firn
