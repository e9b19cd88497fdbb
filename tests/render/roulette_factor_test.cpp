// How early roulette ends paths: the choice saves time, and the mean does not depend on it.

#include "render/roulette_factor.h"

#include <catch2/catch.hpp>

#include "common/io/threads.h"
#include "noise_volume.h"
#include "other_lights.h"
#include "render/camera.h"
#include "resting_camera.h"
#include "traced_paths.h"

using namespace firn;
using namespace firn::test;

namespace {

/// A ball of 20 cm with clumps and gaps, some 100 free paths across, that a camera sees from 0.6 m.
struct Ball {
    Volume volume = volumeFromDensity(clumpedBall(0.008), 2);
    PlacedCamera camera{restingCamera(Vec3d(0.024, -0.04, 0.6), Vec3d(0.024, -0.04, 0), 36, 1), 0, 64, 64};
    RenderScene scene;

    explicit Ball(const std::vector<LightSpec>& lights)
    {
        scene.volume = &volume;
        scene.lights = Lights(lights);
        scene.medium = {Vec3f(.9998f, .9999f, .9999f), .5f};
    }
};

std::vector<LightSpec> sunOnly()
{
    LightSpec sun;
    sun.strength = 3;
    return {sun};
}

}  // namespace

TEST_CASE("Under an even sky roulette ends few paths; under a sun it ends more", "[roulette]")
{
    const Ball overcast({constantSky()}), sunny(sunOnly());
    CHECK(rouletteFactor(overcast.scene, overcast.camera) <= 0.25f);
    CHECK(rouletteFactor(sunny.scene, sunny.camera) >= 0.5f);
    // What the choice saves, compared with the same factor everywhere: far beyond the noise of the pilot.
    CHECK(pathCostOfVariance(overcast.scene, overcast.camera, 0.125f) <
          0.5 * pathCostOfVariance(overcast.scene, overcast.camera, 1));
}

TEST_CASE("The factor is the same for any number of threads, and 1 where paths are short", "[roulette]")
{
    Ball ball(sunOnly());
    float one = 0, three = 0;
    runWithThreads(1, [&] { one = rouletteFactor(ball.scene, ball.camera); });
    runWithThreads(3, [&] { three = rouletteFactor(ball.scene, ball.camera); });
    CHECK(one == three);
    ball.scene.max_bounces = 8;
    CHECK(rouletteFactor(ball.scene, ball.camera) == 1);
    CHECK(rouletteFactor(RenderScene(), ball.camera) == 1);
}

TEST_CASE("The mean of paths does not depend on the factor of roulette", "[roulette]")
{
    for (const auto& lights : {std::vector<LightSpec>{constantSky()}, sunOnly()}) {
        Ball ball(lights);
        const auto mean = [&](float factor) {
            ball.scene.roulette_factor = factor;
            return averagePaths(
                ball.scene, 40000,
                [&](std::uint32_t i) {
                    return PathStart{ball.camera.ray(32, 32), Sampler(static_cast<std::uint64_t>(1000 * factor), i, 0)};
                },
                [](const PathResult& result) { return result.radiance.y(); });
        };
        const Estimate early = mean(2), late = mean(0.125f);
        CHECK(early.sigmas(late) < 3.5);
    }
}
