#include "render/playblast/playblast.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "common/error.h"
#include "common/image/view.h"
#include "render/playblast/drawn_bodies.h"
#include "render/playblast/drawn_snow.h"
#include "render/playblast/powder_haze.h"
#include "render/playblast/smoothed_snow.h"
#include "render/snow_optics.h"
#include "render/sun.h"

namespace firn {
namespace {

constexpr int nearShadowSize = 1280, farShadowSize = 1024;  // pixels
const Vec3f sunlight(0.80f, 0.76f, 0.68f), skylight(0.21f, 0.26f, 0.34f), groundlight(0.13f, 0.14f, 0.16f);
const Vec3f powderColor(0.72f, 0.76f, 0.82f);
const Vec3f zenith(0.26f, 0.38f, 0.58f), horizon(0.62f, 0.70f, 0.80f);

/// Towards the first sun of the scene; without one, towards the upper left of the camera.
Vec3f sunDirection(const Lights& lights, const PlacedCamera& camera)
{
    for (const auto& light : lights.all())
        if (const auto* const sun = dynamic_cast<const Sun*>(light.get())) return sun->direction();
    const Vec3f forward = camera.axis().cast<float>();
    const Vec3f left = Vec3f::UnitY().cross(forward).normalized();
    const Vec3f direction = left + 0.9f * Vec3f::UnitY() - 0.4f * forward;
    return direction.allFinite() ? direction.normalized() : Vec3f(Vec3f::UnitY());
}

/// What the sun sees of a ball of space.
struct ShadowMap {
    SunEye eye;
    DepthPicture picture;

    /// Without `snow`, bodies alone cast shadows.
    ShadowMap(const Vec3f& sun, const Vec3f& middle_m, float radius_m, int size, const DrawnBodies& bodies,
              const DrawnSnow* snow)
        : eye(sun, middle_m, radius_m, size), picture(size, size)
    {
        bodies.draw(eye, picture);
        if (snow != nullptr) snow->draw(eye, picture);
    }

    bool reaches(const DrawnPoint& at) const
    {
        const auto most = static_cast<float>(picture.width() - 1);
        return at.x > 1 && at.y > 1 && at.x < most && at.y < most;
    }

    /// Share of the light that nothing nearer to the sun takes, between four pixels.
    float openAt(const DrawnPoint& at, float bias_m) const
    {
        const int x = static_cast<int>(at.x - 0.5f), y = static_cast<int>(at.y - 0.5f);
        const float fx = at.x - 0.5f - static_cast<float>(x), fy = at.y - 0.5f - static_cast<float>(y);
        const auto open = [&](int dx, int dy) {
            const bool isCovered = picture.surface(x + dx, y + dy) != DepthPicture::nothing &&
                                   picture.nearness(x + dx, y + dy) > at.nearness + bias_m;
            return isCovered ? 0.0f : 1.0f;
        };
        const float above = open(0, 0) * (1 - fx) + open(1, 0) * fx, below = open(0, 1) * (1 - fx) + open(1, 1) * fx;
        return above * (1 - fy) + below * fy;
    }
};

/// One picture: from depths to colours.
class Shading {
public:
    Shading(const PinholeEye& eye, const DepthPicture& picture, const DrawnBodies& bodies, float spacing_m,
            const Vec3f& sun)
        : m_eye(eye),
          m_picture(picture),
          m_bodies(bodies),
          m_spacing(spacing_m),
          m_sun(sun),
          m_depths(smoothedDepths(picture, spacing_m, eye.scale()))
    {
    }

    /// Shadows of a ball of space. Those that are added first count where several reach.
    void add(const ShadowMap& shadows) { m_shadows.push_back(&shadows); }

