// Contact at a point: Coulomb's law, velocities of moving surfaces, sticky bodies. One step of a rigid body is exact,
// also for rotations, so tolerances are those of double.

#include "sim/contact.h"

#include <catch2/catch.hpp>

#include "sim/near_cells.h"
#include "tests/common/body/pulsing_sphere.h"
#include "tests/sim/snow_scene.h"

using namespace firn;

namespace {

/// Velocity after contact with the scene's bodies, for a step that begins at time t.
Vec3d afterContact(const Scene& scene, double t, double dt, const Vec3d& x, const Vec3d& v)
{
    Contact contact(makeBodies(scene), scene.solver.dx);
    contact.place(t, dt);
    return contact.collide(contact.near(x, 0), x, v);
}

Body pulsing(const std::shared_ptr<const PulsingSphere>& ball)
{
    Body body;
    body.pieces = {ball};
    return body;
}

}  // namespace

TEST_CASE("Coulomb friction: separating, sticking and sliding")
{
    const Vec3d n = Vec3d(1, 2, 2) / 3, t = Vec3d(2, -2, 1) / 3;  // orthonormal
    // v.n >= 0: nothing happens
    CHECK(coulomb(0.5 * n + 2 * t, n, 0.4) == Vec3d(0.5 * n + 2 * t));
    // |v_t| = 1 <= mu |v_n| = 0.6 * 2: sticks
    CHECK(coulomb(-2 * n + 1 * t, n, 0.6).norm() == 0);
    // |v_t| = 3 > 0.6 * 2: slides on with 3 - 1.2 = 1.8
    CHECK((coulomb(-2 * n + 3 * t, n, 0.6) - 1.8 * t).norm() < 1e-14);
    // no friction: the normal part alone goes
    CHECK((coulomb(-2 * n + 3 * t, n, 0) - 3 * t).norm() < 1e-14);
    // head on: rest
    CHECK(coulomb(-2 * n, n, 0).norm() < 1e-15);
}

TEST_CASE("Friction never turns a velocity round nor adds to it")
{
    const Vec3d n = Vec3d::UnitY();
    for (const double mu : {0.0, 0.3, 1.0, 10.0})
        for (const double vn : {-5.0, -1.0, -1e-3, 0.0, 1.0})
            for (const double vt : {0.0, 1e-3, 1.0, 5.0}) {
                const Vec3d v(vt, vn, 0), after = coulomb(v, n, mu);
                CHECK(after.x() >= 0);
                CHECK(after.x() <= vt);
                CHECK(after.y() >= 0);  // never into the surface
            }
}

TEST_CASE("Matter outside a body is left alone, matter inside takes part in contact")
{
    Scene scene = emptyScene(0.02);
    scene.bodies = {plane(Vec3d(0, 1, 0), Vec3d::UnitY(), 0)};
    const Vec3d v(1, -2, 3);
    CHECK(afterContact(scene, 0, 1e-3, Vec3d(0, 1.001, 0), v) == v);
    CHECK((afterContact(scene, 0, 1e-3, Vec3d(0, 0.999, 0), v) - Vec3d(1, 0, 3)).norm() < 1e-14);
}

TEST_CASE("Sticky bodies take all relative velocity, also of what would leave")
{
    Scene scene = emptyScene(0.02);
    scene.bodies = {plane(Vec3d::Zero(), Vec3d::UnitY(), 0)};
    scene.bodies[0].sticky = true;
    CHECK(afterContact(scene, 0, 1e-3, Vec3d(0, -0.001, 0), Vec3d(1, -2, 3)).norm() == 0);
    CHECK(afterContact(scene, 0, 1e-3, Vec3d(0, -0.001, 0), Vec3d(1, 2, 3)).norm() == 0);
}

