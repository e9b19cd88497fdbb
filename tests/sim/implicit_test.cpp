// The semi-implicit step in whole problems.

#include <catch2/catch.hpp>

#include "common/io/threads.h"
#include "tests/sim/snow_scene.h"

using namespace firn;

namespace {

constexpr double density = 400, M = 155555.5555555556;  // kg/m^3; Pa, lambda + 2 mu
const double soundSpeed = std::sqrt(M / density);

/// A column 1 m high, 4 x 4 cells wide, between frictionless walls and on a frictionless floor; elastic, implicit.
Scene confinedBar(int cells)
{
    const double h = 1.0 / cells, width = 4 * h;
    Scene scene = emptyScene(h);
    scene.solver.integrator = Integrator::Implicit;
    scene.solver.plasticity = false;
    scene.solver.cr_tolerance = 1e-5;
    scene.snow = {snowBox(Vec3d::Zero(), Vec3d(width, 1, width))};
    scene.bodies = {plane(Vec3d::Zero(), Vec3d::UnitY(), 0), plane(Vec3d::Zero(), Vec3d::UnitX(), 0),
                    plane(Vec3d(width, 0, 0), -Vec3d::UnitX(), 0), plane(Vec3d::Zero(), Vec3d::UnitZ(), 0),
                    plane(Vec3d(0, 0, width), -Vec3d::UnitZ(), 0)};
    return scene;
}

/// The bar with regular particles that move as its lowest mode, v = 0.02 m/s sin(pi y / 2): strains of 0.1 %.
Simulation inLowestMode(const Scene& scene)
{
    Checkpoint start = withRegularParticles(Simulation(scene));
    const ParticleFrame frame = Simulation(scene, start).particleFrame();
    for (std::size_t p = 0; p < frame.size(); ++p)
        setEntry(start, "velocity.y", p, static_cast<float>(0.02 * std::sin(pi / 2 * frame.position_m[p].y())));
    return Simulation(scene, start);
}

/// The mode's velocity: the projection of all velocities on it.
double modalVelocity(const ParticleFrame& frame)
{
    double sum = 0, norm = 0;
    for (std::size_t p = 0; p < frame.size(); ++p) {
        const double shape = std::sin(pi / 2 * std::min(frame.position_m[p].y(), 1.0)), m = frame.mass_kg[p];
        sum += m * shape * static_cast<double>(frame.velocity_m_s[p].y());
        norm += m * shape * shape;
    }
    return sum / norm;
}

/// A snowball with noise hits the ground.
Scene impact()
{
    Scene scene = emptyScene(0.02);
    scene.solver.integrator = Integrator::Implicit;
    scene.solver.gravity = Vec3d(0, -9.81, 0);
    scene.snow = {snowSphere(Vec3d(0, 0.08, 0), 0.07)};
    scene.snow[0].velocity = Vec3d(1, -3, 0);
    scene.snow[0].noise.stiffness = 0.5;
    scene.bodies = {plane(Vec3d::Zero(), Vec3d::UnitY(), 0.5)};
    return scene;
}

/// A box 12 cm wide that is pressed 10 cm into a bed of 20 cm within 0.2 s and lifted again.
Scene footprint(Integrator integrator)
{
    constexpr double top = 0.2, edge = 0.24;
    Scene scene = emptyScene(0.02);
    scene.solver.integrator = integrator;
    scene.solver.gravity = Vec3d(0, -9.81, 0);
    scene.snow = {snowBox(Vec3d(-edge / 2, 0, -edge / 2), Vec3d(edge / 2, top, edge / 2))};
    scene.bodies = {
        plane(Vec3d::Zero(), Vec3d::UnitY(), 0.5),          plane(Vec3d(-edge / 2, 0, 0), Vec3d::UnitX(), 0.2),
        plane(Vec3d(edge / 2, 0, 0), -Vec3d::UnitX(), 0.2), plane(Vec3d(0, 0, -edge / 2), Vec3d::UnitZ(), 0.2),
        plane(Vec3d(0, 0, edge / 2), -Vec3d::UnitZ(), 0.2), box(Vec3d::Zero(), Vec3d(0.12, 0.1, 0.12), 0.3)};
    BodyKey above, in, out;
    above.position = out.position = Vec3d(0, top + 0.06, 0);
    in.position = Vec3d(0, top - 0.05, 0);
    in.time_s = 0.2;
    out.time_s = 0.4;
    scene.bodies.back().keys = {above, in, out};
    setFrameSeconds(scene, 0.4);
    return scene;
}

/// How far below its old surface the snow under the box ends: mean over the columns of a cell of the highest particle.
double depthOfFootprint(Integrator integrator)
{
    const Scene scene = footprint(integrator);
    Simulation simulation(scene);
    advanceFrames(simulation, 1);
    const ParticleFrame frame = simulation.particleFrame();
    std::map<std::pair<int, int>, double> highest;
    for (const Vec3d& x : frame.position_m) {
        if (std::max(std::abs(x.x()), std::abs(x.z())) > 0.04) continue;
        double& y = highest[{static_cast<int>(std::floor(x.x() / 0.02)), static_cast<int>(std::floor(x.z() / 0.02))}];
        y = std::max(y, x.y());
    }
    REQUIRE(highest.size() == 16);
    double sum = 0;
    for (const auto& [column, y] : highest) sum += y;
    return 0.2 - sum / 16;
}

}  // namespace

