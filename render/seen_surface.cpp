#include "render/seen_surface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "render/glints.h"
#include "render/lit_share.h"
#include "render/matte.h"
#include "render/mirrored_light.h"
#include "render/optical_depth.h"
#include "render/tracking.h"
#include "render/water_film.h"

namespace firn {

namespace {

constexpr float seenDepth = 1;         // optical depth
constexpr float shareBefore = 0.632f;  // of first collisions, before seenDepth: 1 - exp(-seenDepth)

const std::uint32_t snowId = matteId(snowMatte);

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

/// Against the gradient of density after a Gaussian filter of 1.2 voxels. Differences along the axes depend on where
/// the surface lies between voxels, which a mirroring surface shows as contour lines.
Vec3f smoothNormal(const Volume& volume, const Vec3f& point)
{
    constexpr int reach = 2;
    constexpr std::array<float, reach + 1> weights{1, 0.70664828f, 0.24935221f};  // exp(-i^2 / (2 * 1.2^2))
    const auto weight = [&](int i) { return weights[static_cast<std::size_t>(std::abs(i))]; };
    Vec3f gradient = Vec3f::Zero();
    for (int x = -reach; x <= reach; ++x)
        for (int y = -reach; y <= reach; ++y)
            for (int z = -reach; z <= reach; ++z) {
                const Vec3f step = Vec3i(x, y, z).cast<float>();
                const float value = volume.extinction(point + volume.voxelSize_m() * step);
                gradient += weight(x) * weight(y) * weight(z) * value * step;
            }
    return -gradient.stableNormalized();
}

/// Where a ray that is seen to end in snow at `t` meets its border: where the extinction is half of that at `t`. Coarse
/// wet grains are seen to a depth of several voxels, but mirror light at the border.
float borderBefore(const Volume& volume, const Ray& ray, float t)
{
    constexpr int mostSteps = 24;
    const float half = 0.5f * volume.extinction(ray.at(t)), step = 0.5f * volume.voxelSize_m();
    float inside = t, value = 2 * half;
    for (int i = 0; i < mostSteps; ++i) {
        const float before = inside - step, next = volume.extinction(ray.at(before));
        if (next < half) return inside - step * (value - half) / (value - next);
        inside = before;
        value = next;
    }
    return inside;
}

/// The share of facets that glint where a film covers this share of the surface. By eye: slush has no glints, and snow
/// that thaws has few.
float glintingShare(float covered) { return std::max(0.0f, 1 - 1.6f * covered); }

/// What the surface of snow mirrors, whose border is at `t`. Water covers facets.
void findMirrored(const RenderScene& scene, const Ray& ray, float t, SeenSurface& seen)
{
    if (scene.glints == nullptr && scene.water_film == nullptr) return;
    const Vec3f place = ray.at(t);
    const float share = scene.water_film == nullptr ? 0 : scene.water_film->shareAt(place);
    const Vec3f normal = share > 0 ? smoothNormal(*scene.volume, place) : seen.normal;
    const SnowPoint point{place, place + 2 * scene.volume->voxelSize_m() * normal, normal, -ray.direction, t};
    GroupedLight glints = noLight(scene), gloss = noLight(scene);
    if (scene.glints != nullptr) glints = glintingShare(share) * scene.glints->byGroup(scene, point);
    if (share > 0) gloss = scene.water_film->byGroup(scene, point);
    seen.glints = glints.rowwise().sum();
    seen.gloss = gloss.rowwise().sum();
    if (scene.lights.hasGroups()) seen.of_groups = glints + gloss;
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
    const Vec3f place = ray.at(hit.t);
    const Vec3f above = place + hit.normal * (1e-5f + 0x1p-17f * place.cwiseAbs().maxCoeff());
    SeenSurface seen{true, hit.normal, hit.material.color};
    seen.place = above;
    seen.lit = litShare(scene, above, &hit.normal);
    return seen;
}

/// What a path along the ray meets first. `collision` is the distance of its first collision in snow.
std::uint32_t matteAt(const RenderScene& scene, const Ray& ray, float collision)
{
    SurfaceHit hit;
    if (scene.surfaces != nullptr && scene.surfaces->intersect(ray, collision, hit))
        return hit.is_holdout ? 0 : hit.matte;
    return collision == infinity ? 0 : snowId;
}

/// Another number that is spread evenly over the samples of a pixel, for up to 16 samples.
float reordered(float u)
{
    const float turned = 5 * u;
    return turned - std::floor(turned);
}

SeenSurface withoutMatte(const RenderScene& scene, const Ray& ray, const Three& t)
{
    const auto [before, seenAt, beyond] = t;
    SurfaceHit hit;
    if (scene.surfaces != nullptr && scene.surfaces->intersect(ray, seenAt, hit))
        return hit.is_holdout ? SeenSurface{} : seenBody(scene, ray, hit);
    if (scene.volume == nullptr || seenAt == infinity) return {};
    const float border = borderBefore(*scene.volume, ray, seenAt);
    SeenSurface seen{true, snowNormal(*scene.volume, ray.at(border)), scene.medium.albedoAt(ray.at(seenAt))};
    seen.place = ray.at(before);
    seen.lit = litSnow(scene, ray, before, beyond);
    findMirrored(scene, ray, border, seen);
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
    SeenSurface seen = withoutMatte(scene, ray, t);
    if (scene.has_mattes) seen.matte = matteAt(scene, ray, reordered(u) < shareBefore ? t[0] : t[2]);
    return seen;
}

}  // namespace firn
