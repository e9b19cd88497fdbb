#include "common/body/root_path.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace firn;

namespace {

/// Points of a quarter of a circle of 4 m about (4, 0, 0), from the origin on, which begins along +z.
std::vector<Vec3d> quarterCircle(int count)
{
    std::vector<Vec3d> points;
    for (int k = 0; k < count; ++k) {
        const double angle = 0.5 * pi * k / (count - 1);
        points.emplace_back(4 - 4 * std::cos(angle), 0, 4 * std::sin(angle));
    }
    return points;
}

}  // namespace

TEST_CASE("A path is as long as its curve and goes through its points", "[body]")
{
    const SmoothPath path(quarterCircle(9));
    CHECK(path.length_m() == Approx(2 * pi).epsilon(2e-3));
    CHECK((path.at(0).position - Vec3d::Zero()).norm() < 1e-12);
    CHECK((path.at(path.length_m()).position - Vec3d(4, 0, 4)).norm() < 1e-12);
    for (int k = 0; k < 62; ++k) {
        const double s = 0.1 * k;
        CHECK((path.at(s).position - Vec3d(4, 0, 0)).norm() == Approx(4).epsilon(3e-3));
        const double angle = s / 4;
        CHECK((path.at(s).direction - Vec3d(std::sin(angle), 0, std::cos(angle))).norm() < 0.1);
    }
}

TEST_CASE("A path goes on straight before its first and after its last point", "[body]")
{
    const SmoothPath path({Vec3d(0, 0, 0), Vec3d(0, 0, 1), Vec3d(0, 1, 1)});
    const SmoothPath::Place first = path.at(0), before = path.at(-2);
    CHECK((before.position - (first.position - 2 * first.direction)).norm() < 1e-12);
    const SmoothPath::Place last = path.at(path.length_m()), after = path.at(path.length_m() + 3);
    CHECK((after.position - (last.position + 3 * last.direction)).norm() < 1e-12);
}

TEST_CASE("A walk along a straight path is a straight walk", "[body]")
{
    const Pose start{rotationFromEuler(Vec3d(0, 30, 0)), Vec3d(1, 2, 3)};
    const Vec3d velocity(0.9, 0, 1.2);
    const auto straight = makeStraightWalk(makeStaticMotion(start), velocity);
    const auto path = makePathWalk(makeStaticMotion(start), velocity, {Vec3d::Zero(), 2 * velocity, 5 * velocity});
    for (const double time_s : {-1., 0., 0.3, 2., 4.9, 8.}) {
        const Pose a = straight->pose(time_s), b = path->pose(time_s);
        CHECK((a.translation - b.translation).norm() < 1e-3);
        CHECK(a.rotation.angularDistance(b.rotation) < 1e-9);
    }
}

TEST_CASE("A walk begins and ends with its clip, and is at its start at time 0", "[body]")
{
    const Vec3d velocity(0, 0, 2);
    const auto distance = [&](const WalkTime& when, double time_s) {
        const Pose pose = makeStraightWalk(makeStaticMotion(Pose{}), velocity, when)->pose(time_s);
        const Pose path =
            makePathWalk(makeStaticMotion(Pose{}), velocity, {Vec3d::Zero(), Vec3d(0, 0, 9)}, when)->pose(time_s);
        CHECK((path.translation - pose.translation).norm() < 1e-9);
        return pose.translation.z();
    };
    CHECK(distance({-0.5, 1.5}, 1) == Approx(2));
    CHECK(distance({-0.5, 1.5}, 4) == Approx(3));
    CHECK(distance({-0.5, 1.5}, -4) == Approx(-1));
    CHECK(distance({-3, -1}, 4) == 0);
    CHECK(distance({1, 2}, 1.5) == Approx(1));
}

TEST_CASE("A walk along a curve keeps its speed and turns with the curve", "[body]")
{
    const auto walk = makePathWalk(makeStaticMotion(Pose{}), Vec3d(0, 0, 1.5), quarterCircle(9));
    for (int k = 1; k < 40; ++k) {
        const double time_s = 0.1 * k, step_s = 1e-3;
        const Pose before = walk->pose(time_s), after = walk->pose(time_s + step_s);
        const Vec3d velocity = (after.translation - before.translation) / step_s;
        CHECK(velocity.norm() == Approx(1.5).epsilon(0.01));
        CHECK((before.rotation * Vec3d::UnitZ() - velocity.normalized()).norm() < 0.02);
    }
}
