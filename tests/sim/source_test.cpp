// Snow that comes during the shot: streams out of a mouth, and regions that fill at a time.

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "common/snow/source_places.h"
#include "sim/simulation.h"
#include "tests/common/body/gltf_arm.h"
#include "tests/sim/checkpoint_bytes.h"

using namespace firn;

namespace {

/// A stream of 3 m/s along x out of a mouth of 0.2 x 0.2 x 0.2 m, without gravity.
Scene stream()
{
    Scene scene;
    scene.solver.dx = 0.04;
    scene.solver.gravity = Vec3d::Zero();
    scene.end_frame = 9;
    SnowRegion mouth;
    mouth.name = "mouth";
    mouth.min = Vec3d(0, 1, 0);
    mouth.max = Vec3d(0.2, 1.2, 0.2);
    mouth.velocity = Vec3d(3, 0, 0);
    mouth.particles_per_cell = 4;
    mouth.source.start_s = 0.05;
    mouth.source.length_s = 0.2;
    scene.snow = {mouth};
    return scene;
}

Scene late()
{
    Scene scene;
    scene.solver.dx = 0.05;
    scene.end_frame = 6;
    SnowRegion bed, ball;
    bed.name = "bed";
    bed.min = Vec3d(-0.4, 0, -0.4);
    bed.max = Vec3d(0.4, 0.2, 0.4);
    ball.name = "ball";
    ball.shape = SnowShape::Sphere;
    ball.center = Vec3d(0, 0.25, 0);
    ball.radius_m = 0.2;
    ball.source.start_s = 0.1;
    scene.snow = {bed, ball};
    BodySpec ground;
    ground.name = "ground";
    scene.bodies = {ground};
    return scene;
}

}  // namespace

TEST_CASE("A stream brings density times area times speed times time, and each place once", "[source]")
{
    Scene scene = stream();
    Simulation simulation(scene);
    CHECK(simulation.particleCount() == 0);
    advance(simulation, 8);
    const ParticleFrame frame = simulation.particleFrame();
    double mass = 0;
    for (const float m : frame.mass_kg) mass += static_cast<double>(m);
    CHECK(mass == Approx(scene.snow[0].material.density_kg_m3 * 0.04 * 3 * 0.2).epsilon(0.02));
    CHECK(std::set<std::uint32_t>(frame.id.begin(), frame.id.end()).size() == frame.size());
}

TEST_CASE("Particles of a free stream are where their lattice is", "[source]")
{
    Scene scene = stream();
    Simulation simulation(scene);
    advance(simulation, 8);
    const ParticleFrame frame = simulation.particleFrame();
    const SourcePlaces places(scene, MovingWindow(scene, {}));
    const double flown = 3 * (scene.timeOfFrame(9) - scene.snow[0].source.start_s);
    double worst = 0;
    for (std::size_t i = 0; i < frame.size(); ++i) {
        const std::optional<Vec3d> place = places.of(frame.id[i]);
        REQUIRE(place);
        worst = std::max(worst, (*place + Vec3d(flown, 0, 0) - frame.position_m[i]).norm());
        CHECK(frame.position_m[i].x() > -1e-6);
    }
    CHECK(worst < 1e-3 * scene.solver.dx);
    CHECK_FALSE(places.of(0));
}

TEST_CASE("A stream can be thin, and its mouth can move with a body", "[source]")
{
    Scene scene = stream();
    scene.snow[0].source.share = 0.1;
    scene.snow[0].source.body = "chute";
    scene.snow[0].velocity = Vec3d(0, 3, 0);
    BodySpec chute;
    chute.name = "chute";
    chute.shape = BodyShape::Sphere;
    chute.radius_m = 0.1;
    chute.position = Vec3d(5, 0, 0);
    chute.rotation_deg = Vec3d(0, 0, 90);  // the chute's y is the world's -x
    chute.velocity = Vec3d(0, 0, 2);
    scene.bodies = {chute};
    Simulation simulation(scene);
    advance(simulation, 8);
    const ParticleFrame frame = simulation.particleFrame();
    const double expected = 0.1 * 4 * 0.04 * 3 * 0.2 / (0.04 * 0.04 * 0.04);
    CHECK(static_cast<double>(frame.size()) == Approx(expected).epsilon(0.15));
    for (std::size_t i = 0; i < frame.size(); ++i) CHECK((frame.velocity_m_s[i] - Vec3f(-3, 0, 2)).norm() < 1e-4f);
}

