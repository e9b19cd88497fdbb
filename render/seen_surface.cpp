#include "render/seen_surface.h"

#include <algorithm>

#include "render/glints.h"
#include "render/tracking.h"
#include "render/water_film.h"

namespace firn {

namespace {

constexpr float seenDepth = 1;  // optical depth

/// Where the optical depth along a ray in index space reaches `seenDepth`; infinity if it does not before tMax.
float seenDistance(const Volume& volume, const Ray& ray, float tMax)
{
    if (volume.isHomogeneous()) {
        const auto [t0, t1] = clip(ray, volume.indexMin(), volume.indexMax(), tMax);
        const float t = t0 + seenDepth / volume.constant();
        return t < t1 ? t : infinity;
    }
    // A step is half a voxel, or longer where that is at most an eighth of optical depth.
    constexpr float mostPerVoxel = 2, mostPerDepth = 8;
    float depth = 0;
    for (BlockWalk walk(volume.bricks(), ray, tMax); walk.inside(); walk.leave()) {
        float tExit = 0;
        const Bricks::Block block = walk.enter(tExit);
        if (block.majorant <= 0) continue;
        const float length = tExit - walk.t();
        const int steps = static_cast<int>(length * std::min(mostPerVoxel, mostPerDepth * block.majorant)) + 1;
        const float step = length / static_cast<float>(steps);
        for (int i = 0; i < steps; ++i) {
            const float t = walk.t() + step * static_cast<float>(i);
            const float more = step * walk.value(block, t + 0.5f * step);
            if (depth + more >= seenDepth) return t + step * (seenDepth - depth) / more;
            depth += more;
        }
    }
    return infinity;
}

/// Against the gradient of density; central differences over two voxels to each side.
Vec3f snowNormal(const Volume& volume, const Vec3f& point)
{
    const float h = 2 * volume.voxelSize_m();
    Vec3f gradient;
    for (int axis = 0; axis < 3; ++axis) {
        const Vec3f step = h * Vec3f::Unit(axis);
        gradient[axis] = volume.extinction(point + step) - volume.extinction(point - step);
    }
    return -gradient.stableNormalized();
}

/// What the surface of snow mirrors. Water covers facets.
void findMirrored(const RenderScene& scene, const Ray& ray, float t, SeenSurface& seen)
{
    if (scene.glints == nullptr && scene.water_film == nullptr) return;
    const Vec3f place = ray.at(t);
    const float freePath_m = 1 / std::max(scene.volume->extinction(place), 1e-3f / scene.volume->voxelSize_m());
    const SnowPoint point{place, place + 3 * freePath_m * seen.normal, seen.normal, -ray.direction, t};
    if (scene.glints != nullptr) seen.glints = scene.glints->radiance(scene, point);
    if (scene.water_film == nullptr) return;
    seen.glints *= 1 - scene.water_film->wetnessAt(place);
    seen.gloss = scene.water_film->radiance(scene, point);
}

}  // namespace

SeenSurface seenSurface(const RenderScene& scene, const Ray& ray)
{
    float t = infinity;
    if (scene.volume != nullptr) {
        const Ray inVolume{scene.volume->toIndex(ray.origin), ray.direction, ray.time};
        t = scene.volume->voxelSize_m() * seenDistance(*scene.volume, inVolume, infinity);
    }
    SurfaceHit hit;
    if (scene.surfaces != nullptr && scene.surfaces->intersect(ray, t, hit)) return {true, hit.normal, hit.albedo};
    if (scene.volume == nullptr || t == infinity) return {};
    const Vec3f point = ray.at(t);
    SeenSurface seen{true, snowNormal(*scene.volume, point), scene.medium.albedoAt(point)};
    findMirrored(scene, ray, t, seen);
    return seen;
}

}  // namespace firn
