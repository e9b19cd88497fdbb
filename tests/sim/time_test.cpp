// Time: free fall, frames, what limits a step, and steps that are not accepted.

#include <catch2/catch.hpp>
#include <limits>

#include "common/error.h"
#include "sim/time_step.h"
#include "tests/sim/plain.h"
#include "tests/sim/snow_scene.h"

using namespace firn;

namespace {

Scene fallingBox()
{
    Scene scene = emptyScene(0.02);
    scene.solver.gravity = Vec3d(0, -9.81, 0);
    scene.snow = {snowBox(Vec3d::Zero(), Vec3d(0.08, 0.08, 0.08))};
    return scene;
}

}  // namespace

TEST_CASE("Free fall for one second ends at -g t (t + dt) / 2")
{
    // v_n = -g n dt, x_n = x_n-1 + dt v_n: x = -g dt^2 n (n + 1) / 2 = -4.905 * 1.001 = -4.909905 m for dt = 1e-3
    std::vector<plain::Particle> particles(3);
    for (int i = 0; i < 3; ++i) {
        particles[i].x = Vec3d(0.013 * i, 0, 0.007 * i);
        particles[i].v = Vec3d::Zero();
        particles[i].mass = 1 + i;
        particles[i].volume0 = 1e-6;
    }
    const double dt = 1e-3, h = 0.02;
    const Snow<double> snow = Snow<double>::of(SnowMaterial(), true);
    for (int n = 0; n < 1000; ++n) {
        plain::Nodes nodes = plain::rasterize(particles, h);
        plain::addForces(particles, snow, h, nodes);
        plain::updateVelocities(nodes, dt, Vec3d(0, -9.81, 0));
        plain::updateParticles(particles, snow, h, dt, 0.95, nodes);
    }
    for (const auto& p : particles) CHECK(p.x.y() == Approx(-4.909905).margin(1e-9));
}

TEST_CASE("Free fall of the production solver agrees with its own steps")
{
    // The steps are of equal length, dt = 1 frame / substeps. Floats: velocity rounds by 6e-8 of up to 2.5 m/s per
    // step.
    Scene scene = fallingBox();
    Simulation simulation(scene);
    const Vec3d start = centerOfMass(simulation.particleFrame());
    double v = 0, y = 0;
    for (int frame = 0; frame < 6; ++frame) {
        simulation.advanceFrame(nullptr);
        const double dt = 1 / scene.fps / static_cast<double>(simulation.stats().substeps);
        for (long n = 0; n < simulation.stats().substeps; ++n) v -= 9.81 * dt, y += dt * v;
    }
    const ParticleFrame end = simulation.particleFrame();
    CHECK(centerOfMass(end).y() - start.y() == Approx(y).epsilon(1e-5));
    CHECK(meanVelocity(end).y() == Approx(-9.81 * 6 / 24).epsilon(1e-5));
    CHECK(std::abs(centerOfMass(end).x() - start.x()) < 1e-6);
}

TEST_CASE("Steps land on frames exactly, whatever their length")
{
    Scene scene = fallingBox();
    scene.fps = 23.976;
    scene.start_frame = 1001;
    scene.solver.dt_s = 1e-3 / 3;
    Simulation simulation(scene);
    CHECK(simulation.frame() == 1001);
    for (int frame = 1002; frame <= 1005; ++frame) {
        simulation.advanceFrame(nullptr);
        CHECK(simulation.frame() == frame);
        CHECK(simulation.particleFrame().time_s == Approx((frame - 1001) / 23.976).epsilon(1e-14));
        CHECK(simulation.stats().time_s == simulation.particleFrame().time_s);
        // all of dt_s or a little less, so that whole steps fill the frame: ceil(1 / 23.976 / dt_s) = 126
        CHECK(simulation.stats().substeps == 126);
        CHECK(simulation.stats().dt_max_s <= scene.solver.dt_s);
        CHECK(simulation.stats().dt_max_s == Approx(1 / 23.976 / 126).epsilon(1e-9));
    }
}

