// Snow that holds to bodies. A block of elastic snow, 16 x 8 x 16 cells, comes to rest on a sticky plane first. Then
// the plane is exchanged, and gravity is turned: the textbook's rigid block is held by the pressure of adhesion.

#include <catch2/catch.hpp>

#include "tests/sim/settled_block.h"

using namespace firn;
using namespace firn::settled_block;

namespace {

constexpr double frameTime = 0.05;

/// The weight of the block over its area.
double weight_Pa(const Scene& scene) { return scene.snow[0].material.density_kg_m3 * g * blockSize.y(); }

}  // namespace

TEST_CASE("Snow hangs from a body if its adhesion exceeds its weight")
{
    // Gravity pulls away from the plane. Its sudden change makes the block swing, so that the stress at the plane is
    // up to three times that of rest.
    Scene scene = blockOnPlane(0, 0.5);
    const Checkpoint& start = settledOnPlane(0);
    scene.solver.gravity = Vec3d(0, g, 0);
    for (const Integrator integrator : {Integrator::Explicit, Integrator::Implicit}) {
        scene.solver.integrator = integrator;
        const auto speed = [&](double times, int frames) {
            scene.snow[0].material.adhesion_pa = times * weight_Pa(scene);
            Simulation simulation(scene, start);
            advanceFrames(simulation, frames);
            return meanVelocity(simulation.particleFrame()).y();
        };
        CHECK(std::abs(speed(4, 6)) < 0.02);
        const double free = speed(0, 2);
        CHECK(free == Approx(2 * frameTime * g).epsilon(0.02));
        // The pull takes half of gravity for the millimetres over which it acts.
        const double held = speed(0.5, 2);
        CHECK(held < 0.97 * free);
        CHECK(held > 0.6 * free);
    }
}

TEST_CASE("Snow that lies beside a body when the shot starts holds to it")
{
    Scene scene = blockOnPlane(0, 0.5);
    scene.solver.gravity = Vec3d(0, g, 0);
    const auto speed = [&](double times) {
        scene.snow[0].material.adhesion_pa = times * weight_Pa(scene);
        Simulation simulation(scene);
        advanceFrames(simulation, 6);
        return meanVelocity(simulation.particleFrame()).y();
    };
    CHECK(std::abs(speed(4)) < 0.1);
    CHECK(speed(0) == Approx(6 * frameTime * g).epsilon(0.02));
}

TEST_CASE("Adhesion adds to the pressure that friction grows with")
{
    // On 30 degrees the block accelerates with g (sin - mu cos) - mu a / (rho d); it rests if that is negative.
    constexpr double friction = 0.3;
    Scene scene = blockOnPlane(30, friction);
    const Checkpoint& start = settledOnPlane(30);
    const auto speeds = [&](double times) {
        scene.snow[0].material.adhesion_pa = times * weight_Pa(scene);
        Simulation simulation(scene, start);
        advanceFrames(simulation, 1);
        const double before = meanVelocity(simulation.particleFrame()).x();
        advanceFrames(simulation, 7);
        return std::pair(before, meanVelocity(simulation.particleFrame()).x());
    };
    const auto [before, after] = speeds(0.5);
    CHECK((after - before) / (7 * frameTime) ==
          Approx(g * (0.5 - friction * (std::sqrt(0.75) + 0.5))).margin(0.02 * g));
    CHECK(std::abs(speeds(1.2).second) < 0.01);  // 0.8 would be enough
}