TEST_CASE("The implicit bar converges in dt with order one")
{
    // alpha^(dt / reference) holds (1 - alpha) / dt, so PIC's damping is the same for all dt
    const auto velocityAfter = [](int steps) {
        Scene scene = confinedBar(10);
        scene.solver.implicit_dt_s = 0.06 / steps * (1 + 1e-9);
        setFrameSeconds(scene, 0.06);  // 0.3 of a period
        Simulation simulation = inLowestMode(scene);
        advanceFrames(simulation, 1);
        REQUIRE(simulation.stats().substeps == steps);
        return modalVelocity(simulation.particleFrame());
    };
    const double coarse = velocityAfter(30), middle = velocityAfter(60), fine = velocityAfter(120);
    const double order = std::log2((coarse - middle) / (middle - fine));
    INFO(coarse << " " << middle << " " << fine);
    CHECK(order >= 0.8);
    CHECK(order <= 1.5);
}

TEST_CASE("A block on the ground stays at rest in implicit steps")
{
    // It sinks by its own compression: mean rho g H^2 / (3 E) = 0.37 mm for H = 0.2 m with free sides; contact of nodes
    // half a cell apart adds up to a tenth of a cell, 2 mm.
    Scene scene = emptyScene(0.02);
    scene.solver.integrator = Integrator::Implicit;
    scene.solver.gravity = Vec3d(0, -9.81, 0);
    scene.snow = {snowBox(Vec3d(-0.08, 0, -0.08), Vec3d(0.08, 0.2, 0.08))};
    scene.bodies = {plane(Vec3d::Zero(), Vec3d::UnitY(), 0.6)};
    Simulation simulation(scene);
    const Vec3d start = centerOfMass(simulation.particleFrame());
    advanceFrames(simulation, 8);
    const Vec3d moved = centerOfMass(simulation.particleFrame()) - start;
    CHECK(moved.y() < 0);
    CHECK(moved.y() > -0.003);
    CHECK(std::hypot(moved.x(), moved.z()) < 5e-4);
    CHECK(meanVelocity(simulation.particleFrame()).norm() < 0.01);
    CHECK(simulation.stats().cr_failures == 0);
    CHECK(simulation.stats().dt_limit == "implicit_dt_s");
}

TEST_CASE("Explicit and implicit footprints have the same depth")
{
    const double expected = depthOfFootprint(Integrator::Explicit), found = depthOfFootprint(Integrator::Implicit);
    CHECK(expected > 0.08);  // the box went down 10 cm
    CHECK(expected < 0.11);
    CHECK(found == Approx(expected).epsilon(0.05));
}

TEST_CASE("A solve that runs out of iterations is counted")
{
    Scene scene = impact();
    scene.solver.cr_max_iterations = 1;
    scene.solver.cr_tolerance = 1e-6;
    Simulation simulation(scene);
    advanceFrames(simulation, 1);
    const FrameStats& stats = simulation.stats();
    CHECK(stats.substeps > 10);
    CHECK(stats.cr_failures > stats.substeps / 2);
    CHECK(stats.cr_iterations >= stats.cr_failures);

    Simulation enough(impact());
    advanceFrames(enough, 1);
    CHECK(enough.stats().cr_failures == 0);
    CHECK(enough.stats().cr_iterations > enough.stats().substeps);
}

TEST_CASE("An implicit impact gives the same checkpoint with one, two and seven threads, and resumed")
{
    const auto after = [](int threads) {
        std::string bytes;
        runWithThreads(threads, [&] {
            Simulation simulation(impact());
            advanceFrames(simulation, 2);
            bytes = stateBytes(simulation.checkpoint());
        });
        return bytes;
    };
    const std::string expected = after(1);
    CHECK(after(2) == expected);
    CHECK(after(7) == expected);

    Simulation stopped(impact());
    advanceFrames(stopped, 1);
    REQUIRE_FALSE(stopped.advanceFrame([](const SubstepStatus& s) { return s.substep < 5; }));
    Simulation again(impact(), copyOf(stopped.checkpoint()));
    REQUIRE(again.advanceFrame(nullptr));
    CHECK(stateBytes(again.checkpoint()) == expected);
}
