#include "render/seen_surface.h"

#include <algorithm>
#include <array>

#include "render/glints.h"
#include "render/lit_share.h"
#include "render/optical_depth.h"
#include "render/tracking.h"
#include "render/water_film.h"

namespace firn {

namespace {

constexpr float seenDepth = 1;         // optical depth
constexpr float shareBefore = 0.632f;  // of first collisions, before seenDepth: 1 - exp(-seenDepth)

using Three = std::array<float, 3>;

/// Where the optical depth along a ray in index space reaches three values in ascending order; infinity where it does
/// not.
Three distancesOf(const Three& depths, const Volume& volume, const Ray& ray)
{
    Three found{infinity, infinity, infinity};
    if (volume.isHomogeneous()) {
        const auto [t0, t1] = clip(ray, volume.indexMin(), volume.indexMax(), infinity);
        for (std::size_t i = 0; i < depths.size(); ++i) {
            const float t = t0 + depths[i] / volume.constant();
            if (t < t1) found[i] = t;
        }
        return found;
    }
    float depth = 0;
    std::size_t next = 0;
    marchDepths(volume.bricks(), ray, [&](float t, float step, float more) {
        for (; next < depths.size() && depth + more >= depths[next]; ++next)
            found[next] = t + step * (depths[next] - depth) / more;
        depth += more;
        return next < depths.size();
    });
    return found;
}

/// The optical depths before, at and beyond seenDepth, where the first of them and the last are distributed as first
/// collisions are.
Three collisionDepths(float u)
{
    return {sampleOpticalDepth(shareBefore * u), seenDepth, sampleOpticalDepth(shareBefore + (1 - shareBefore) * u)};
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
    seen.glints *= 1 - scene.water_film->shareAt(place);
    seen.gloss = scene.water_film->radiance(scene, point);
}

/// SeenSurface::lit of snow whose first collisions are at `before` and `beyond` (m).
float litSnow(const RenderScene& scene, const Ray& ray, float before, float beyond)
{
    const float first = litShare(scene, ray.at(before), nullptr);
    if (beyond == infinity) return first;
    return shareBefore * first + (1 - shareBefore) * litShare(scene, ray.at(beyond), nullptr);
}

SeenSurface seenBody(const RenderScene& scene, const Ray& ray, const SurfaceHit& hit)
{
    SeenSurface seen{true, hit.normal, hit.albedo};
    const Vec3f place = ray.at(hit.t);
    const Vec3f above = place + hit.normal * (1e-5f + 0x1p-17f * place.cwiseAbs().maxCoeff());
    seen.lit = litShare(scene, above, &hit.normal);
    return seen;
}

}  // namespace

SeenSurface seenSurface(const RenderScene& scene, const Ray& ray, float u)
{
    Three t{infinity, infinity, infinity};
    if (scene.volume != nullptr) {
        const Ray inVolume{scene.volume->toIndex(ray.origin), ray.direction, ray.time};
        t = distancesOf(collisionDepths(u), *scene.volume, inVolume);
        for (float& distance : t) distance *= scene.volume->voxelSize_m();
    }
    const auto [before, seenAt, beyond] = t;
    SurfaceHit hit;
    if (scene.surfaces != nullptr && scene.surfaces->intersect(ray, seenAt, hit))
        return hit.is_holdout ? SeenSurface{} : seenBody(scene, ray, hit);
    if (scene.volume == nullptr || seenAt == infinity) return {};
    const Vec3f point = ray.at(seenAt);
    SeenSurface seen{true, snowNormal(*scene.volume, point), scene.medium.albedoAt(point)};
    seen.lit = litSnow(scene, ray, before, beyond);
    findMirrored(scene, ray, seenAt, seen);
    return seen;
}

}  // namespace firn
