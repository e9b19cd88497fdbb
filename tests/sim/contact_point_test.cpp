// The law of contact at one point: how fast snow may approach, what impulses push, and Coulomb's bound.

#include "sim/contact_point.h"

#include <catch2/catch.hpp>

using namespace firn;

namespace {

/// On a floor that is at rest, with A = 2 / kg.
ContactPoint onFloor(float friction)
{
    ContactPoint point;
    point.normal = Vec3f::UnitY();
    point.friction = friction;
    point.response = 2;
    return point;
}

}  // namespace

TEST_CASE("A particle may close its gap in a step, and is pushed back slowly below it")
{
    CHECK(leastSpeed(2e-3, false, 1e-3) == Approx(-2));
    CHECK(leastSpeed(-1e-3, false, 1e-3) == Approx(0.1));  // a tenth of the gap
    CHECK(leastSpeed(-1, false, 1e-3) == 1);               // not faster than 1 m/s
    CHECK(leastSpeed(2e-3, true, 1e-3) == Approx(-0.2));   // what sticks is drawn back
}

TEST_CASE("Contact pushes, and its friction is at most mu times the push")
{
    const ContactPoint point = onFloor(0.5f);
    CHECK(admissible(point, Vec3f(1, -1, 0)).isZero(0));
    CHECK((admissible(point, Vec3f(0.3f, 1, 0)) - Vec3f(0.3f, 1, 0)).norm() < 1e-6f);
    CHECK((admissible(point, Vec3f(3, 1, 4)) - Vec3f(0.3f, 1, 0.4f)).norm() < 1e-6f);
    ContactPoint sticky = point;
    sticky.sticks = true;
    CHECK(admissible(sticky, Vec3f(1, -1, 0)) == Vec3f(1, -1, 0));
}

TEST_CASE("Adhesion pulls up to its bound, and adds to what friction grows with")
{
    ContactPoint point = onFloor(0.5f);
    point.pull = 2;
    CHECK((admissible(point, Vec3f(0, -1, 0)) - Vec3f(0, -1, 0)).norm() < 1e-6f);
    CHECK((admissible(point, Vec3f(3, -1, 4)) - Vec3f(0.3f, -1, 0.4f)).norm() < 1e-6f);
    CHECK((admissible(point, Vec3f(3, -5, 4)) - Vec3f(0, -2, 0)).norm() < 1e-6f);
    point.impulse = Vec3f(0, -2, 0);
    CHECK(resistance(point, Vec3f(1, 1, 1)).isZero(0));  // it yields
    point.impulse = Vec3f(0, -1, 0);
    CHECK(resistance(point, Vec3f(0, 1, 0)).y() > 0);
}

TEST_CASE("Repeated corrections of one point stop it, but for the softness")
{
    // The velocity v + A J ends where n . u = -0.5 A J_n: of an approach of 3 m/s, 1 m/s is left. Friction of 4 stops
    // the tangential velocity; friction of 0.5 takes 0.5 * 2 m/s from it.
    for (const float friction : {4.f, 0.5f}) {
        ContactPoint point = onFloor(friction);
        const Vec3f before(1.5f, -3, 0);
        Vec3f v = before;
        for (int sweep = 0; sweep < 60; ++sweep) {
            point.impulse = improved(point, v);
            v = before + point.response * point.impulse;
        }
        CHECK(v.y() == Approx(-1).epsilon(1e-4));
        CHECK(v.x() == Approx(friction > 1 ? 0 : 0.5).margin(1e-4));
    }
}

TEST_CASE("A point that leaves gets no impulse")
{
    ContactPoint point = onFloor(0.5f);
    CHECK(improved(point, Vec3f(1, 2, 0)).isZero(0));
}

TEST_CASE("Resistance holds the normal of what slides, and all directions of what sticks")
{
    ContactPoint point = onFloor(0.5f);
    point.impulse = Vec3f(0.5f, 1, 0);
    CHECK((resistance(point, Vec3f(1, 1, 1)).cwiseProduct(Vec3f(1, 0, 1))).isZero(0));
    CHECK(resistance(point, Vec3f(1, 1, 1)).y() > 0);
    point.impulse = Vec3f(0.1f, 1, 0);
    CHECK(resistance(point, Vec3f(1, 0, 0)).x() == Approx(0.5));  // u / A
}