    Vec3f colorAt(int x, int y) const
    {
        const std::uint32_t surface = m_picture.surface(x, y);
        if (surface == DepthPicture::nothing) return skyAt(x, y);
        const bool isSnow = surface & DrawnSnow::mark;
        const Vec3f place = pointAt(x, y);
        const Vec3f toEye = (m_eye.position() - place).normalized();
        Vec3f normal = isSnow ? normalOfSnow(x, y, place) : m_bodies.facet(surface).normal;
        if (normal.dot(toEye) < 0) normal = -normal;
        const Vec3f albedo = isSnow ? DrawnSnow::colorOf(surface) : m_bodies.facet(surface).albedo;
        const float facing = std::max(0.0f, normal.dot(m_sun));
        const float open = openness(x, y, place, normal), up = 0.5f + 0.5f * normal.y();
        const Vec3f light = facing * lit(place, normal) * sunlight + open * (up * skylight + (1 - up) * groundlight);
        const Vec3f color = albedo.cwiseProduct(light);
        return isSnow ? color : Vec3f(color + m_bodies.facet(surface).emission.cwiseMin(1));
    }

private:
    float depthAt(int x, int y) const { return m_depths[static_cast<std::size_t>(y * m_picture.width() + x)]; }
    Vec3f pointAt(int x, int y) const
    {
        return m_eye.point(static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f, 1 / depthAt(x, y));
    }

    Vec3f skyAt(int x, int y) const
    {
        const Vec3f direction =
            m_eye.direction(static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f).normalized();
        const float height = std::sqrt(std::clamp(direction.y(), 0.0f, 1.0f));
        return (1 - height) * horizon + height * zenith;
    }

    /// The step to the neighbour of two that is about as deep.
    Vec3f step(int x, int y, int dx, int dy, const Vec3f& place) const
    {
        const auto difference = [&](int sign) {
            const int px = x + sign * dx, py = y + sign * dy;
            const bool isIn = px >= 0 && py >= 0 && px < m_picture.width() && py < m_picture.height();
            return isIn ? std::abs(depthAt(px, py) - depthAt(x, y)) : infinity;
        };
        const float before = difference(-1), after = difference(1);
        if (!(std::min(before, after) < infinity)) return Vec3f::Zero();
        return after <= before ? Vec3f(pointAt(x + dx, y + dy) - place) : Vec3f(place - pointAt(x - dx, y - dy));
    }

    Vec3f normalOfSnow(int x, int y, const Vec3f& place) const
    {
        const Vec3f normal = step(x, y, 0, 1, place).cross(step(x, y, 1, 0, place));
        const float length = normal.norm();
        return length > 0 ? Vec3f(normal / length) : Vec3f(Vec3f::UnitY());
    }

    /// Share of the sun's light that arrives.
    float lit(const Vec3f& place, const Vec3f& normal) const
    {
        for (const ShadowMap* const shadows : m_shadows) {
            const float pixel_m = 1 / shadows->eye.pixelsPerMetre(), margin_m = 1.5f * std::max(m_spacing, pixel_m);
            const DrawnPoint at = shadows->eye.drawn(place + margin_m * normal);
            if (shadows->reaches(at)) return shadows->openAt(at, margin_m);
        }
        return 1;
    }

    /// Share of the sky's light that surfaces nearby leave: those above the plane of the surface, within a reach.
    float openness(int x, int y, const Vec3f& place, const Vec3f& normal) const
    {
        constexpr float reach = 9, darkest = 0.85f;  // reach in distances of particles
        const float reach_m = reach * std::max(m_spacing, 0.01f);
        const float pixels = std::clamp(reach_m * m_eye.scale() / depthAt(x, y), 2.0f, 60.0f);
        float covered = 0;
        for (const Vec2f& offset : spiral()) {
            const int px = x + static_cast<int>(std::lround(pixels * offset.x())),
                      py = y + static_cast<int>(std::lround(pixels * offset.y()));
            if (px < 0 || py < 0 || px >= m_picture.width() || py >= m_picture.height()) continue;
            const Vec3f way = pointAt(px, py) - place;
            const float above = way.dot(normal), length = way.norm();
            if (above > 0.5f * m_spacing && length < 3 * reach_m) covered += above / length;
        }
        return 1 - darkest * std::min(1.0f, 1.5f * covered / static_cast<float>(spiral().size()));
    }

