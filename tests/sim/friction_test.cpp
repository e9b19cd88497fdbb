// A block of elastic snow on a surface with Coulomb friction, against the rigid block of the textbook. The block is 16
// x 8 x 16 cells; gravity is turned instead of the plane. Where it says settled, the block has come to rest in
// equilibrium first, held by a sticky surface and damped by PIC; then the surface is exchanged. Released without that,
// an undamped block rings and hops on the slope, at the same speed for every h: that is the elastic body's doing.

#include <catch2/catch.hpp>

#include "tests/sim/snow_scene.h"

using namespace firn;

namespace {

constexpr double g = 9.81, h = 0.02;
const Vec3d blockSize(0.32, 0.16, 0.32);
constexpr int settlingFrames = 14;  // of 0.05 s

Scene blockOnPlane(double slope_deg, double friction)
{
    Scene scene = emptyScene(h);
    const double angle = slope_deg * pi / 180;
    scene.solver.plasticity = false;
    scene.solver.gravity = g * Vec3d(std::sin(angle), -std::cos(angle), 0);
    scene.snow = {snowBox(Vec3d::Zero(), blockSize)};
    scene.bodies = {plane(Vec3d::Zero(), Vec3d::UnitY(), friction)};
    setFrameSeconds(scene, 0.05);
    return scene;
}

/// The scene's snow at rest in equilibrium on its first body.
Checkpoint settled(Scene scene)
{
    const Transfer transfer = scene.solver.transfer;
    scene.bodies[0].sticky = true;
    scene.bodies[0].keys.clear();
    scene.solver.transfer = Transfer::Flip;
    scene.solver.flip_ratio = 0;
    Simulation simulation(scene);
    advanceFrames(simulation, settlingFrames);
    REQUIRE(simulation.stats().max_speed_m_s < 1e-3);
    return withColumnsFor(transfer, copyOf(simulation.checkpoint()));
}

/// Mean acceleration of a settled block down a 30 degree incline, from 0.05 s to 0.4 s after its release.
double acceleration(double friction)
{
    const Scene scene = blockOnPlane(30, friction);
    Simulation simulation(scene, settled(scene));
    advanceFrames(simulation, 1);
    const double before = meanVelocity(simulation.particleFrame()).x();
    advanceFrames(simulation, 7);
    return (meanVelocity(simulation.particleFrame()).x() - before) / 0.35;
}

}  // namespace

TEST_CASE("A block slides down 30 degrees with g (sin - mu cos)")
{
    // 9.81 (0.5 - 0.3 * 0.8660) = 2.35629 m/s^2 and 9.81 (0.5 - 0.5 * 0.8660) = 0.65715 m/s^2, each within 0.02 g
    CHECK(acceleration(0.3) == Approx(2.35629).margin(0.02 * g));
    CHECK(acceleration(0.5) == Approx(0.65715).margin(0.02 * g));
}

TEST_CASE("A settled block sticks on 30 degrees at mu = 1.15 tan 30: it creeps by less than 0.1 h per 0.1 s")
{
    const Scene scene = blockOnPlane(30, 1.15 * std::tan(pi / 6));
    Simulation simulation(scene, settled(scene));
    for (int tenth = 0; tenth < 4; ++tenth) {
        const double before = centerOfMass(simulation.particleFrame()).x();
        advanceFrames(simulation, 2);
        CHECK(std::abs(centerOfMass(simulation.particleFrame()).x() - before) <= 0.1 * h);
    }
}

TEST_CASE("A sliding block stops after v^2 / (2 mu g)")
{
    // 2 m/s, mu = 0.3: 4 / (2 * 0.3 * 9.81) = 0.6796 m after 0.68 s
    Scene scene = blockOnPlane(0, 0.3);
    Checkpoint start = settled(scene);
    const std::size_t count = start.blocks.at("J_P").size() / sizeof(float);
    for (std::size_t p = 0; p < count; ++p) setVelocity(start, "x", p, 2);
    Simulation simulation(scene, start);
    const double from = centerOfMass(simulation.particleFrame()).x();
    advanceFrames(simulation, 16);
    CHECK(std::abs(meanVelocity(simulation.particleFrame()).x()) < 0.02);
    CHECK(centerOfMass(simulation.particleFrame()).x() - from == Approx(0.6796).epsilon(0.03));
}

TEST_CASE("A moving plate carries a block that sticks to it by friction")
{
    // The plate speeds up over 0.2 s (u^2: a = 2 * 0.05 / 0.04 = 2.5 m/s^2 < mu g = 4.9 m/s^2) and goes on with 0.5
    // m/s.
    Scene scene = blockOnPlane(0, 0.5);
    scene.bodies = {box(Vec3d(0, -0.1, 0.16), Vec3d(2, 0.2, 1), 0.5)};
    const Checkpoint start = settled(scene);
    BodyKey rest, fast, end;
    rest.position = fast.position = end.position = scene.bodies[0].position;
    const double begin = settlingFrames * 0.05;  // the settled block's time
    rest.time_s = begin;
    rest.ease = Easing::In;
    fast.time_s = begin + 0.2;
    fast.position.x() += 0.05;
    end.time_s = begin + 1.2;
    end.position.x() += 0.55;
    scene.bodies[0].keys = {rest, fast, end};
    Simulation simulation(scene, start);
    advanceFrames(simulation, 8);
    const double before = centerOfMass(simulation.particleFrame()).x();
    advanceFrames(simulation, 8);
    const double speed = (centerOfMass(simulation.particleFrame()).x() - before) / 0.4;
    CHECK(speed == Approx(0.5).epsilon(1e-3));
}

TEST_CASE("A moving wall pushes a block in front of it and is hardly entered")
{
    // No friction: the block, hit by a wall with 0.5 m/s, leaves it or rides with it, never slower; speeding up from
    // rest over 0.2 s, it rides.
    Scene scene = blockOnPlane(0, 0);
    scene.bodies.push_back(box(Vec3d(-0.1, 0.2, 0.16), Vec3d(0.2, 0.6, 1), 0));
    const Checkpoint start = settled(scene);
    BodyKey rest, fast, end;
    rest.position = fast.position = end.position = scene.bodies[1].position;
    const double begin = settlingFrames * 0.05;
    rest.time_s = begin;
    rest.ease = Easing::In;
    fast.time_s = begin + 0.2;
    fast.position.x() += 0.05;
    end.time_s = begin + 1.2;
    end.position.x() += 0.55;
    scene.bodies[1].keys = {rest, fast, end};
    Simulation simulation(scene, start);
    double deepest = 0, sum = 0, entered = 0;
    for (int frame = 1; frame <= 8; ++frame) {
        simulation.advanceFrame(nullptr);
        const double t = frame * 0.05, wall = t < 0.2 ? 0.05 * t * t / 0.04 : 0.05 + 0.5 * (t - 0.2);
        const ParticleFrame now = simulation.particleFrame();
        for (const Vec3d& x : now.position_m) {
            if (x.x() >= wall) continue;
            deepest = std::max(deepest, wall - x.x());
            sum += wall - x.x();
            ++entered;
        }
    }
    INFO(entered << " particles entered, " << deepest / h << " h at most");
    CHECK(deepest <= 0.5 * h);
    CHECK(sum / std::max(entered, 1.0) <= 0.1 * h);
    const double v = meanVelocity(simulation.particleFrame()).x();
    CHECK(v > 0.5 * 0.99);  // it leaves the wall for a moment at the end of the push, never lags behind
}
