// Snow in a window that follows a body: what enters, what leaves, and that the window changes nothing where snow does
// not reach its border.

#include <algorithm>
#include <catch2/catch.hpp>
#include <climits>
#include <map>
#include <set>

#include "common/snow/moving_window.h"
#include "sim/simulation.h"
#include "tests/common/body/gltf_arm.h"
#include "tests/sim/checkpoint_bytes.h"

using namespace firn;

namespace {

/// A ball flies 4 m along a strip of snow between walls and grazes the snow.
Scene road(double reach_m, double trail_s)
{
    Scene scene;
    scene.solver.dx = 0.05;
    scene.solver.sleeping = true;
    scene.end_frame = 28;
    SnowRegion layer;
    layer.name = "road";
    layer.shape = SnowShape::Layer;
    layer.min = Vec3d(-0.4, 0, -0.5);
    layer.max = Vec3d(0.4, 0, 6);
    layer.depth_m = 0.2;
    layer.roughness_m = 0.02;
    layer.noise.density = 0.2;
    layer.particles_per_cell = 4;
    scene.snow = {layer};
    BodySpec ground, ball, wall;
    ground.name = "ground";
    ball.name = "ball";
    ball.shape = BodyShape::Sphere;
    ball.radius_m = 0.15;
    ball.position = Vec3d(0, 0.34, 0);
    ball.velocity = Vec3d(0, 0, 3);
    wall.name = "wall";
    wall.shape = BodyShape::Box;
    wall.size = Vec3d(1, 0.4, 20);
    wall.position = Vec3d(0.9, 0.2, 0);
    scene.bodies = {ground, ball, wall};
    wall.name = "other wall";
    wall.position.x() *= -1;
    scene.bodies.push_back(wall);
    scene.window = {.body = "ball", .reach_m = reach_m, .trail_s = trail_s};
    return scene;
}

/// Rows of a frame by particle.
std::map<std::uint32_t, std::size_t> rowsOf(const ParticleFrame& frame)
{
    std::map<std::uint32_t, std::size_t> rows;
    for (std::size_t i = 0; i < frame.size(); ++i) rows[frame.id[i]] = i;
    return rows;
}

}  // namespace

TEST_CASE("Snow near the body moves to the same bits with a window as without one", "[window]")
{
    Simulation some(road(2, 100)), all(road(100, 100));
    CHECK(4 * some.particleCount() < 3 * all.particleCount());
    advance(some, 2);
    advance(all, 2);
    CHECK(some.stats().beyond == 0);
    const ParticleFrame few = some.particleFrame(), many = all.particleFrame();
    const auto rows = rowsOf(many);
    std::size_t moving = 0;
    for (std::size_t i = 0; i < few.size(); ++i) {
        const std::size_t row = rows.at(few.id[i]);
        REQUIRE(few.position_m[i] == many.position_m[row]);
        REQUIRE(few.velocity_m_s[i] == many.velocity_m_s[row]);
        REQUIRE(few.F_E[i] == many.F_E[row]);
        REQUIRE(few.state[i] == many.state[row]);
        moving += few.state[i] == 0;
    }
    CHECK(moving > 500);
    CHECK(moving < few.size());
    CHECK(moving == static_cast<std::size_t>(std::ranges::count(many.state, 0)));
}

TEST_CASE("Each particle of a layer waits, is simulated or has left, and never twice", "[window]")
{
    Scene scene = road(1, 0.1);
    scene.bodies[1].position.y() = 0.5;  // above the snow, which sleeps
    const std::size_t whole = Simulation(road(100, 100)).particleCount();
    Simulation simulation(scene);
    std::set<std::uint32_t> seen, gone;
    std::size_t most = 0;
    while (simulation.frame() < scene.end_frame) {
        advance(simulation, 1);
        const ParticleFrame frame = simulation.particleFrame(), frozen = wholeFrame(simulation.frozenSource());
        for (const std::uint32_t id : frozen.id) REQUIRE(gone.insert(id).second);
        CHECK(gone.size() == simulation.stats().frozen);
        CHECK(frame.frozen == gone.size());
        std::set<std::uint32_t> now;
        for (const std::uint32_t id : frame.id) {
            REQUIRE(now.insert(id).second);
            REQUIRE(!gone.contains(id));
        }
        for (const std::uint32_t id : seen) REQUIRE((now.contains(id) || gone.contains(id)));
        seen.insert(now.begin(), now.end());
        most = std::max(most, frame.size());
    }
    CHECK(gone.size() > whole / 4);
    CHECK(4 * most < 3 * whole);
}