    /// Places in a circle of radius 1.
    static const std::array<Vec2f, 12>& spiral()
    {
        static const std::array<Vec2f, 12> places = [] {
            constexpr float goldenAngle = 2.39996f;
            std::array<Vec2f, 12> all;
            for (std::size_t k = 0; k < all.size(); ++k) {
                const float angle = goldenAngle * static_cast<float>(k),
                            radius = std::sqrt((static_cast<float>(k) + 0.5f) / static_cast<float>(all.size()));
                all[k] = radius * Vec2f(std::cos(angle), std::sin(angle));
            }
            return all;
        }();
        return places;
    }

    const PinholeEye& m_eye;
    const DepthPicture& m_picture;
    const DrawnBodies& m_bodies;
    float m_spacing;
    Vec3f m_sun;
    std::vector<float> m_depths;
    std::vector<const ShadowMap*> m_shadows;
};

/// sRGB, encoded by table.
std::uint8_t byteOf(float value)
{
    constexpr int entries = 4096;
    static const std::vector<std::uint8_t> table = [] {
        std::vector<std::uint8_t> bytes;
        for (int i = 0; i < entries; ++i)
            bytes.push_back(
                static_cast<std::uint8_t>(std::lround(255 * srgbEncode(static_cast<float>(i) / (entries - 1)))));
        return bytes;
    }();
    return table[static_cast<std::size_t>(std::lround((entries - 1) * std::clamp(value, 0.0f, 1.0f)))];
}

}  // namespace

Playblast::Playblast(const Scene& scene, const PlayblastSettings& settings)
    : m_scene(scene), m_settings(settings), m_bodies(makeBodies(scene)), m_still(scene, m_bodies), m_lights(scene)
{
    for (const SnowOptics& optics : snowOptics(scene)) m_powder.push_back(static_cast<float>(optics.powder_m2_per_kg));
}

Rgb8Image Playblast::picture(SnowParticles particles) const
{
    const double time_s = m_scene.timeOfFrame(particles.frame);
    particles.append(m_still.at(particles.frame));
    const PlacedCamera camera(m_scene.camera, time_s, m_settings.width, m_settings.height);
    const PinholeEye eye(camera);
    const DrawnBodies bodies(m_bodies, time_s);
    const DrawnSnow snow(particles, m_settings);
    DepthPicture picture(m_settings.width, m_settings.height);
    bodies.draw(eye, picture);
    snow.draw(eye, picture);

    const Vec3f sun = sunDirection(m_lights.at(time_s), camera);
    Shading shading(eye, picture, bodies, snow.spacing_m(), sun);
    float radius_m = 0;
    Vec3f middle = snow.middle_m(eye, picture, radius_m);
    if (!(radius_m > 0)) middle = cameraAt(m_scene.camera, time_s).look_at.cast<float>();
    std::optional<ShadowMap> near, far;
    if (radius_m > 0) shading.add(near.emplace(sun, middle, 1.1f * radius_m, nearShadowSize, bodies, &snow));
    const float far_m = 2.5f * (middle - eye.position()).norm() + radius_m;
    shading.add(far.emplace(sun, middle, far_m, farShadowSize, bodies, nullptr));
    const std::vector<float> haze = powderHaze(particles.powder, m_powder, eye, picture);

    Rgb8Image image{m_settings.width, m_settings.height, {}};
    image.pixels.resize(3 * static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height));
    tbb::parallel_for(0, image.height, [&](int y) {
        std::uint8_t* pixel = image.pixels.data() + 3 * static_cast<std::size_t>(y * image.width);
        for (int x = 0; x < image.width; ++x, pixel += 3) {
            const float clear = std::exp(-haze[static_cast<std::size_t>(y * image.width + x)]);
            const Vec3f color = clear * shading.colorAt(x, y) + (1 - clear) * powderColor;
            for (Eigen::Index c = 0; c < 3; ++c) pixel[c] = byteOf(color[c]);
        }
    });
    return image;
}

}  // namespace firn
