// The same scene gives the same bits: with any number of threads, and when stopped and resumed anywhere.

#include <catch2/catch.hpp>

#include "common/error.h"
#include "common/io/threads.h"
#include "tests/sim/snow_scene.h"
#include "tests/temporary_folder.h"

using namespace firn;

namespace {

/// A snowball with noise hits the ground and a turning, moving box: plasticity, seams, friction, moving contact, wind
/// and powder.
Scene impact()
{
    Scene scene = emptyScene(0.02);
    scene.solver.gravity = Vec3d(0, -9.81, 0);
    scene.snow = {snowSphere(Vec3d(0, 0.13, 0), 0.08)};
    scene.snow[0].velocity = Vec3d(1, -4, 0);
    scene.snow[0].noise.stiffness = 0.5;
    scene.snow[0].seams = {.size_m = 0.08, .width_m = 0.02};
    scene.snow[0].material.strength_hardening = 0;
    scene.snow[0].powder = {.share = 0.1, .work_J_kg = 2};
    scene.air = {.density_kg_m3 = 1.3, .wind_m_s = Vec3d(0, 0, 3), .gust_m_s = 1, .gust_size_m = 0.3};
    scene.bodies = {plane(Vec3d::Zero(), Vec3d::UnitY(), 0.5), box(Vec3d::Zero(), Vec3d(0.1, 0.3, 0.3), 0.5)};
    BodyKey start, end;
    start.position = Vec3d(0.35, 0.15, 0);
    end.time_s = 0.5;
    end.position = Vec3d(-0.3, 0.15, 0);
    end.rotation_deg = Vec3d(0, 0, 45);
    scene.bodies[1].keys = {start, end};
    return scene;
}

/// Writes and reads a checkpoint file and goes on from it.
Simulation resumed(const Scene& scene, const Simulation& from)
{
    const TemporaryFolder folder;
    writeCheckpoint(folder / "checkpoint", from.checkpoint());
    return Simulation(scene, readCheckpoint(folder / "checkpoint"));
}

}  // namespace

TEST_CASE("An impact gives the same checkpoint with one, two and seven threads")
{
    const auto after = [](int threads) {
        std::string bytes;
        runWithThreads(threads, [&] {
            Simulation simulation(impact());
            advanceFrames(simulation, 3);
            bytes = stateBytes(simulation.checkpoint());
        });
        return bytes;
    };
    const std::string expected = after(1);
    CHECK(after(2) == expected);
    CHECK(after(7) == expected);
}

TEST_CASE("A simulation resumed at any frame goes on to the same bits")
{
    const Scene scene = impact();
    Simulation whole(scene);
    std::vector<std::string> states;
    for (int frame = 0; frame < 3; ++frame) {
        Simulation again = resumed(scene, whole);
        whole.advanceFrame(nullptr);
        again.advanceFrame(nullptr);
        REQUIRE(stateBytes(again.checkpoint()) == stateBytes(whole.checkpoint()));
        CHECK(again.stats().substeps == whole.stats().substeps);
        CHECK(again.stats().dt_limit == whole.stats().dt_limit);
    }
}

TEST_CASE("A simulation stopped between substeps resumes to the same bits")
{
    const Scene scene = impact();
    Simulation whole(scene);
    advanceFrames(whole, 3);
    for (const long stopAt : {1L, 17L, 60L}) {
        Simulation stopped(scene);
        advanceFrames(stopped, 2);
        const bool done = stopped.advanceFrame([&](const SubstepStatus& s) { return s.substep < stopAt; });
        REQUIRE_FALSE(done);
        CHECK(stopped.frame() == 3);
        CHECK(stopped.stats().substeps == stopAt);
        Simulation again = resumed(scene, stopped);
        REQUIRE(again.advanceFrame(nullptr));
        CHECK(again.frame() == 4);
        REQUIRE(stateBytes(again.checkpoint()) == stateBytes(whole.checkpoint()));
    }
}

TEST_CASE("A checkpoint that does not fit is refused with the name of what is wrong")
{
    const Scene scene = impact();
    const Checkpoint good = copyOf(Simulation(scene).checkpoint());
    const auto refusal = [&](const Checkpoint& checkpoint) -> std::string {
        try {
            const Simulation simulation(scene, checkpoint);
        } catch (const Error& error) {
            CHECK(error.code() == ExitCode::File);
            return error.what();
        }
        return "accepted";
    };
    Checkpoint missing = good;
    missing.blocks.erase("J_P");
    CHECK_THAT(refusal(missing), Catch::Contains("'J_P' is missing"));
    Checkpoint shorter = good;
    shorter.blocks.at("mass").pop_back();
    CHECK_THAT(refusal(shorter), Catch::Contains("'mass'") && Catch::Contains("expected"));
    Checkpoint header = good;
    header.header = "{\"frame\": 1}";
    CHECK_THAT(refusal(header), Catch::Contains("header"));
}
