#pragma once
// A block of elastic snow, 12 x 6 x 12 cells, on a plane; gravity is turned instead of the plane.

#include "tests/sim/snow_scene.h"

namespace firn::settled_block {

constexpr double g = 9.81, h = 0.32 / 12;
inline const Vec3d blockSize(0.32, 0.16, 0.32);
constexpr int settlingFrames = 8;  // of 0.05 s

inline Scene blockOnPlane(double slope_deg, double friction)
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
inline Checkpoint settled(Scene scene)
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

}  // namespace firn::settled_block
