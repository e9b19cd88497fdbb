// The semi-implicit step in whole problems. On an oscillator x'' = -omega^2 x it is
//   (1 + beta omega^2 dt^2) v' = v - dt omega^2 x,  x' = x + dt v',
// a linear map with determinant 1 / (1 + beta omega^2 dt^2) and complex eigenvalues, so |G|^2 is that determinant: the
// share of energy that a step leaves.

#include <catch2/catch.hpp>

#include "common/io/threads.h"
#include "tests/sim/confined_column.h"

using namespace firn;

namespace {

/// A column 1 m high that is released under its weight, implicit, with regular particles.
Scene releasedColumn(int cells)
{
    Scene scene = confinedColumn(1, cells, 4, 0.5);
    scene.solver.contact = ContactMethod::Nodes;  // fixed in all steps at one place, see modalVelocity
    scene.solver.integrator = Integrator::Implicit;
    scene.solver.cr_tolerance = 1e-5;
    return scene;
}

/// The velocity of the lowest mode: the projection of all velocities on it. The first node above the floor moves and
/// its kernel reaches into the floor, so that the bar is fixed half a cell below: its length is `length` = 1 + h / 2.
double modalVelocity(const ParticleFrame& frame, double length)
{
    double sum = 0, norm = 0;
    for (std::size_t p = 0; p < frame.size(); ++p) {
        const double above = std::min(frame.position_m[p].y() + length - 1, length), m = frame.mass_kg[p];
        const double shape = std::sin(pi / 2 * above / length);
        sum += m * shape * static_cast<double>(frame.velocity_m_s[p].y());
        norm += m * shape * shape;
    }
    return sum / norm;
}

struct Swing {
    double period, energy_left;  // over 4 length / c_p; share of the energy after one period
};

/// A period and a half of the column in steps of a 126th of 4 length / c_p: omega dt = 2 pi / 126 = 0.04987.
Swing swing(double implicitness)
{
    constexpr int stepsPerPeriod = 126;
    Scene scene = releasedColumn(20);
    const double length = 1 + scene.solver.dx / 2;
    scene.solver.implicitness = implicitness;
    scene.solver.flip_ratio = 1;
    scene.solver.implicit_dt_s = 1;
    setFrameSeconds(scene, 4 * length / std::sqrt(snowModulus / snowDensity) / stepsPerPeriod);
    Simulation simulation(scene, withRegularParticles(Simulation(scene)));
    std::vector<double> peaks, zeros;  // of the velocity: quadratic and linear interpolation between steps
    double v[3] = {0, 0, 0};
    for (int frame = 1; frame <= 3 * stepsPerPeriod / 2 + 10; ++frame) {
        simulation.advanceFrame(nullptr);
        REQUIRE(simulation.stats().substeps == 1);
        v[0] = v[1], v[1] = v[2], v[2] = modalVelocity(simulation.particleFrame(), length);
        if (v[1] * v[2] < 0) zeros.push_back(frame - v[2] / (v[2] - v[1]));
        const double bend = v[0] - 2 * v[1] + v[2], tilt = (v[2] - v[0]) / 2;
        if (frame >= 3 && (v[1] - v[0]) * (v[2] - v[1]) <= 0) peaks.push_back(v[1] - tilt * tilt / (2 * bend));
    }
    REQUIRE(zeros.size() == 3);  // at T / 2, T and 3 T / 2
    REQUIRE(peaks.size() == 3);  // at T / 4, 3 T / 4 and 5 T / 4
    return {(zeros[2] - zeros[0]) / stepsPerPeriod, std::pow(peaks[2] / peaks[0], 2)};
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

/// Iterations per solve while a ball hits the ground at 3 m/s.
double iterationsInImpact(double radius, double h, double dt, int particlesPerCell)
{
    Scene scene = emptyScene(h);
    scene.solver.integrator = Integrator::Implicit;
    scene.solver.implicit_dt_s = dt;
    scene.solver.transfer = Transfer::Flip;  // the figures were measured with these
    scene.solver.contact = ContactMethod::Nodes;
    scene.solver.gravity = Vec3d(0, -9.81, 0);
    scene.snow = {snowSphere(Vec3d(0, 1.03 * radius, 0), radius)};
    scene.snow[0].velocity = Vec3d(0, -3, 0);
    scene.snow[0].particles_per_cell = particlesPerCell;
    scene.bodies = {plane(Vec3d::Zero(), Vec3d::UnitY(), 0.5)};
    setFrameSeconds(scene, 0.2 * radius);
    Simulation simulation(scene);
    advanceFrames(simulation, 2);  // the second is all impact
    const FrameStats& stats = simulation.stats();
    REQUIRE(stats.dt_limit == "implicit_dt_s");
    REQUIRE(stats.cr_failures == 0);
    return static_cast<double>(stats.cr_iterations) / static_cast<double>(stats.substeps);
}

/// A box 12 cm wide that is pressed 10 cm into a bed of 20 cm within 0.12 s and lifted again.
Scene footprint(Integrator integrator)
{
    constexpr double top = 0.2, edge = 0.24;
    Scene scene = emptyScene(0.03);
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
    in.time_s = 0.12;
    out.time_s = 0.24;
    scene.bodies.back().keys = {above, in, out};
    setFrameSeconds(scene, 0.24);
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

TEST_CASE("An elastic mode loses energy as the implicit oscillator does, and keeps its period")
{
    // (1 + beta (2 pi / 126)^2)^-126: 0.7313 for beta = 1, 0.8551 for beta = 1/2; at omega dt = 0.05 exactly 0.7301 and
    // 0.8544. With beta = 1 a free oscillator's period is longer by (omega dt)^2 / 3 at most, 0.1 %.
    const double x = std::pow(2 * pi / 126, 2);
    for (const double beta : {1.0, 0.5}) {
        const Swing found = swing(beta);
        INFO("beta " << beta);
        CHECK(found.period == Approx(1).epsilon(0.005));
        CHECK(found.energy_left == Approx(std::pow(1 + beta * x, -126)).epsilon(0.02));
    }
    CHECK(std::pow(1 + x, -126) == Approx(0.7301).epsilon(0.005));
    CHECK(std::pow(1 + x / 2, -126) == Approx(0.8544).epsilon(0.005));
}

TEST_CASE("A confined bar swings with T = 4 L / c_p in implicit steps, to first order in h")
{
    // as explicitly (elastic_test.cpp): longer by half a cell; steps of 5e-4 s have omega dt = 0.015, which changes the
    // period by some omega^2 dt^2 = 2e-4
    const double expected = 0.202837;
    CHECK(confinedPeriod(20, 8, Integrator::Implicit, ContactMethod::Impulses) == Approx(expected).epsilon(0.015));
    const double coarse = confinedPeriod(20, 4, Integrator::Implicit, ContactMethod::Nodes),
                 fine = confinedPeriod(40, 4, Integrator::Implicit, ContactMethod::Nodes);
    CHECK(coarse == Approx(expected).epsilon(0.03));
    CHECK(fine == Approx(expected).epsilon(0.015));
    const double order = std::log2((coarse - expected) / (fine - expected));
    CHECK(order >= 0.8);
    CHECK(order <= 1.3);
}

TEST_CASE("The implicit bar converges in dt with order one")
{
    // alpha^(dt / reference) holds (1 - alpha) / dt, so PIC's damping is the same for all dt. Shortly after half a
    // period the velocity changes fastest, and the steps' error with it; what nodes in the floor lose once per step,
    // which grows as 1 / dt, is small beside it.
    const auto velocityAfter = [](int steps) {
        Scene scene = releasedColumn(10);
        scene.solver.implicit_dt_s = 0.12 / steps * (1 + 1e-9);
        setFrameSeconds(scene, 0.12);
        Simulation simulation(scene, withRegularParticles(Simulation(scene)));
        advanceFrames(simulation, 1);
        REQUIRE(simulation.stats().substeps == steps);
        return modalVelocity(simulation.particleFrame(), 1 + scene.solver.dx / 2);
    };
    const double coarse = velocityAfter(30), middle = velocityAfter(60), fine = velocityAfter(120);
    const double order = std::log2((coarse - middle) / (middle - fine));
    INFO(coarse << " " << middle << " " << fine);
    CHECK(order >= 0.8);
    CHECK(order <= 1.3);
}

TEST_CASE("Iterations of a solve depend neither on the resolution, at one Courant number, nor on particles per cell")
{
    // The spectrum of I + beta dt^2 M^-1 H reaches to 1 + O(c dt / h)^2 and depends on nothing else.
    const auto iterations = [](double h, double dt, int ppc) { return iterationsInImpact(0.1, h, dt, ppc); };
    const double coarse = iterations(0.025, 1e-3, 8);
    CHECK(coarse > 8);
    CHECK(coarse < 30);
    CHECK(iterations(0.0177, 7.08e-4, 8) == Approx(coarse).epsilon(0.2));
    CHECK(iterations(0.0125, 5e-4, 8) == Approx(coarse).epsilon(0.2));
    CHECK(iterations(0.025, 1e-3, 4) == Approx(coarse).epsilon(0.2));
    CHECK(iterations(0.025, 1e-3, 16) == Approx(coarse).epsilon(0.2));
}

TEST_CASE("At one time step, iterations stay as the grid is refined")
{
    // They take 15.2, 16.3 and 16.1.
    const auto iterations = [](double h) { return iterationsInImpact(0.05, h, 5e-4, 8); };
    for (const double h : {0.00625, 0.0044, 0.003125}) {
        const double found = iterations(h);
        INFO("h = " << h);
        CHECK(found > 14);
        CHECK(found < 17.5);
    }
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
