#include <catch2/catch.hpp>
#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "common/body/mesh.h"
#include "common/body/shapes.h"

using namespace firn;

namespace {

double phi(const Shape& shape, const Vec3d& p)
{
    Vec3d gradient;
    return shape.distance(p, gradient);
}

std::vector<std::shared_ptr<const Shape>> solids()
{
    return {
        makeBox(Vec3d(1, 2, 3), 0), makeBox(Vec3d(1, 2, 3), 0.25),   makeBox(Vec3d(1, 1, 1), 0.5),     makeSphere(0.7),
        makeCapsule(0.3, 1.5),      makeTaperedCapsule(0.5, 0.2, 1), makeTaperedCapsule(0.2, 0.4, 0.7)};
}

}  // namespace

TEST_CASE("distances to the analytic shapes are those of school geometry", "[body]")
{
    // Plane with normal (3, 0, 4) / 5: the point (0, 0, 5) is 4 above it.
    CHECK(phi(*makePlane(Vec3d(3, 0, 4)), Vec3d(0, 0, 5)) == Approx(4));
    // Box of edges 2, 4, 6: from (4, 6, 3) to the edge at (1, 2): a 3-4-5 triangle. Inside at (0.5, 0, 0): 0.5 deep.
    const auto box = makeBox(Vec3d(2, 4, 6), 0);
    CHECK(phi(*box, Vec3d(4, 6, 3)) == Approx(5));
    CHECK(phi(*box, Vec3d(0.5, 0, 0)) == Approx(-0.5));
    // Rounding 0.5 keeps the faces and cuts the edge: the round's axis is at (0.5, 1.5), so from (4, 6, 0) it is
    // hypot(3.5, 4.5) - 0.5.
    const auto rounded = makeBox(Vec3d(2, 4, 6), 0.5);
    CHECK(phi(*rounded, Vec3d(2, 0, 0)) == Approx(1));
    CHECK(phi(*rounded, Vec3d(4, 6, 0)) == Approx(std::hypot(3.5, 4.5) - 0.5));
    CHECK(phi(*makeSphere(2), Vec3d(3, 0, 4)) == Approx(3));
    // Capsule with caps at y = +-1: (3, 5, 0) is 5 from the upper centre; (2, 0.5, 0) is 2 from the axis.
    const auto capsule = makeCapsule(0.5, 2);
    CHECK(phi(*capsule, Vec3d(3, 5, 0)) == Approx(4.5));
    CHECK(phi(*capsule, Vec3d(2, 0.5, 0)) == Approx(1.5));
    // Balls of 0.9 at y = -0.5 and 0.3 at y = 0.5: the slant is sin a = 0.6, so the side's normal is (0.8, 0.6) and the
    // point 1 m out along it from the middle of the axis, where the radius is 0.6, is 0.4 away.
    CHECK(phi(*makeTaperedCapsule(0.9, 0.3, 1), Vec3d(0, 0.6, 0.8)) == Approx(0.4));
    CHECK(phi(*makeTaperedCapsule(0.9, 0.3, 1), Vec3d(0, 2, 0)) == Approx(1.2));
}

TEST_CASE("the gradient of the distance has length one and equals its finite difference", "[body]")
{
    std::mt19937 random(7);
    std::uniform_real_distribution<double> coordinate(-2.5, 2.5);
    for (const auto& shape : solids()) {
        int compared = 0;
        for (int i = 0; i < 500; ++i) {
            const Vec3d p(coordinate(random), coordinate(random), coordinate(random));
            const double step = 1e-5;
            Vec3d gradient, finite;
            shape->distance(p, gradient);
            CHECK(gradient.norm() == Approx(1));
            for (int a = 0; a < 3; ++a)
                finite[a] =
                    (phi(*shape, p + step * Vec3d::Unit(a)) - phi(*shape, p - step * Vec3d::Unit(a))) / (2 * step);
            if (finite.norm() < 0.99) continue;  // the difference straddles the medial axis
            CHECK((gradient - finite).norm() < 1e-4);
            ++compared;
        }
        CHECK(compared > 450);
    }
}

TEST_CASE("every solid's mesh is closed, faces outwards and lies on its surface", "[body]")
{
    for (const auto& shape : solids()) {
        const TriangleMesh mesh = shape->mesh();
        CHECK(findDefects(mesh).none());
        CHECK(signedVolume(mesh) > 0);
        double worst = 0;
        for (const Vec3f& v : mesh.vertices) worst = std::max(worst, std::abs(phi(*shape, v.cast<double>())));
        CHECK(worst < 1e-6);  // float coordinates of about 1 m
        for (const Vec3i& t : mesh.triangles) {
            const Vec3d a = mesh.vertices[t[0]].cast<double>(), b = mesh.vertices[t[1]].cast<double>(),
                        c = mesh.vertices[t[2]].cast<double>();
            Vec3d outward;
            shape->distance((a + b + c) / 3, outward);
            REQUIRE((b - a).cross(c - a).dot(outward) > 0);
        }
    }
    // Inscribed polyhedra of a curved solid stay within a percent of its volume.
    CHECK(signedVolume(makeSphere(0.7)->mesh()) == Approx(4 * pi / 3 * 0.343).epsilon(0.01));
    CHECK(signedVolume(makeBox(Vec3d(1, 2, 3), 0)->mesh()) == Approx(6));
}

TEST_CASE("bounds enclose the solid and touch it on all six sides", "[body]")
{
    CHECK(makeCapsule(0.3, 1.5)->bounds().isApprox(Box3d(Vec3d(-0.3, -1.05, -0.3), Vec3d(0.3, 1.05, 0.3))));
    CHECK(makeBox(Vec3d(1, 2, 3), 0.25)->bounds().isApprox(Box3d(Vec3d(-0.5, -1, -1.5), Vec3d(0.5, 1, 1.5))));
    CHECK(makePlane(Vec3d::UnitY())->bounds().contains(Vec3d(1e9, -1e9, 0)));
}
