// Cost of light transport per scattering in dense snow, on one core. The balls have an optical radius of 72 (10 cm at
// 724 per metre) and are lit and seen from all sides; `blockShift` is log2 of the cells along an edge that share a
// majorant.

#include <benchmark/benchmark.h>

#include "render/camera.h"
#include "render/phase.h"
#include "render/radiance.h"
#include "render/roulette_factor.h"
#include "tests/render/noise_volume.h"
#include "tests/render/resting_camera.h"

using namespace firn;

namespace {

constexpr float radius_m = 0.1f;
constexpr double extinctionPerDensity = 724. / 400;

/// Density 400 (1 + contrast * noise) in a ball, noise uniform in [-1, 1] per voxel of 1 cm.
DensityGrid ball(float contrast)
{
    constexpr double voxel = 0.01;
    Sampler sampler(1, 0, 0);
    const Vec3i reach = Vec3i::Constant(static_cast<int>(radius_m / voxel) + 1);
    return test::densityInBox(-reach, reach, voxel, [&](const Vec3i& at) {
        const float noise = 2 * sampler.uniform() - 1;
        return at.cast<double>().norm() * voxel > radius_m ? 0 : 400 * (1 + contrast * noise);
    });
}

Ray isotropicRay(Sampler& sampler)
{
    const Vec2f u = sampler.uniform2(), v = sampler.uniform2();
    const Vec3f outward = deflect(Vec3f::UnitY(), 2 * u.x() - 1, u.y());
    return {1.3f * radius_m * outward, deflect(-outward, std::sqrt(1 - v.x()), v.y())};
}

void trace(benchmark::State& state, float contrast, const std::vector<LightKind>& lights)
{
    const Volume volume = volumeFromDensity(ball(contrast), extinctionPerDensity, static_cast<int>(state.range(0)));
    std::vector<LightSpec> specs;
    for (const LightKind kind : lights) specs.emplace_back().kind = kind;
    RenderScene scene;
    scene.volume = &volume;
    scene.lights = Lights(specs);
    const std::vector<ShadowRoulette> roulettes = makeShadowRoulettes(volume, scene.lights);
    if (state.range(1) != 0) scene.shadow_roulettes = roulettes;
    scene.medium = {Vec3f(.99985f, .9999f, .99995f), .5f};
    scene.roulette_factor = rouletteFactor(scene, {restingCamera(Vec3d(0, 0, 0.5), Vec3d::Zero(), 36, 1), 0, 64, 64});
    std::uint32_t path = 0;
    std::int64_t collisions = 0;
    double sum = 0, squares = 0;
    constexpr int pathsAtOnce = 4096;
    while (state.KeepRunning()) {
        tracePaths(
            scene, pathsAtOnce,
            [&](int) {
                Sampler sampler(1, path++, 0);
                const Ray ray = isotropicRay(sampler);
                return PathStart{ray, sampler};
            },
            [&](int, const PathResult& result) {
                collisions += result.collisions;
                const auto value = static_cast<double>(result.radiance.y());
                sum += value;
                squares += value * value;
            });
    }
    const double mean = sum / path, variance = squares / path - mean * mean;
    state.counters["collisions/path"] = static_cast<double>(collisions) / path;
    state.counters["ns/collision"] = benchmark::Counter(static_cast<double>(collisions) * 1e-9,
                                                        benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
    state.counters["variance"] = variance / (mean * mean);  // of one path, relative
}

void evenBallUnderSky(benchmark::State& state) { trace(state, 0, {LightKind::Sky}); }
void evenBallUnderSunAndSky(benchmark::State& state) { trace(state, 0, {LightKind::Sun, LightKind::Sky}); }
void noiseBallUnderSky(benchmark::State& state) { trace(state, .5f, {LightKind::Sky}); }
void noiseBallUnderSunAndSky(benchmark::State& state) { trace(state, .5f, {LightKind::Sun, LightKind::Sky}); }

}  // namespace

BENCHMARK(evenBallUnderSky)->ArgsProduct({{0, 1, 2, 3}, {0}})->ArgNames({"blockShift", "roulette"});
BENCHMARK(evenBallUnderSunAndSky)->ArgsProduct({{0, 1, 2, 3}, {0, 1}})->ArgNames({"blockShift", "roulette"});
BENCHMARK(noiseBallUnderSky)->ArgsProduct({{0, 1, 2, 3}, {0}})->ArgNames({"blockShift", "roulette"});
BENCHMARK(noiseBallUnderSunAndSky)->ArgsProduct({{0, 1, 2, 3}, {0, 1}})->ArgNames({"blockShift", "roulette"});
BENCHMARK_MAIN();
