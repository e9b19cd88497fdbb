// solver.integrator = "auto": the cheaper integrator by forecast, frame by frame.

#include <catch2/catch.hpp>

#include "sim/integrator_choice.h"
#include "tests/sim/snow_scene.h"

using namespace firn;

namespace {

constexpr double frameSeconds = 1.0 / 24;

Solver automatic(double dx)
{
    Solver solver;
    solver.dx = dx;
    solver.integrator = Integrator::Auto;
    return solver;
}

/// A block that slides along the ground at 0.2 m/s.
Scene slidingBlock(double dx, double youngsModulus)
{
    Scene scene = emptyScene(dx);
    scene.solver.integrator = Integrator::Auto;
    scene.snow = {snowBox(Vec3d::Zero(), Vec3d::Constant(6 * dx))};
    scene.snow[0].velocity = Vec3d(0.2, 0, 0);
    scene.snow[0].material.youngs_modulus_pa = youngsModulus;
    scene.snow[0].material.max_hardening = 1000;
    scene.bodies = {plane(Vec3d::Zero(), Vec3d::UnitY(), 0.3)};
    setFrameSeconds(scene, 0.01);
    return scene;
}

}  // namespace

TEST_CASE("An integrator that the scene names is taken")
{
    Solver solver = automatic(0.02);
    for (const Integrator named : {Integrator::Explicit, Integrator::Implicit}) {
        solver.integrator = named;
        const IntegratorChoice choice = chooseIntegrator(solver, {1, 1, 1e6}, frameSeconds);
        CHECK(choice.implicit == (named == Integrator::Implicit));
        CHECK(choice.reason == "solver.integrator");
    }
}

TEST_CASE("Where explicit steps may be as long as implicit ones, they are taken")
{
    // c = 20 m/s, h = 0.02 m: wave_cfl h / c = 0.8 ms, longer than implicit_dt_s = 0.5 ms
    const IntegratorChoice choice = chooseIntegrator(automatic(0.02), {0.1, 0, 20}, frameSeconds);
    CHECK_FALSE(choice.implicit);
    CHECK_THAT(choice.reason, Catch::Contains("53 explicit steps") && Catch::Contains("84 implicit"));
}

TEST_CASE("Where pressure waves cross many cells in an implicit step, implicit steps are taken")
{
    // c = 2000 m/s, h = 0.01 m: 0.8 h / c = 4 us, 10417 explicit steps against 84
    const IntegratorChoice choice = chooseIntegrator(automatic(0.01), {0.1, 0, 2000}, frameSeconds);
    CHECK(choice.implicit);
    CHECK_THAT(choice.reason, Catch::Contains("10417 explicit steps") && Catch::Contains("assumed"));
    // particles at 100 m/s allow 0.03 ms to either integrator; solves of 60 iterations do not pay for 8 steps each
    CHECK_FALSE(chooseIntegrator(automatic(0.01), {100, 0, 2000, 10, 0.4}, frameSeconds).implicit);
}

TEST_CASE("Snow that is so fast that its impact breaks it is integrated explicitly, however costly that is")
{
    // Snow that yields at 0.2 m/s: up to 4.5 times as fast, 0.9 m/s, semi-implicit steps change no picture.
    const Solver solver = automatic(0.01);
    CHECK(chooseIntegrator(solver, {0.89, 0, 2000, 0.5, 0.4, 0.2}, frameSeconds).implicit);
    const IntegratorChoice fast = chooseIntegrator(solver, {0.91, 0, 2000, 0.5, 0.4, 0.2}, frameSeconds);
    CHECK_FALSE(fast.implicit);
    CHECK_THAT(fast.reason, Catch::Contains("0.91 m/s"));
}

TEST_CASE("What implicit frames took decides the next choice")
{
    // Courant number 2000 * 0.496 ms / 0.01 m = 99: 0.5 iterations each are 50 per solve, 10 are 990
    const Solver solver = automatic(0.01);
    CHECK(chooseIntegrator(solver, {0.1, 0, 2000, 0.5, 0.4}, frameSeconds).implicit);
    CHECK_FALSE(chooseIntegrator(solver, {0.1, 0, 2000, 10, 0.4}, frameSeconds).implicit);
    CHECK_THAT(chooseIntegrator(solver, {0.1, 0, 2000, 0.5, 0.4}, frameSeconds).reason, !Catch::Contains("assumed"));
}

TEST_CASE("Spray, whose solves work on empty nodes, is integrated explicitly where packed snow is not")
{
    // 0.8 h / c = 34 us: 1226 explicit steps; 0.6 h / 6.5 m/s is not the limit of 0.5 ms steps: 0.22 ms, 188 of them,
    // Courant number 5.2, 13.6 iterations. 188 (1 + (0.18 + 0.3 n) 14.6) = 930 for n = 0.3, 2400 for n = 2.1.
    CHECK(chooseIntegrator(automatic(0.0048), {6.5, 0, 113, 2.6, 0.3}, frameSeconds).implicit);
    CHECK_FALSE(chooseIntegrator(automatic(0.0048), {6.5, 0, 113, 2.6, 2.1}, frameSeconds).implicit);
}

TEST_CASE("Soft slow snow is integrated explicitly, stiff snow implicitly, and the statistics say so")
{
    Simulation soft(slidingBlock(0.02, 1.4e5)), stiff(slidingBlock(0.005, 2e8));
    advanceFrames(soft, 1);
    advanceFrames(stiff, 1);
    CHECK(soft.stats().integrator == "explicit");
    CHECK(soft.stats().cr_iterations == 0);
    CHECK(stiff.stats().integrator == "implicit");
    CHECK(stiff.stats().cr_iterations > 0);
    CHECK_THAT(stiff.stats().integrator_reason,
               Catch::Contains("explicit steps; ") && Catch::Contains("cost as much as"));
}

TEST_CASE("A simulation that chooses resumes to the same choice and the same bits")
{
    const Scene scene = slidingBlock(0.005, 2e8);
    Simulation whole(scene);
    advanceFrames(whole, 1);
    Simulation again(scene, copyOf(whole.checkpoint()));
    for (int frame = 0; frame < 2; ++frame) {
        advanceFrames(whole, 1);
        advanceFrames(again, 1);
        CHECK(again.stats().integrator_reason == whole.stats().integrator_reason);
        REQUIRE(stateBytes(again.checkpoint()) == stateBytes(whole.checkpoint()));
    }
}
