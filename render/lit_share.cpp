#include "render/lit_share.h"

#include <algorithm>

#include "common/image/luminance.h"
#include "render/mirrored_light.h"

namespace firn {

namespace {

constexpr float skyArrives = 0.33f;

struct Arriving {
    float light = 0, all = 0;  // luminance
};

void addLamps(const RenderScene& scene, const Vec3f& place, const Vec3f* normal, Arriving& sum)
{
    const SnowPoint point{place, place, Vec3f::Zero(), Vec3f::Zero()};
    for (const Light* from : scene.lights.sampled()) {
        const LightSample light = from->sample(place, {0.5f, 0.5f});
        const float strength = light.scale * luminance(light.irradiance);
        const float cosine = normal != nullptr ? std::max(0.0f, normal->dot(light.direction)) : 1;
        sum.all += strength;
        if (cosine * strength > 0)
            sum.light += cosine * strength * shareOfLight(scene, point, light.direction, light.distance);
    }
}

void addSkies(const RenderScene& scene, const Vec3f& place, Arriving& sum)
{
    constexpr float halfSphere = 2 * static_cast<float>(pi);
    for (const auto& light : scene.lights.all()) {
        if (light->foundBy() != FoundBy::Scattering) continue;
        const Vec3f zenith = light->radiance({place, Vec3f::UnitY()}, infinity),
                    horizon = light->radiance({place, Vec3f::UnitX()}, infinity);
        const float strength = halfSphere * 0.5f * luminance(zenith + horizon);
        sum.all += strength;
        sum.light += skyArrives * strength;
    }
}

}  // namespace

float litShare(const RenderScene& scene, const Vec3f& place, const Vec3f* normal)
{
    if (scene.lights.sampled().empty()) return 0;
    Arriving sum;
    addLamps(scene, place, normal, sum);
    addSkies(scene, place, sum);
    return sum.all > 0 ? sum.light / sum.all : 0;
}

}  // namespace firn
