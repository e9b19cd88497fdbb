#include "render/mirrored_light.h"

#include <cmath>

#include "render/optical_depth.h"

namespace firn {

float fresnelReflectance(float atNormal, float cosine)
{
    return atNormal + (1 - atNormal) * std::pow(1 - cosine, 5.0f);
}

float shareOfLight(const RenderScene& scene, const SnowPoint& point, const Vec3f& direction, float distance_m)
{
    if (scene.surfaces != nullptr && scene.surfaces->occluded({point.place, direction}, distance_m)) return 0;
    if (scene.volume == nullptr || scene.volume->isHomogeneous()) return 1;
    constexpr float dark = 6;
    const Ray inVolume{scene.volume->toIndex(point.outside), direction};
    return std::exp(-opticalDepth(scene.volume->bricks(), inVolume, dark, distance_m / scene.volume->voxelSize_m()));
}

}  // namespace firn
