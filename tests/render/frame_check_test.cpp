// What is measured and forecast about a frame, in snow whose answers are known.

#include "render/frame_check.h"

#include <catch2/catch.hpp>

#include "monte_carlo.h"
#include "other_lights.h"
#include "render/density_volume.h"
#include "render/frame.h"
#include "resting_camera.h"

using namespace firn;
using namespace firn::test;

namespace {

constexpr double voxel_m = 0.004;
constexpr double freePath_m = 0.004;

/// A block of 12.8 x 6.4 x 12.8 cm whose upper face is at y = 0, and a camera that sees nothing else.
struct Block {
    Volume volume = make();
    RenderScene scene;
    PlacedCamera camera;
    static constexpr PixelWindow window{0, 0, 48, 32};

    Block() : camera(restingCamera(Vec3d(0.001, 2, 0.001), Vec3d(0.001, 0, 0), 36, 1), 0, window.width, window.height)
    {
        scene.volume = &volume;
        scene.lights = Lights({constantSky()});
        scene.medium = {Vec3f::Constant(0.97f), 0.5f};
    }

    static Volume make()
    {
        DensityGrid grid;
        grid.voxel_m = voxel_m;
        for (int x = -2; x < 2; ++x)
            for (int y = -2; y < 0; ++y)
                for (int z = -2; z < 2; ++z) grid.keys.push_back(leafKey(Vec3i(x, y, z)));
        std::sort(grid.keys.begin(), grid.keys.end());
        grid.leaves.resize(grid.keys.size());
        for (auto& leaf : grid.leaves) leaf.fill(1.0f);
        return volumeFromDensity(grid, 1 / freePath_m);
    }
};

}  // namespace

TEST_CASE("Optical depths along camera rays are those of the block")
{
    const Block block;
    const OpticalDepths depths = measureOpticalDepths(block.scene, block.camera, Block::window);
    const double expected = 16 * voxel_m / freePath_m;
    CHECK(depths.share_of_rays == 1);
    CHECK(depths.median == Approx(expected).epsilon(0.03));
    CHECK(depths.greatest == Approx(expected).epsilon(0.03));
}

TEST_CASE("The majorants of even snow waste only the collisions at its border")
{
    const double ratio = majorantRatio(Block().volume);
    CHECK(ratio > 1);
    CHECK(ratio < 1.15);
}

TEST_CASE("The forecast of noise is that of a picture")
{
    const Block block;
    FrameSettings settings;
    settings.width = Block::window.width;
    settings.height = Block::window.height;
    settings.spp = 48;
    FrameState state(settings);
    REQUIRE(renderFrame({block.scene, block.camera}, settings, state, {.go_on = [](double) { return true; }}));
    const PathCost cost = measurePaths(block.scene, block.camera, Block::window, settings.filter_radius_px);
    CHECK(cost.noiseOf(48) == Approx(state.film.noise()).epsilon(0.1));
    CHECK(cost.noiseOf(cost.pathsTo(0.03)) == Approx(0.03));
    const double scatterings =
        static_cast<double>(state.film.counts.collisions) / static_cast<double>(state.film.counts.paths);
    CHECK(cost.scatterings == Approx(scatterings).epsilon(0.05));
}

TEST_CASE("The forecast of noise follows what was measured, and goes on from it")
{
    PathCost cost;
    cost.noises = {0.8, 0.6, 0.45, 0.36};  // of 2, 4, 8 and 16 paths
    CHECK(cost.noiseOf(4) == Approx(0.6));
    CHECK(cost.noiseOf(std::sqrt(8 * 16)) == Approx(std::sqrt(0.45 * 0.36)));
    CHECK(cost.noiseOf(1) == Approx(0.8 * 0.8 / 0.6));
    CHECK(cost.noiseOf(64) == Approx(0.36 * 0.36 / 0.6));  // as from 4 to 16
    CHECK(cost.pathsTo(0.45) == Approx(8));
    CHECK(cost.pathsTo(0.36 * 0.36 / 0.6) == Approx(64));
    CHECK(cost.pathsTo(5) == 1);
}

TEST_CASE("In the sun the forecast of noise is that of a picture, with few paths and with many")
{
    const Block block;
    RenderScene scene = block.scene;
    LightSpec sun;
    sun.kind = LightKind::Sun;
    scene.lights = Lights({sun});
    FrameSettings settings;
    settings.width = Block::window.width;
    settings.height = Block::window.height;
    const PathCost cost = measurePaths(scene, block.camera, Block::window, settings.filter_radius_px);
    for (const int spp : {4, 64}) {
        settings.spp = spp;
        FrameState state(settings);
        REQUIRE(renderFrame({scene, block.camera}, settings, state, {.go_on = [](double) { return true; }}));
        CHECK(cost.noiseOf(spp) == Approx(state.film.noise()).epsilon(0.1));
    }
}

TEST_CASE("Transport in the block passes its self-test")
{
    const Block block;
    const Measured white = furnace(block.scene, block.camera, Block::window);
    CHECK(std::abs(white.mean - 1) <= 4 * white.error + 1e-4);
    CHECK(white.error < 0.01);
    double expected = 0;
    const Measured scatterings = scatteringsInBox(block.scene, expected);
    CHECK(expected > 5);
    CHECK(std::abs(scatterings.mean - expected) < 4 * scatterings.error);
    CHECK(scatterings.error < 0.01 * expected);
}

TEST_CASE("The bias of a light cache is found where there is one, and not where there is none")
{
    const Block block;
    LightCacheSettings settings;
    settings.photons = 100'000;
    const auto goOn = [](double) { return true; };
    const LightCache first(block.scene, block.camera, Block::window, settings, goOn);
    settings.seed = 1;
    const LightCache second(block.scene, block.camera, Block::window, settings, goOn);
    const CacheBias bias = measureCacheBias(block.scene, block.camera, Block::window, {&first, &second});
    REQUIRE(bias.all);
    CHECK(bias.squares == 24);
    CHECK(std::abs(bias.all->mean) < 0.01 + 3 * bias.all->error);
    CHECK(bias.all->error < 0.01);

    RenderScene brighter = block.scene;  // caches of a scene with more light
    LightSpec sky = constantSky();
    sky.strength = 1.3;
    brighter.lights = Lights({sky});
    const LightCache wrong(brighter, block.camera, Block::window, settings, goOn);
    const CacheBias found = measureCacheBias(block.scene, block.camera, Block::window, {&wrong});
    REQUIRE(found.all);
    CHECK(found.all->mean > 0.03);
}