TEST_CASE("The mouth of a stream follows a body that walks", "[source]")
{
    const ScratchFolder folder("source");
    Scene scene = stream();
    scene.snow[0].source.body = "walker";
    BodySpec walker;
    walker.name = "walker";
    walker.shape = BodyShape::Mesh;
    walker.file = ArmWriter({}).write(folder);
    walker.up_axis = UpAxis::X;  // the arm lies on the ground and bends there
    walker.position = Vec3d(9, 0, 0);
    walker.root_motion = RootMotionKind::Feet;
    scene.bodies = {walker};
    const std::shared_ptr<const Motion> motion = carrierOf(scene, scene.bodies[0], {}, "test");
    const Vec3d walk = 10 * (motion->pose(0.2).translation - motion->pose(0.1).translation);
    REQUIRE(walk.norm() > 0.1);
    Simulation simulation(scene);
    advance(simulation, 3);
    const ParticleFrame frame = simulation.particleFrame();
    REQUIRE(frame.size() > 0);
    for (std::size_t i = 0; i < frame.size(); ++i)
        CHECK((frame.velocity_m_s[i].cast<double>() - walk - scene.snow[0].velocity).norm() < 1e-3);
}

TEST_CASE("Snow that comes at once fills what is empty, at the first frame from its time on", "[source]")
{
    Scene scene = late();
    Simulation simulation(scene);
    const std::size_t bed = simulation.particleCount();
    advance(simulation, 2);  // 0.083 s
    CHECK(simulation.particleCount() == bed);
    advance(simulation, 1);
    CHECK(simulation.particleCount() > bed);
    const ParticleFrame frame = simulation.particleFrame();
    for (std::size_t i = 0; i < frame.size(); ++i)
        if (frame.material[i] == 1) CHECK(frame.position_m[i].y() > 0.14);
    double densest = 0;
    std::map<std::array<int, 3>, double> cells;
    for (std::size_t i = 0; i < frame.size(); ++i) {
        const Vec3i cell = (frame.position_m[i] / 0.05).array().floor().cast<int>();
        densest = std::max(densest, cells[{cell.x(), cell.y(), cell.z()}] += static_cast<double>(frame.mass_kg[i]));
    }
    CHECK(densest / (0.05 * 0.05 * 0.05) < 1.5 * scene.snow[0].material.density_kg_m3);
}

TEST_CASE("No snow comes inside bodies", "[source]")
{
    Scene scene = late();
    scene.snow[1].source.start_s = 0.01;
    BodySpec ball;
    ball.name = "ball";
    ball.shape = BodyShape::Sphere;
    ball.radius_m = 0.21;
    ball.position = Vec3d(0, 0.25, 0);
    scene.bodies.push_back(ball);
    Simulation simulation(scene);
    const std::size_t bed = simulation.particleCount();
    advance(simulation, 1);
    CHECK(simulation.particleCount() == bed);
}

TEST_CASE("A run with sources that is continued from a checkpoint gives the same bits", "[source]")
{
    for (const Scene& scene : {stream(), late()}) {
        Simulation simulation(scene);
        advance(simulation, 2);
        for (int substep = 0; simulation.advanceFrame([&](const SubstepStatus&) { return ++substep < 2; });) {
        }
        Simulation again(scene, copyOf(simulation.checkpoint()));
        advance(simulation, 2);
        advance(again, 2);
        CHECK(simulation.particleCount() > 0);
        CHECK(bytesOf(again) == bytesOf(simulation));
    }
}
