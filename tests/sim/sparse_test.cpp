// The domain has no size: what is far from the snow costs nothing and changes nothing.

#include <catch2/catch.hpp>

#include "tests/sim/snow_scene.h"

using namespace firn;

namespace {

/// A snowball dropped on the ground; two boxes stand `distance` metres to its sides.
Scene snowballDrop(double distance)
{
    Scene scene = emptyScene(0.02);
    scene.solver.gravity = Vec3d(0, -9.81, 0);
    scene.snow = {snowSphere(Vec3d(0.01, 0.13, 0), 0.1)};
    scene.snow[0].velocity = Vec3d(0, -3, 0);
    scene.bodies = {plane(Vec3d::Zero(), Vec3d::UnitY(), 0.5), box(Vec3d(distance, 0, 0), Vec3d(0.5, 0.5, 0.5), 0.5),
                    box(Vec3d(0, 0, -distance), Vec3d(0.5, 0.5, 0.5), 0.5)};
    return scene;
}

}  // namespace

TEST_CASE("Bodies a hundred metres away change neither a bit nor the memory")
{
    Simulation near(snowballDrop(1)), far(snowballDrop(100));
    advanceFrames(near, 3);
    advanceFrames(far, 3);
    CHECK(near.particleFrame().J_P != std::vector<float>(near.particleCount(), 1.f));  // it did hit the ground
    CHECK(stateBytes(near.checkpoint()) == stateBytes(far.checkpoint()));
    CHECK(static_cast<double>(far.bytes()) == Approx(static_cast<double>(near.bytes())).epsilon(0.05));
}

TEST_CASE("Snow a hundred metres away costs its own leaves only")
{
    // Two equal balls, next to each other or 100 m apart: at h = 0.02 m a box around the latter would have 5000 x 10 x
    // 10 cells. Grid and particles may take half as much again at most, since leaves are cut elsewhere.
    const auto bytesOf = [](double distance) {
        Scene scene = emptyScene(0.02);
        scene.snow = {snowSphere(Vec3d::Zero(), 0.1), snowSphere(Vec3d(distance, 0, 0), 0.1)};
        Simulation simulation(scene);
        advanceFrames(simulation, 1);
        return simulation.bytes();
    };
    CHECK(static_cast<double>(bytesOf(100)) < 1.5 * static_cast<double>(bytesOf(0.32)));
}

TEST_CASE("A scene a kilometre from the origin behaves as the one at the origin")
{
    // 1024 m are 3200 leaves of 0.16 m x 2: the particles' sums keep every bit; contact is computed in double metres,
    // where 1024 m leave 2e-13 m, and may round a float differently. A float position in metres would keep 0.06 mm.
    Scene scene = snowballDrop(1), moved = scene;
    const Vec3d shift(1024, 0, -2048);
    moved.snow[0].center += shift;
    for (BodySpec& body : moved.bodies) body.position += shift;
    Simulation a(scene), b(moved);
    // places depend on the cell, so the moved ball gets its particles from the unmoved one
    Checkpoint start = copyOf(a.checkpoint());
    for (const auto& [column, metres] : {std::pair("cell.x", shift.x()), std::pair("cell.z", shift.z())}) {
        std::vector<std::byte>& bytes = start.blocks.at(column);
        for (std::size_t at = 0; at < bytes.size(); at += sizeof(std::int32_t)) {
            std::int32_t cell = 0;
            std::memcpy(&cell, bytes.data() + at, sizeof cell);
            cell += static_cast<std::int32_t>(std::lround(metres / 0.02));
            std::memcpy(bytes.data() + at, &cell, sizeof cell);
        }
    }
    Simulation far(moved, start);
    advanceFrames(a, 2);
    advanceFrames(far, 2);
    const ParticleFrame here = a.particleFrame(), there = far.particleFrame();
    REQUIRE(here.size() == there.size());
    const auto atHere = byId(here), atThere = byId(there);
    double largest = 0;
    for (std::size_t id = 0; id < here.size(); ++id)
        largest = std::max(largest,
                           (there.position_m[atThere[id]] - shift - here.position_m[atHere[id]]).cwiseAbs().maxCoeff());
    CHECK(largest < 1e-5);
}