TEST_CASE("Of a node's freedom a slip takes the normal, an edge leaves the line along both surfaces, a corner nothing")
{
    Scene scene = emptyScene(0.02);
    scene.bodies = {plane(Vec3d::Zero(), Vec3d::UnitX(), 0), plane(Vec3d::Zero(), Vec3d::UnitY(), 0),
                    plane(Vec3d::Zero(), Vec3d::UnitZ(), 0), plane(Vec3d(0, -1, 0), Vec3d::UnitY(), 0)};
    Contact contact(makeBodies(scene), scene.solver.dx);
    contact.place(0, 1e-3);
    const auto hold = [&](const Vec3d& x, const Vec3d& v) {
        Hold found;
        contact.collide(contact.near(x, 0), x, v, &found);
        return found;
    };
    const Vec3d v(-1, -2, -3);
    CHECK(hold(Vec3d(1, 1, 1), v).kind == Hold::Kind::Free);
    CHECK(hold(Vec3d(-1, 1, 1), -v).kind == Hold::Kind::Free);  // it leaves
    CHECK(hold(Vec3d(-1, 1, 1), v).kind == Hold::Kind::Slip);
    CHECK(hold(Vec3d(-1, 1, 1), v).direction == Vec3d::UnitX());
    CHECK(hold(Vec3d(-1, 1, 1), Vec3d(-1, 0, 0)).kind == Hold::Kind::Slip);  // head on, without friction
    CHECK(hold(Vec3d(1, -2, 1), v).kind == Hold::Kind::Slip);                // in two bodies with the same normal
    CHECK(hold(Vec3d(-1, 1, -1), v).kind == Hold::Kind::Edge);
    CHECK(std::abs(hold(Vec3d(-1, 1, -1), v).direction.y()) == 1);
    CHECK(hold(Vec3d(-1, -0.5, -1), v).kind == Hold::Kind::Stick);
    for (const double friction : {0.9, 4.0}) {  // |v_t| = sqrt(13) against 0.9 and 4
        scene.bodies[0].friction = friction;
        contact = Contact(makeBodies(scene), scene.solver.dx);
        contact.place(0, 1e-3);
        CHECK(hold(Vec3d(-1, 1, 1), v).kind == (friction > 1 ? Hold::Kind::Stick : Hold::Kind::Slip));
    }
}

TEST_CASE("A turning body's surface moves with omega x r")
{
    // 90 degrees in 1 s about z: omega = pi / 2. Over a step the displacement of the point that arrives at x is exact:
    // its velocity is (x - R(-omega dt) x) / dt, which is omega x r (1 + O(omega dt)).
    Scene scene = emptyScene(0.02);
    scene.bodies = {box(Vec3d::Zero(), Vec3d(2, 2, 2), 0)};
    scene.bodies[0].sticky = true;
    BodyKey end;
    end.time_s = 1;
    end.rotation_deg = Vec3d(0, 0, 90);
    scene.bodies[0].keys = {BodyKey(), end};
    const double omega = pi / 2, dt = 1e-4;
    const Vec3d x(0.5, 0.3, 0.1);
    const Vec3d found = afterContact(scene, 0.25, dt, x, Vec3d(7, -3, 1));
    const Vec3d from = Eigen::AngleAxisd(-omega * dt, Vec3d::UnitZ()) * x;
    CHECK((found - (x - from) / dt).norm() < 1e-10);  // differences of numbers near 1 over dt = 1e-4
    CHECK((found - omega * Vec3d::UnitZ().cross(x)).norm() < omega * omega * x.norm() * dt);
}

TEST_CASE("Friction acts on the velocity relative to a moving body")
{
    // A floor that moves with 3 m/s along x: snow with (1, -2, 0) has relative velocity (-2, -2, 0); mu = 0.5 takes 1
    // of the tangential 2, so it leaves with 3 - 1 = 2 m/s.
    Scene scene = emptyScene(0.02);
    scene.bodies = {box(Vec3d::Zero(), Vec3d(100, 1, 100), 0.5)};
    BodyKey end;
    end.time_s = 1;
    end.position = Vec3d(3, 0, 0);
    scene.bodies[0].keys = {BodyKey(), end};
    const Vec3d found = afterContact(scene, 0.5, 1e-3, Vec3d(1.5, 0.499, 0), Vec3d(1, -2, 0));
    CHECK((found - Vec3d(2, 0, 0)).norm() < 1e-9);
}

