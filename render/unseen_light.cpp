#include "render/unseen_light.h"

#include <algorithm>

#include "render/mirrored_light.h"
#include "render/seen_surface.h"

namespace firn {

namespace {

bool reaches(const RenderScene& scene, const Light& light, const Vec3f& point)
{
    const LightSample sample = light.sample(point, {0.5f, 0.5f});
    if (!(sample.scale > 0) || sample.irradiance.isZero(0)) return false;
    constexpr float least = 0.003f;  // snow of any depth lets through exp(-6) for shareOfLight()
    return shareOfLight(scene, {point, point, Vec3f::UnitY(), Vec3f::UnitY()}, sample.direction, sample.distance) >
           least;
}

}  // namespace

std::vector<std::size_t> unseenLights(const RenderScene& scene, const PlacedCamera& camera, int width, int height)
{
    constexpr int columns = 40, rows = 25;
    std::vector<std::size_t> unseen;
    std::vector<Vec3f> points;
    for (int y = 0; y < rows; ++y)
        for (int x = 0; x < columns; ++x) {
            const float column = (static_cast<float>(x) + 0.5f) / columns, row = (static_cast<float>(y) + 0.5f) / rows;
            const Ray ray = camera.ray(column * static_cast<float>(width), row * static_cast<float>(height));
            if (const SeenSurface seen = seenSurface(scene, ray, 0.5f); seen.exists) points.push_back(seen.place);
        }
    if (points.empty()) return unseen;
    for (std::size_t i = 0; i < scene.lights.sampled().size(); ++i) {
        const Light& light = *scene.lights.sampled()[i];
        if (std::ranges::none_of(points, [&](const Vec3f& point) { return reaches(scene, light, point); }))
            unseen.push_back(i);
    }
    return unseen;
}

}  // namespace firn
