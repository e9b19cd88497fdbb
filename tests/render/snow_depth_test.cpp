// How deep points lie in snow, and the bricks' values in all lanes.

#include "render/snow_depth.h"

#include <catch2/catch.hpp>
#include <functional>

#include "render/density_volume.h"
#include "render/sampler.h"
#include "render/wide_bricks.h"

using namespace firn;

namespace {

constexpr double voxel = 0.004;
constexpr float freePath = 0.002f;  // m

/// 16 x 16 x 16 voxels with corners at the origin and at 6.4 cm. `density(leaf)` is that of a leaf of 8^3 voxels.
Volume cube(const std::function<float(const Vec3i&)>& density)
{
    DensityGrid grid;
    grid.voxel_m = voxel;
    for (int i = 0; i < 8; ++i) grid.keys.push_back(leafKey(Vec3i(i & 1, i >> 1 & 1, i >> 2)));
    std::sort(grid.keys.begin(), grid.keys.end());
    for (const LeafKey key : grid.keys) {
        grid.leaves.emplace_back();
        grid.leaves.back().fill(density(leafOfKey(key)));
    }
    return volumeFromDensity(grid, 1 / static_cast<double>(freePath));
}

float depthAt(const SnowDepth& depth, const Vec3f& point)
{
    return depth.at(floats(point.x()), floats(point.y()), floats(point.z()), allLanes)[0];
}

/// A body that begins 1 cm above any point.
class Ceiling : public Surfaces {
public:
    bool intersect(const Ray&, float, SurfaceHit&) const override { return false; }
    bool occluded(const Ray&, float) const override { return false; }
    float clearance(const Vec3f&) const override { return 0.01f; }
};

}  // namespace

TEST_CASE("The depth in even snow is the distance to the nearest face in mean free paths")
{
    const Volume volume = cube([](const Vec3i&) { return 1.0f; });
    RenderScene scene;
    scene.volume = &volume;
    const SnowDepth depth(scene, 4, 5);
    // The first samples lie half a step inside, and density falls to zero over a voxel at a face.
    const double tolerance = voxel / static_cast<double>(freePath);
    for (const float d : {0.007f, 0.012f, 0.016f})
        for (const Vec3f& point : {Vec3f(d, 0.03f, 0.03f), Vec3f(0.03f, 0.064f - d, 0.03f), Vec3f(0.03f, 0.03f, d)})
            CHECK(depthAt(depth, point) == Approx(d / freePath).margin(tolerance));
    CHECK(depthAt(depth, Vec3f(-0.02f, 0.03f, 0.03f)) == 0);
    CHECK(depthAt(depth, Vec3f::Constant(0.032f)) == Approx(4 + 2 * 5));  // it is not measured farther
}

TEST_CASE("Thin snow around dense snow does not count, and a body ends the depth")
{
    const Volume volume = cube([](const Vec3i& leaf) { return leaf.x() == 0 ? 1.0f : 0.001f; });
    RenderScene scene;
    scene.volume = &volume;
    const SnowDepth depth(scene, 4, 100);
    CHECK(depthAt(depth, Vec3f(0.024f, 0.03f, 0.03f)) == Approx(0.008f / freePath).margin(2));
    const Ceiling ceiling;
    scene.surfaces = &ceiling;
    CHECK(depthAt(depth, Vec3f(0.016f, 0.03f, 0.03f)) == Approx(0.01f / freePath).epsilon(1e-3));
}

TEST_CASE("The values of bricks in all lanes are those of one point after the other")
{
    const Volume volume = cube([](const Vec3i& leaf) { return 1.0f + static_cast<float>(leaf.x() + 2 * leaf.y()); });
    const Bricks& bricks = volume.bricks();
    Sampler sampler(1, 0, 0);
    int inside = 0;
    for (int i = 0; i < 2000; ++i) {
        Vec3f p;
        for (int axis = 0; axis < 3; ++axis)
            p[axis] = static_cast<float>(bricks.cell_max[axis]) * (1.4f * sampler.uniform() - 0.2f);
        const Floats values = valuesAt(bricks, floats(p.x()), floats(p.y()), floats(p.z()), maskOf(allLanes & ~2U));
        const float expected = bricks.at(p);
        REQUIRE(values[0] == Approx(expected).epsilon(1e-5).margin(1e-6));
        REQUIRE(values[1] == 0);
        inside += expected > 0;
    }
    CHECK(inside > 200);
}