TEST_CASE("The fastest point of a body limits the step: translation plus rotation times radius")
{
    // Box of edge 2: corners at sqrt(3) from the centre; 90 degrees per second about z and 3 m/s along x: the bound is
    // 3 + pi / 2 sqrt(3)
    Scene scene = emptyScene(0.02);
    scene.bodies = {box(Vec3d::Zero(), Vec3d(2, 2, 2), 0)};
    BodyKey end;
    end.time_s = 1;
    end.rotation_deg = Vec3d(0, 0, 90);
    end.position = Vec3d(3, 0, 0);
    scene.bodies[0].keys = {BodyKey(), end};
    const Contact contact(makeBodies(scene), 0.02);
    CHECK(contact.maxBodySpeed(0.5) == Approx(3 + pi / 2 * std::sqrt(3.0)).epsilon(1e-5));
    CHECK(contact.maxBodySpeed(2) == 0);  // after its last key it rests
}

TEST_CASE("A body that deforms carries snow with the velocity of its surface, and its friction differs by place")
{
    // The radius grows from r0 to r1 over the step, so matter at the surface has the radial velocity (r1 - r0) / dt.
    const auto ball = std::make_shared<PulsingSphere>(Vec3d(1, 2, 3), 0.5, 0.2);
    const double t = 0.1, dt = 1e-3, r0 = ball->radius(t), r1 = ball->radius(t + dt);
    Contact contact({pulsing(ball)}, 0.02);
    contact.place(t, dt);
    const Vec3d v(0.3, -0.2, 0.1);
    for (const Vec3d& direction : {Vec3d(1, -2, 2).normalized(), Vec3d(1, 2, 2).normalized()}) {
        const Vec3d x = Vec3d(1, 2, 3) + r1 * (1 - 1e-12) * direction, surface = (r1 - r0) / dt * direction;
        const Vec3d found = contact.collide(contact.near(x, 0), x, v);
        if (direction.y() < 0)
            CHECK((found - surface).norm() < 1e-9);  // sticky
        else
            CHECK((found - (v - v.dot(direction) * direction + surface)).norm() < 1e-9);  // takes the normal part alone
    }
    // The surface was at r0 when the step began: matter there is inside now, matter outside r1 is left alone.
    const Vec3d inside = Vec3d(1, 2 - r0, 3), outside = Vec3d(1, 2 - r1 - 1e-6, 3);
    CHECK(contact.immersion(contact.near(inside, 0), inside).depth == Approx(r1 - r0));
    CHECK(contact.collide(contact.near(outside, 1e-3), outside, v) == v);
    CHECK(contact.maxBodySpeed(t) >= (r1 - r0) / dt);
    CHECK(contact.maxBodySpeed(t) == Approx((r1 - r0) / dt).epsilon(0.02));
}

TEST_CASE("A ground that moves is near snow that lies far from the ground's origin too")
{
    // The plane y = t at x = 50 m: 2500 cells of 2 cm. Tiles reach a cell beyond the leaf of 8 cells.
    Scene scene = emptyScene(0.02);
    scene.bodies = {plane(Vec3d::Zero(), Vec3d::UnitY(), 0.5)};
    BodyKey end;
    end.time_s = 1;
    end.position = Vec3d(0, 1, 0);
    scene.bodies[0].keys = {BodyKey(), end};
    Contact contact(makeBodies(scene), 0.02);
    contact.place(0, 1e-3);
    CHECK(contact.movingNearTile(Vec3i(2500, 0, 0)));
    CHECK_FALSE(contact.movingNearTile(Vec3i(2500, 40, 0)));
}

