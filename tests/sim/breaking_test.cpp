// Snow breaks into pieces where its strength says so (campaign: breaking.cpp).

#include <catch2/catch.hpp>

#include "common/scene/presets.h"
#include "tests/sim/pieces.h"
#include "tests/sim/snow_scene.h"

using namespace firn;

namespace {

/// A ball of icy snow, 20 cm wide, shortly before a wall that it hits at 6.6 m/s.
Scene throwAtWall()
{
    Scene scene = emptyScene(0.0125);
    scene.fps = 48;
    scene.snow = {snowSphere(Vec3d(0.115, 0, 0), 0.1)};
    scene.snow[0].velocity = Vec3d(-6.6, 0, 0);
    const SnowPreset& icy = snowPreset("icy");
    scene.snow[0].material = icy.material;
    scene.snow[0].noise = icy.noise;
    scene.snow[0].seams = icy.seams;
    scene.bodies = {plane(Vec3d::Zero(), Vec3d::UnitX(), 0.5)};
    return scene;
}

/// Pieces of at least a thousandth of the mass, 83 ms after the start.
std::vector<double> piecesOf(const Scene& scene)
{
    Simulation simulation(scene);
    const double before = simulation.stats().diagnostics.kinetic_J;
    advanceFrames(simulation, 4);
    CHECK(simulation.stats().diagnostics.kinetic_J < before);
    std::vector<double> pieces = solidPieces(simulation.particleFrame());
    std::erase_if(pieces, [](double share) { return share < 1e-3; });
    return pieces;
}

}  // namespace

TEST_CASE("A ball of ice shatters along its seams; without seams, or if its strength hardens, it does not")
{
    const std::vector<double> shattered = piecesOf(throwAtWall());
    CHECK(shattered.size() >= 6);
    REQUIRE(!shattered.empty());
    CHECK(shattered[0] < 0.5);

    Scene scene = throwAtWall();
    scene.snow[0].seams.size_m = 0;
    CHECK(piecesOf(scene).size() == 1);

    scene = throwAtWall();
    scene.snow[0].material.strength_hardening = 1;
    CHECK(piecesOf(scene).size() <= 3);
}
