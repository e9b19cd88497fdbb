// Sleeping snow: what it leaves out, what wakes it, and how little it changes.

#include <catch2/catch.hpp>
#include <cstring>

#include "common/io/threads.h"
#include "sim/simulation.h"
#include "tests/sim/checkpoint_bytes.h"

using namespace firn;

namespace {

/// A bed of snow 32 x 6 x 6 cells on the ground; a box is pressed 6 cm into one end of it after five frames.
Scene bedUnderBox()
{
    Scene scene;
    scene.solver.dx = 0.05;
    scene.solver.sleeping = true;
    scene.solver.gravity = Vec3d(0, -2, 0);  // the bed sinks and swings less, so that it falls asleep sooner
    scene.end_frame = 20;
    SnowRegion bed;
    bed.name = "bed";
    bed.min = Vec3d(0, 0, 0);
    bed.max = Vec3d(1.6, 0.3, 0.3);
    scene.snow = {bed};
    BodySpec ground;
    ground.name = "ground";
    BodySpec press;
    press.name = "press";
    press.shape = BodyShape::Box;
    press.size = Vec3d(0.2, 0.2, 0.2);
    const double start = 5 / 24.0, end = 9 / 24.0;
    press.keys = {{start, Vec3d(0.16, 0.46, 0.16), Vec3d::Zero(), Easing::Smooth},
                  {end, Vec3d(0.16, 0.36, 0.16), Vec3d::Zero(), Easing::Linear}};
    scene.bodies = {ground, press};
    return scene;
}

/// Positions and mass by particle id.
std::vector<Vec3d> positionsById(const Simulation& simulation)
{
    const ParticleFrame frame = simulation.particleFrame();
    std::vector<Vec3d> positions(frame.size());
    for (std::size_t i = 0; i < frame.size(); ++i) positions[frame.id[i]] = frame.position_m[i];
    return positions;
}

}  // namespace

TEST_CASE("Snow that nothing disturbs falls asleep, and a body that comes near wakes it", "[sleep]")
{
    Simulation simulation(bedUnderBox());
    std::size_t most = 0;
    std::size_t pressed = 0;
    for (int frame = 0; frame < 16; ++frame) {
        simulation.advanceFrame({});
        const FrameStats& stats = simulation.stats();
        CHECK(stats.particles == simulation.particleCount());
        CHECK(stats.mass_kg == Approx(400 * 1.6 * 0.3 * 0.3).epsilon(1e-3));
        most = std::max(most, stats.sleeping);
        if (frame == 15) pressed = stats.sleeping;
    }
    CHECK(most > simulation.particleCount() / 4);  // the far end of the bed at least
    CHECK(most < simulation.particleCount());      // not what the press works on
    CHECK(pressed < simulation.particleCount() * 9 / 10);
}

TEST_CASE("Sleeping moves no particle by more than it leaves out", "[sleep]")
{
    // Asleep, a particle misses less than sleep_cells per frame: 12 frames of 0.02 cells are 0.24 cells.
    Scene scene = bedUnderBox();
    Simulation sleeping(scene);
    scene.solver.sleeping = false;
    Simulation awake(scene);
    for (int frame = 0; frame < 12; ++frame) {
        sleeping.advanceFrame({});
        awake.advanceFrame({});
    }
    const auto a = positionsById(sleeping), b = positionsById(awake);
    double squares = 0;
    for (std::size_t i = 0; i < a.size(); ++i) squares += (a[i] - b[i]).squaredNorm();
    CHECK(std::sqrt(squares / static_cast<double>(a.size())) < 0.24 * scene.solver.dx);
}

TEST_CASE("Sleeping gives the same bits for any number of threads and after a resume", "[sleep]")
{
    Scene scene = bedUnderBox();
    scene.solver.integrator = GENERATE(Integrator::Explicit, Integrator::Implicit);
    scene.solver.implicit_dt_s = 2e-3;
    const auto whole = [&](int threads) {
        std::vector<std::byte> bytes;
        runWithThreads(threads, [&] {
            Simulation simulation(scene);
            for (int frame = 0; frame < 9; ++frame) simulation.advanceFrame({});
            CHECK(simulation.stats().sleeping > 0);
            bytes = bytesOf(simulation);
        });
        return bytes;
    };
    const std::vector<std::byte> reference = whole(1);
    CHECK(whole(7) == reference);

    runWithThreads(2, [&] {
        auto part = std::make_unique<Simulation>(scene);
        for (int frame = 0; frame < 7; ++frame) part->advanceFrame({});
        int steps = 0;
        part->advanceFrame([&](const SubstepStatus&) { return ++steps < 5; });  // stops within the frame
        Simulation resumed(scene, copyOf(part->checkpoint()));
        while (resumed.frame() < 10) resumed.advanceFrame({});
        CHECK(bytesOf(resumed) == reference);
    });
}