TEST_CASE("No snow shoots out beside a body that is pressed in and lifted")
{
    // The box moves with 0.55 m/s. Were the impulses that hold nodes inside the body given to particles in every step,
    // they would leave along its sides with 14 m/s.
    Scene scene = emptyScene(0.02);
    scene.solver.transfer = GENERATE(Transfer::AffineFlip, Transfer::Apic);
    scene.solver.gravity = Vec3d(0, -9.81, 0);
    scene.snow = {snowBox(Vec3d(-0.12, 0, -0.12), Vec3d(0.12, 0.2, 0.12))};
    scene.bodies = {plane(Vec3d::Zero(), Vec3d::UnitY(), 0.5), box(Vec3d::Zero(), Vec3d(0.12, 0.1, 0.12), 0.3)};
    BodyKey above, in, out;
    above.position = out.position = Vec3d(0, 0.26, 0);
    in.position = Vec3d(0, 0.15, 0);
    in.time_s = 0.2;
    out.time_s = 0.4;
    scene.bodies.back().keys = {above, in, out};
    setFrameSeconds(scene, 0.05);
    Simulation simulation(scene);
    for (int frame = 0; frame < 8; ++frame) {
        simulation.advanceFrame(nullptr);
        CHECK(simulation.stats().max_speed_m_s < 1.5 * 0.55);
    }
}

TEST_CASE("Snow that is caught where two bodies meet is reported with its mass and held without harm")
{
    // Two boxes close over a slab of snow until they overlap: there is no place that both leave to the snow.
    constexpr double dx = 0.024;
    Scene scene = emptyScene(dx);
    scene.solver.gravity = Vec3d(0, -9.81, 0);
    scene.snow = {snowBox(Vec3d(-0.06, 0, -0.06), Vec3d(0.06, 0.1, 0.06))};
    BodySpec press = box(Vec3d::Zero(), Vec3d(1, 0.2, 1), 0.5);
    press.keys = {{0, Vec3d(0, 0.21, 0), Vec3d::Zero(), Easing::Linear},
                  {0.1, Vec3d(0, 0.06, 0), Vec3d::Zero(), Easing::Linear}};
    scene.bodies = {box(Vec3d(0, -0.1, 0), Vec3d(1, 0.2, 1), 0.5), press};
    setFrameSeconds(scene, 0.05);
    Simulation simulation(scene);
    CHECK(simulation.stats().diagnostics.caught_kg.empty());
    advanceFrames(simulation, 3);
    const auto& caught = simulation.stats().diagnostics.caught_kg;
    double mass = 0;
    for (const auto& [bodies, kg] : caught) {
        CHECK((bodies == std::array<int, 2>{0, 1} || bodies == std::array<int, 2>{1, 0}));
        mass += kg;
    }
    CHECK(mass > 0.9 * 400 * 0.12 * 0.12 * 0.1);  // the plates overlap by two cells, and are wider than the snow
    CHECK(simulation.stats().max_speed_m_s < 10);
}

TEST_CASE("A cell is near a piece if a particle in it can be, and most cells are not")
{
    constexpr double h = 0.1, reach = 0.08;
    Scene scene = emptyScene(h);
    scene.bodies = {box(Vec3d(0.9, 0.7, 0.3), Vec3d(0.5, 0.3, 0.4), 0.5)};
    const Contact contact(makeBodies(scene), h);
    const Vec3i origin(0, 8, -8);
    NearPieces near(contact, origin, h, reach);
    REQUIRE(near.any());
    int nearCells = 0;
    for (int cell = 0; cell < 512; ++cell) {
        const bool isNear = near.of(cell) == std::vector<int>{0};
        nearCells += isNear;
        const Vec3d corner = (origin + Vec3i(1 + (cell >> 6), 1 + (cell >> 3 & 7), 1 + (cell & 7))).cast<double>();
        for (int place = 0; place < 125; ++place) {
            const Vec3i quarter(place / 25, place / 5 % 5, place % 5);
            const Vec3d x = (corner + quarter.cast<double>() / 4) * h;
            Surface surface;
            if (contact.distanceWithin(0, x, reach, surface)) CHECK(isNear);
        }
    }
    CHECK(nearCells > 0);
    CHECK(nearCells < 128);
}
