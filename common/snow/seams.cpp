#include "common/snow/seams.h"

#include <algorithm>

#include "common/snow/noise.h"

namespace firn {

namespace {

constexpr double leastWidthOfDx = 1, leastSizeOfDx = 4;
constexpr double jitter = 0.8;                // of the centres in their cubes
constexpr double warp = 0.2, warpSize = 0.7;  // of the borders, in units of the cells

Vec3d centreIn(int seed, const Vec3i& cube)
{
    Vec3d place;
    for (int a = 0; a < 3; ++a) place[a] = cube[a] + 0.5 + jitter * (uniformAt(seed, cube, a) - 0.5);
    return place;
}

template <class F>
void forEachCubeAround(const Vec3d& x, int reach, const F& f)
{
    const Vec3i middle = x.array().floor().cast<int>();
    for (int i = -reach; i <= reach; ++i)
        for (int j = -reach; j <= reach; ++j)
            for (int k = -reach; k <= reach; ++k) f(Vec3i(middle + Vec3i(i, j, k)));
}

/// Bends the flat borders.
Vec3d warped(int seed, const Vec3d& x)
{
    Vec3d shift;
    for (int a = 0; a < 3; ++a) shift[a] = gradientNoise(seed + 101 * (a + 1), x / warpSize);
    return x + warp * shift;
}

}  // namespace

bool hasVariedStrength(const Scene& scene)
{
    return std::any_of(scene.snow.begin(), scene.snow.end(),
                       [](const SnowRegion& region) { return !region.still && hasVariedStrength(region); });
}

SnowSeams carriedBy(double dx, const SnowSeams& seams)
{
    SnowSeams result = seams;
    if (seams.size_m == 0) return result;
    result.size_m = std::max(seams.size_m, leastSizeOfDx * dx);
    result.width_m = std::max(seams.width_m, leastWidthOfDx * dx);
    return result;
}

double borderDistance(int seed, const Vec3d& x)
{
    Vec3d nearest = Vec3d::Zero();
    double least2 = 1e30;
    forEachCubeAround(x, 1, [&](const Vec3i& cube) {
        const Vec3d centre = centreIn(seed, cube);
        const double distance2 = (centre - x).squaredNorm();
        if (distance2 >= least2) return;
        least2 = distance2;
        nearest = centre;
    });
    double distance = 1e30;  // to the plane halfway between the nearest centre and another one
    forEachCubeAround(nearest, 2, [&](const Vec3i& cube) {
        const Vec3d between = centreIn(seed, cube) - nearest;
        const double apart = between.norm();
        if (apart < 1e-6) return;
        distance = std::min(distance, ((nearest + centreIn(seed, cube)) / 2 - x).dot(between) / apart);
    });
    return distance;
}

double seamStrength(const SnowSeams& seams, const Vec3d& x)
{
    if (seams.size_m == 0) return 1;
    const double distance = seams.size_m * borderDistance(seams.seed, warped(seams.seed, x / seams.size_m));
    return 2 * distance < seams.width_m ? seams.strength : 1;
}

}  // namespace firn
