#pragma once
// A block of elastic snow, 16 x 8 x 16 cells, on a plane; gravity is turned instead of the plane.

#include <map>

#include "tests/sim/snow_scene.h"

namespace firn::settled_block {

constexpr double g = 9.81, h = 0.02;
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

/// The same on the plane of blockOnPlane(), whose friction does not matter: it is sticky meanwhile. Made once per
/// slope.
inline const Checkpoint& settledOnPlane(double slope_deg)
{
    static std::map<double, Checkpoint> known;
    const auto found = known.find(slope_deg);
    if (found != known.end()) return found->second;
    return known[slope_deg] = settled(blockOnPlane(slope_deg, 0));
}

}  // namespace firn::settled_block
