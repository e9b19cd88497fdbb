#include "render/playblast/drawn_snow.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

namespace firn {
namespace {

constexpr float discPerSpacing = 0.75f;  // radius of a disc over the distance of particles: discs leave no holes
const Vec3f snowAlbedo(0.93f, 0.95f, 0.97f);

/// A colour between those of a ramp, for a position from 0 to 1.
template <std::size_t n>
Vec3f rampColor(const std::array<Vec3f, n>& ramp, float position)
{
    const float place = std::clamp(position, 0.0f, 1.0f) * static_cast<float>(n - 1);
    const auto i = std::min(static_cast<std::size_t>(place), n - 2);
    const float t = place - static_cast<float>(i);
    return (1 - t) * ramp[i] + t * ramp[i + 1];
}

Vec3f speedColor(float share)
{
    static const std::array<Vec3f, 5> ramp{snowAlbedo, Vec3f(0.25f, 0.6f, 0.95f), Vec3f(0.2f, 0.8f, 0.4f),
                                           Vec3f(0.95f, 0.8f, 0.15f), Vec3f(0.9f, 0.15f, 0.1f)};
    return rampColor(ramp, share);
}

/// Blue where snow is packed to less than half of its volume, white as at rest, orange where it has loosened to twice.
Vec3f packingColor(float stretch)
{
    static const std::array<Vec3f, 3> ramp{Vec3f(0.05f, 0.15f, 0.7f), snowAlbedo, Vec3f(0.95f, 0.45f, 0.08f)};
    return rampColor(ramp, 0.5f + 0.5f * std::log2(std::max(stretch, 1e-3f)));
}

Vec3f regionColor(std::uint8_t region)
{
    static const std::array<Vec3f, 8> colors{snowAlbedo,
                                             Vec3f(0.35f, 0.6f, 0.95f),
                                             Vec3f(0.95f, 0.6f, 0.3f),
                                             Vec3f(0.45f, 0.8f, 0.45f),
                                             Vec3f(0.85f, 0.45f, 0.75f),
                                             Vec3f(0.9f, 0.85f, 0.35f),
                                             Vec3f(0.4f, 0.8f, 0.8f),
                                             Vec3f(0.75f, 0.4f, 0.35f)};
    return colors[region % colors.size()];
}

std::uint32_t surfaceOf(const Vec3f& color)
{
    const auto byte = [&](Eigen::Index c) { return static_cast<std::uint32_t>(std::lround(255 * color[c])); };
    return DrawnSnow::mark | byte(0) << 16 | byte(1) << 8 | byte(2);
}

float greatestSpeed(const SnowParticles& particles)
{
    float most = 0;
    for (const Vec3f& velocity : particles.velocity_m_s) most = std::max(most, velocity.squaredNorm());
    return std::sqrt(most);
}

}  // namespace

DrawnSnow::DrawnSnow(const SnowParticles& particles, const PlayblastSettings& settings)
    : m_particles(particles), m_surfaces(particles.size()), m_radii_m(particles.size())
{
    const float fastest =
        std::max(1e-6f, settings.fastest_m_s > 0 ? static_cast<float>(settings.fastest_m_s) : greatestSpeed(particles));
    const auto colorOfParticle = [&](std::size_t i) -> Vec3f {
        switch (settings.color) {
            case SnowColor::Speed:
                return speedColor(particles.velocity_m_s[i].norm() / fastest);
            case SnowColor::Packing:
                return packingColor(particles.stretch[i]);
            case SnowColor::Region:
                return regionColor(particles.material[i]);
            case SnowColor::Plain:
                break;
        }
        return snowAlbedo;
    };
    tbb::parallel_for(std::size_t{0}, particles.size(), [&](std::size_t i) {
        m_surfaces[i] = surfaceOf(colorOfParticle(i));
        m_radii_m[i] =
            discPerSpacing * std::cbrt(particles.volume0_m3[i] * std::clamp(particles.stretch[i], 0.5f, 2.0f));
    });
    double sum = 0;
    for (const float volume : particles.volume0_m3) sum += static_cast<double>(volume);
    if (particles.size() > 0) m_spacing_m = static_cast<float>(std::cbrt(sum / static_cast<double>(particles.size())));
}

void DrawnSnow::draw(const PinholeEye& eye, DepthPicture& picture) const
{
    std::vector<DrawnDisc> discs(m_particles.size());
    tbb::parallel_for(std::size_t{0}, discs.size(), [&](std::size_t i) {
        const Vec3f seen = eye.toPicture(m_particles.position_m[i].cast<float>());
        if (seen.z() < PinholeEye::nearest_m) {
            discs[i] = {{0, 0, -1}, 0, m_surfaces[i]};  // is nowhere nearer than nothing
        } else {
            const DrawnPoint point = PinholeEye::drawn(seen);
            discs[i] = {point, m_radii_m[i] * eye.scale() * point.nearness, m_surfaces[i]};
        }
    });
    picture.draw(std::span<const DrawnDisc>(discs));
}

void DrawnSnow::draw(const SunEye& eye, DepthPicture& picture) const
{
    std::vector<DrawnDisc> discs(m_particles.size());
    tbb::parallel_for(std::size_t{0}, discs.size(), [&](std::size_t i) {
        discs[i] = {eye.drawn(m_particles.position_m[i].cast<float>()), m_radii_m[i] * eye.pixelsPerMetre(),
                    m_surfaces[i]};
    });
    picture.draw(std::span<const DrawnDisc>(discs));
}

Vec3f DrawnSnow::middle_m(const PinholeEye& eye, const DepthPicture& picture, float& radius_m) const
{
    Vec3f low = Vec3f::Constant(1e30f), high = -low;
    for (const Vec3d& position : m_particles.position_m) {
        const Vec3f place = position.cast<float>(), seen = eye.toPicture(place);
        if (seen.z() < PinholeEye::nearest_m) continue;
        const DrawnPoint at = PinholeEye::drawn(seen);
        if (at.x < 0 || at.y < 0 || at.x > static_cast<float>(picture.width()) ||
            at.y > static_cast<float>(picture.height()))
            continue;
        low = low.cwiseMin(place);
        high = high.cwiseMax(place);
    }
    radius_m = low.x() > high.x() ? 0 : (high - low).norm() / 2;
    return (low + high) / 2;
}

Vec3f DrawnSnow::colorOf(std::uint32_t surface)
{
    return Vec3f(static_cast<float>(surface >> 16 & 255), static_cast<float>(surface >> 8 & 255),
                 static_cast<float>(surface & 255)) /
           255;
}

}  // namespace firn
