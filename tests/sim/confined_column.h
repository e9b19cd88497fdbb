#pragma once
// An elastic column in confined compression, in which the fixed corotated model is linear: P_11 = M (s - 1).
// E = 1.4e5 Pa, nu = 0.2, rho = 400 kg/m^3: M = lambda + 2 mu = 155555.56 Pa, c_p = sqrt(M / rho) = 19.7203 m/s.
// Contact only pushes, so the column is confined as long as its weight keeps it compressed: released unstretched, it
// swings between that and twice its static compression.

#include "tests/sim/snow_scene.h"

namespace firn {

constexpr double snowDensity = 400, snowModulus = 155555.5555555556;  // kg/m^3, Pa

/// A column of height L and `wide` x `wide` cells, between four walls and on a floor that are all frictionless.
inline Scene confinedColumn(double L, int cells, int wide, double gravity)
{
    const double h = L / cells, width = wide * h;
    Scene scene = emptyScene(h);
    scene.solver.plasticity = false;
    scene.solver.gravity = Vec3d(0, -gravity, 0);
    scene.snow = {snowBox(Vec3d::Zero(), Vec3d(width, L, width))};
    scene.bodies = {plane(Vec3d::Zero(), Vec3d::UnitY(), 0), plane(Vec3d::Zero(), Vec3d::UnitX(), 0),
                    plane(Vec3d(width, 0, 0), -Vec3d::UnitX(), 0), plane(Vec3d::Zero(), Vec3d::UnitZ(), 0),
                    plane(Vec3d(0, 0, width), -Vec3d::UnitZ(), 0)};
    return scene;
}

/// The places of particles: the middles of each cell's octants, or those of production.
enum class Places { Regular, Seeded };

/// Period of a column 1 m high that is released under its weight: it falls, comes to rest, rises, comes to rest ...
/// every T / 2.
inline double confinedPeriod(int cells, int wide, Integrator integrator, ContactMethod contact,
                             Places places = Places::Regular)
{
    const double expected = 4 / std::sqrt(snowModulus / snowDensity);
    Scene scene = confinedColumn(1, cells, wide, 0.5);
    scene.solver.integrator = integrator;
    scene.solver.contact = contact;
    setFrameSeconds(scene, expected / 100);
    const Simulation seeded(scene);
    Simulation simulation(scene,
                          places == Places::Regular ? withRegularParticles(seeded) : copyOf(seeded.checkpoint()));
    double before = 0;
    for (int frame = 1, rests = 0;; ++frame) {
        simulation.advanceFrame(nullptr);
        const double v = meanVelocity(simulation.particleFrame()).y();
        if (before * v < 0 && ++rests == 2) return (frame - v / (v - before)) / scene.fps;
        before = v;
    }
}

}  // namespace firn
