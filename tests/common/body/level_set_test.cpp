#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "common/body/level_set.h"
#include "common/body/mesh.h"
#include "common/body/shapes.h"

using namespace firn;

TEST_CASE("the level set of a sphere's mesh is its distance to a tenth of a voxel", "[body]")
{
    // A sphere of radius 0.5 with facets of 2.25 degrees lies at most 0.5 (1 - cos 1.6 deg) = 0.2 mm inside; trilinear
    // interpolation of a distance with curvature 1/r adds about voxel^2 / (4 r) = 0.2 mm for voxels of 2 cm.
    const double voxel = 0.02;
    const auto shape = makeLevelSet(makeSphere(0.5)->mesh(), {voxel, 0.1, "sphere"});
    std::mt19937 random(3);
    std::uniform_real_distribution<double> coordinate(-0.6, 0.6);
    int inBand = 0;
    for (int i = 0; i < 20000; ++i) {
        const Vec3d p(coordinate(random), coordinate(random), coordinate(random));
        const double exact = p.norm() - 0.5;
        Vec3d gradient;
        const double phi = shape->distance(p, gradient);
        REQUIRE(gradient.norm() == Approx(1));
        if (exact < 0.1 && exact > -0.15) {
            ++inBand;
            REQUIRE(std::abs(phi - exact) < 0.1 * voxel);
            REQUIRE((gradient - p.normalized()).norm() <
                    0.15);  // slope error of about voxel / (2 r) per axis, r >= 0.35
        } else if (exact < 0) {
            REQUIRE(phi <= -0.1);  // deep inside: still negative
        } else {
            REQUIRE(phi >= 0.1);
        }
    }
    CHECK(inBand > 3000);
    Vec3d gradient;
    CHECK(shape->distance(Vec3d(0, 0, 0), gradient) <= -0.1);
    CHECK(shape->distance(Vec3d(100, -100, 3), gradient) >= 0.1);
    CHECK((gradient - Vec3d(100, -100, 3).normalized()).norm() < 0.01);
}

TEST_CASE("the gradient of a level set is that of its own interpolation", "[body]")
{
    const auto shape = makeLevelSet(makeBox(Vec3d(1, 0.6, 0.8), 0.1)->mesh(), {0.04, 0.12, "box"});
    std::mt19937 random(5);
    std::uniform_real_distribution<double> coordinate(-0.45, 0.45);
    int compared = 0;
    for (int i = 0; i < 2000; ++i) {
        const Vec3d p(coordinate(random), coordinate(random), coordinate(random));
        Vec3d gradient, ignored, finite;
        if (std::abs(shape->distance(p, gradient)) > 0.08) continue;
        const double step = 1e-7;
        bool sameCell = true;
        for (int a = 0; a < 3; ++a) {
            sameCell = sameCell && std::abs(std::remainder(p[a] / 0.04, 1.0)) > 1e-4;
            finite[a] = (shape->distance(p + step * Vec3d::Unit(a), ignored) -
                         shape->distance(p - step * Vec3d::Unit(a), ignored)) /
                        (2 * step);
        }
        if (!sameCell || finite.norm() < 0.5) continue;
        CHECK((gradient - finite.normalized()).norm() < 1e-4);
        ++compared;
    }
    CHECK(compared > 500);
}

TEST_CASE("a level set gives the mesh back that it was made from", "[body]")
{
    const TriangleMesh mesh = makeBox(Vec3d(1, 1, 1), 0)->mesh();
    const auto shape = makeLevelSet(mesh, {0.05, 0.2});
    CHECK(shape->mesh().triangles.size() == mesh.triangles.size());
    CHECK(shape->bounds().isApprox(Box3d(Vec3d::Constant(-0.5), Vec3d::Constant(0.5))));
}

TEST_CASE("a wall too thin for its voxels and a level set without end are refused", "[body]")
{
    // Voxels of 0.1 m whose nearest centres lie 0.05 m off a wall of 1 cm: nothing of it is left.
    TriangleMesh wall = makeBox(Vec3d(1, 1, 0.01), 0)->mesh();
    for (Vec3f& v : wall.vertices) v.z() += 0.05f;
    CHECK_THROWS_WITH(makeLevelSet(wall, {0.1, 0.3, "wall.obj"}),
                      Catch::Contains("wall.obj") && Catch::Contains("too thin") && Catch::Contains("voxel_m"));
    CHECK_THROWS_WITH(makeLevelSet(wall, {1e-5, 0.3, "wall.obj"}), Catch::Contains("larger voxel_m"));
}