TEST_CASE("The step length is the smallest of its limits, and the reason is named")
{
    Solver solver;
    solver.cfl = 0.3;
    solver.wave_cfl = 0.5;
    solver.dx = 0.02;
    solver.gravity = Vec3d::Zero();
    const double frame = 1;
    StepLimit limit = chooseStep(solver, 3, 0, 0, false, frame);  // 0.3 * 0.02 / 3 = 2 ms
    CHECK(limit.dt == Approx(2e-3));
    CHECK(limit.reason == "particle speed");
    limit = chooseStep(solver, 3, 6, 0, false, frame);  // 0.3 * 0.02 / 6 = 1 ms
    CHECK(limit.dt == Approx(1e-3));
    CHECK(limit.reason == "body speed");
    limit = chooseStep(solver, 3, 6, 20, false, frame);  // 0.5 * 0.02 / 20 = 0.5 ms
    CHECK(limit.dt == Approx(5e-4));
    CHECK(limit.reason == "wave speed");
    solver.dt_s = 1e-4;
    limit = chooseStep(solver, 3, 6, 20, false, frame);
    CHECK(limit.dt == Approx(1e-4));
    CHECK(limit.reason == "dt_s");
    limit = chooseStep(solver, 3, 6, 20, false, 5e-5);
    CHECK(limit.dt == 5e-5);
    CHECK(limit.reason == "frame");
    // from rest, gravity counts: (g dt) dt = 0.3 * 0.02 gives dt = sqrt(0.006 / 9.81) = 24.7 ms, 41 steps in a second
    solver = Solver();
    limit = chooseStep(solver, 0, 0, 0, false, frame);
    CHECK(limit.dt == Approx(1.0 / 41));
    CHECK(limit.reason == "particle speed");
    // 0.0013 s left and 1 ms allowed: two equal steps
    solver.dt_s = 1e-3;
    CHECK(chooseStep(solver, 0, 0, 0, false, 1.3e-3).dt == Approx(6.5e-4));
}

TEST_CASE("A particle that is not a number ends the run with Diverged and its id")
{
    Scene scene = fallingBox();
    Checkpoint checkpoint = copyOf(Simulation(scene).checkpoint());
    setEntry(checkpoint, "F_E.xy", 100, std::numeric_limits<float>::quiet_NaN());
    Simulation simulation(scene, checkpoint);
    try {
        simulation.advanceFrame(nullptr);
        FAIL("no error");
    } catch (const Error& error) {
        const std::string message = error.what();
        INFO(message);
        CHECK(error.code() == ExitCode::Diverged);
        // the NaN spreads over its neighbours' nodes within the step: the particle named is it or one of those
        CHECK(message.find("particle ") != std::string::npos);
        CHECK(message.find("body that jumps into snow") != std::string::npos);
        CHECK(message.find("step 0") != std::string::npos);
    }
    CHECK(simulation.stats().rollbacks == scene.solver.max_halvings + 1);
}

TEST_CASE("A step that fails is halved until it passes, and counted")
{
    // A step of 1.2 h would be a jump of more than a cell. The state says that nothing is faster than 0.1 m/s, but one
    // particle is, so the first step's length is wrong and must be halved.
    Scene scene = fallingBox();
    scene.solver.gravity = Vec3d::Zero();
    setFrameSeconds(scene, 0.005);
    Checkpoint checkpoint = copyOf(Simulation(scene).checkpoint());
    const float speed = 200;  // m/s; the wave speed allows 0.5 ms, 5 cells: halved three times, 0.6 cells
    for (std::size_t p = 0; p < 64; ++p) setVelocity(checkpoint, "x", p, speed);
    Simulation simulation(scene, checkpoint);
    simulation.advanceFrame(nullptr);
    CHECK(simulation.stats().rollbacks >= 2);
    const ParticleFrame frame = simulation.particleFrame();
    for (std::size_t i = 0; i < frame.size(); ++i) {
        REQUIRE(frame.position_m[i].allFinite());
        REQUIRE(frame.velocity_m_s[i].allFinite());
        REQUIRE(frame.F_E[i].allFinite());
    }
    CHECK(simulation.stats().momentum.x() ==
          Approx(64 * 200 * static_cast<double>(frame.mass_kg[0])).epsilon(1e-4));  // nothing was lost on the way
}
