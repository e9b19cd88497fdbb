#include <catch2/catch.hpp>
#include <cmath>

#include "common/body/motion.h"

using namespace firn;

namespace {

BodyKey key(double time_s, const Vec3d& position, const Vec3d& rotation_deg, Easing ease = Easing::Linear)
{
    return {time_s, position, rotation_deg, ease};
}

double angleBetween(const Quatd& a, const Quatd& b) { return a.angularDistance(b) * 180 / pi; }

}  // namespace

TEST_CASE("Euler angles turn about the fixed axes x, then y, then z", "[body]")
{
    // e_y -> (90 deg about x) e_z -> (90 deg about y) e_x -> (90 deg about z) e_y.
    CHECK((rotationFromEuler(Vec3d(90, 90, 90)) * Vec3d::UnitY() - Vec3d::UnitY()).norm() < 1e-12);
    CHECK((rotationFromEuler(Vec3d(90, 90, 0)) * Vec3d::UnitY() - Vec3d::UnitX()).norm() < 1e-12);
}

TEST_CASE("easing goes from 0 to 1 with the slopes that its name says", "[body]")
{
    for (const Easing ease : {Easing::Linear, Easing::Smooth, Easing::In, Easing::Out, Easing::Step}) {
        CHECK(eased(ease, 0) == 0);
        CHECK(eased(ease, 1) == 1);
    }
    CHECK(eased(Easing::Linear, 0.25) == Approx(0.25));
    CHECK(eased(Easing::Smooth, 0.25) == Approx(0.15625));  // 3/16 - 2/64
    CHECK(eased(Easing::In, 0.25) == Approx(0.0625));
    CHECK(eased(Easing::Out, 0.25) == Approx(0.4375));  // 1 - 0.75^2
    CHECK(eased(Easing::Step, 0.999) == 0);
}

TEST_CASE("a keyframed body is held before the first key and after the last, and between them goes by slerp", "[body]")
{
    const auto motion =
        makeKeyframeMotion({key(1, Vec3d(0, 0, 0), Vec3d(0, 0, 0)), key(3, Vec3d(4, 0, 0), Vec3d(0, 90, 0)),
                            key(4, Vec3d(4, 2, 0), Vec3d(30, 90, 60))});
    CHECK(motion->pose(-5).translation == Vec3d(0, 0, 0));
    CHECK(motion->pose(99).translation == Vec3d(4, 2, 0));
    CHECK(angleBetween(motion->pose(99).rotation, rotationFromEuler(Vec3d(30, 90, 60))) < 1e-9);
    // A quarter of the way: 1 m and 22.5 degrees.
    CHECK(motion->pose(1.5).translation.x() == Approx(1));
    CHECK(angleBetween(motion->pose(1.5).rotation, rotationFromEuler(Vec3d(0, 22.5, 0))) < 1e-9);
    // Several axes at once: slerp of the two keys' rotations.
    const Quatd a = rotationFromEuler(Vec3d(0, 90, 0)), b = rotationFromEuler(Vec3d(30, 90, 60));
    CHECK(angleBetween(motion->pose(3.3).rotation, a.slerp(0.3, b)) < 1e-6);
    CHECK_FALSE(motion->isStatic());
    CHECK(makeKeyframeMotion({key(0, Vec3d(1, 2, 3), Vec3d(4, 5, 6))})->isStatic());
}

TEST_CASE("keys that differ in one angle turn by that angle, a wheel's many turns included", "[body]")
{
    const Vec3d tilted(20, 0, 35);
    const auto motion = makeKeyframeMotion({key(0, Vec3d::Zero(), tilted), key(1, Vec3d::Zero(), Vec3d(20, 720, 35))});
    for (const double t : {0.1, 0.37, 0.8})
        CHECK(angleBetween(motion->pose(t).rotation, rotationFromEuler(Vec3d(20, 720 * t, 35))) < 1e-6);
    const auto rolled = makeKeyframeMotion({key(0, Vec3d::Zero(), tilted), key(1, Vec3d::Zero(), Vec3d(-400, 0, 35))});
    CHECK(angleBetween(rolled->pose(0.5).rotation, rotationFromEuler(Vec3d(-190, 0, 35))) < 1e-6);
}

TEST_CASE("a step's velocity is the exact displacement of the material point, rotation included", "[body]")
{
    // A quarter turn about y with a shift of (1, 0, 0): the material point (1, 0, 0) of the body goes from (1, 0, 0)
    // to (0, 0, -1) + (1, 0, 0) = (1, 0, -1); over 0.5 s that is (0, 0, -2) m/s.
    const Pose a, b{rotationFromEuler(Vec3d(0, 90, 0)), Vec3d(1, 0, 0)};
    CHECK((velocityAt(a, b, 0.5, Vec3d(1, 0, -1)) - Vec3d(0, 0, -2)).norm() < 1e-12);
    // For a small step it tends to v + omega x r: omega = 2 rad/s about z, v = (0, 3, 0), r = (0.5, 0, 0).
    const double dt = 1e-6;
    const Pose later{Quatd(Eigen::AngleAxisd(2 * dt, Vec3d::UnitZ())), Vec3d(0, 3 * dt, 0)};
    CHECK((velocityAt(a, later, dt, Vec3d(0.5, 0, 0)) - Vec3d(0, 4, 0)).norm() < 1e-5);
}