TEST_CASE("Snow at the window's border sleeps until its neighbours are there", "[window]")
{
    Scene scene = road(1, 100);
    scene.end_frame = 8;
    Simulation simulation(scene);
    std::size_t moving = 0;
    while (simulation.frame() < scene.end_frame) {
        advance(simulation, 1);
        const ParticleFrame frame = simulation.particleFrame();
        const auto blockOf = [&](std::size_t i) {
            const Vec3d cell = frame.position_m[i] / scene.solver.dx;
            return MovingWindow::blockOf(Vec3d(cell.array().floor()).cast<int>()).z();
        };
        int foremost = INT_MIN;
        for (std::size_t i = 0; i < frame.size(); ++i) foremost = std::max(foremost, blockOf(i));
        for (std::size_t i = 0; i < frame.size(); ++i) {
            if (blockOf(i) == foremost) REQUIRE(frame.state[i] != 0);
            moving += frame.state[i] == 0;
        }
        CHECK(simulation.stats().beyond == 0);
    }
    CHECK(moving > 0);
}

TEST_CASE("A run in a window that is continued from a checkpoint gives the same bits", "[window]")
{
    Scene scene = road(1, 0.1);
    Simulation simulation(scene);
    advance(simulation, 16);
    REQUIRE(simulation.stats().frozen > 0);
    const Checkpoint copy = copyOf(simulation.checkpoint());
    Simulation again(scene, copy);
    advance(simulation, 2);
    advance(again, 2);
    CHECK(again.stats().frozen == simulation.stats().frozen);
    CHECK(bytesOf(again) == bytesOf(simulation));
}

TEST_CASE("A window that comes back to snow that has left is told at the start", "[window]")
{
    Scene scene = road(0.5, 0.1);
    scene.bodies[1].velocity = Vec3d::Zero();
    scene.bodies[1].keys = {{0, Vec3d(0, 0.3, 0)}, {0.5, Vec3d(0, 0.3, 4)}, {1, Vec3d(0, 0.3, 0)}};
    const Simulation simulation(scene);
    REQUIRE(simulation.remarks().size() == 1);
    CHECK(simulation.remarks()[0] ==
          "until frame 24 the window comes back to snow that may have left the simulation; that snow does not move "
          "again. A longer window.trail_s keeps it");
    scene.window.trail_s = 2;
    CHECK(Simulation(scene).remarks().empty());
}

TEST_CASE("A window without a trail that moves on does not come back", "[window]")
{
    CHECK(Simulation(road(0.5, 0)).remarks().empty());
}

TEST_CASE("Snow above a layer that waits for the window is told", "[window]")
{
    Scene scene = road(0.5, 0.1);
    SnowRegion lump;
    lump.name = "lump";
    lump.shape = SnowShape::Box;
    lump.min = Vec3d(-0.2, 0.6, 3);
    lump.max = Vec3d(0.2, 0.9, 3.4);
    scene.snow.push_back(lump);
    const std::vector<std::string> remarks = Simulation(scene).remarks();
    REQUIRE(remarks.size() == 1);
    CHECK_THAT(remarks[0], Catch::Contains("snow region 'lump' is above 'road', which is not simulated there before"));
    scene.snow[1].min.z() = -0.2;  // in the window at the first frame
    scene.snow[1].max.z() = 0.2;
    CHECK(Simulation(scene).remarks().empty());
}

TEST_CASE("A layer that moves does not wait for a window, and that is told", "[window]")
{
    Scene scene = road(0.5, 0.1);
    scene.snow.push_back(scene.snow[0]);
    scene.snow[1].name = "slab";
    scene.snow[1].min.y() = scene.snow[1].max.y() = 1;
    scene.snow[1].max.z() = 0;
    scene.snow[1].velocity = Vec3d(0, 0, 1);
    const std::vector<std::string> remarks = Simulation(scene).remarks();
    REQUIRE(remarks.size() == 1);
    CHECK_THAT(remarks[0], Catch::StartsWith("snow region 'slab' has a velocity"));
}

TEST_CASE("Ground that a clip moves is refused with a window", "[window]")
{
    const ScratchFolder folder("window");
    Scene scene = road(0.5, 0.1);
    scene.snow[0].ground = scene.bodies[0].name;
    CHECK_NOTHROW(MovingWindow(scene, makeBodies(scene)));
    scene.bodies[0].shape = BodyShape::Mesh;
    scene.bodies[0].file = ArmWriter({}).write(folder);
    CHECK_THROWS_WITH(MovingWindow(scene, makeBodies(scene)), Catch::Contains("whose clip moves it"));
}
