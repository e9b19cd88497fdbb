// Paths that end on the light cache, in half spaces and slabs, against paths that do not, and against exact values
// where they are known. Prints a table; exit code 1 if a row is off by more than .5 % (albedo from .99) or 1.5 %
// (below) and three standard errors. Takes about an hour of processor time.
//
//     ninja -C build light_cache_forms && build/tests/campaign/light_cache_forms
//
// The exact values: adding-doubling for index-matched media with Henyey and Greenstein's phase function, g = 0.5 (van
// de Hulst 1980).

#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <optional>

#include "render/density_volume.h"
#include "render/light_cache.h"
#include "tests/render/other_lights.h"
#include "tests/render/traced_paths.h"

using namespace firn;
using namespace firn::test;

namespace {

constexpr double freePath_m = 0.002;
constexpr int fills = 4, paths = 250'000;  // of each fill
constexpr std::uint64_t photons = 400'000;

struct Geometry {
    const char* name;
    double voxel_m;
    int leaves;       // below y = 0
    int half_leaves;  // to each side
};

/// As wide as hundreds of free paths, so that the sides do not matter in the middle.
constexpr std::array<Geometry, 3> geometries = {
    {{"half space", 0.004, 8, 14}, {"slab of 64", 0.004, 4, 14}, {"slab of 8", 0.001, 2, 28}}};

struct Lighting {
    const char* name;
    double cosine;                               // of the sun; 0 = sky of radiance 1
    std::array<std::optional<double>, 4> exact;  // half space, by albedo
};

constexpr std::array<double, 4> albedos = {.9, .95, .99, .999};
constexpr std::optional<double> unknown;
const std::array<Lighting, 4> lightings = {{{"sky", 0, {.27778, .40388, .66461, .87797}},
                                            {"sun, cosine 1", 1, {.08009, unknown, .21773, unknown}},
                                            {"sun, cosine .5", .5, {.04674, unknown, .10501, unknown}},
                                            {"sun, cosine .28", .28, {}}}};

Volume volumeOf(const Geometry& geometry)
{
    DensityGrid grid;
    grid.voxel_m = geometry.voxel_m;
    const int n = geometry.half_leaves;
    for (int x = -n; x < n; ++x)
        for (int y = -geometry.leaves; y < 0; ++y)
            for (int z = -n; z < n; ++z) grid.keys.push_back(leafKey(Vec3i(x, y, z)));
    std::sort(grid.keys.begin(), grid.keys.end());
    grid.leaves.resize(grid.keys.size());
    for (auto& leaf : grid.leaves) leaf.fill(1.0f);
    return volumeFromDensity(grid, 1 / freePath_m);
}

/// Looks down on 4 x 4 cm from far away.
PlacedCamera camera()
{
    constexpr double distance_m = 20, width_m = 0.04;
    Camera spec;
    spec.position = Vec3d(0.001, distance_m, 0.002);
    spec.look_at = Vec3d(0.001, 0, 0.001);
    spec.focal_length_mm = 36;
    spec.sensor_width_mm = 36 * width_m / distance_m;
    return {spec, 0, 32, 32};
}

LightSpec lightOf(const Lighting& lighting)
{
    if (lighting.cosine <= 0) return constantSky();
    LightSpec sun;
    sun.elevation_deg = std::asin(lighting.cosine) * 180 / pi;
    sun.strength = 1;
    return sun;
}

Estimate trace(const RenderScene& scene, std::uint64_t seed, int count)
{
    const PlacedCamera view = camera();
    return averageRadiance(scene, count, [&](std::uint32_t path) {
        Sampler sampler(seed, path, 0);
        const Vec2f pixel = sampler.uniform2() * 32;
        return PathStart{view.ray(pixel.x(), pixel.y()), sampler};
    });
}

Estimate traceCached(const RenderScene& scene)
{
    std::array<double, fills> means{};
    for (std::uint64_t fill = 0; fill < fills; ++fill) {
        const LightCacheSettings settings{.photons = photons, .seed = fill};
        const LightCache cache(scene, camera(), {0, 0, 32, 32}, settings, [](double) { return true; });
        RenderScene cached = scene;
        cached.light_cache = &cache;
        means[fill] = trace(cached, 100 + fill, paths).mean;
    }
    return average(fills, [&](std::uint32_t fill) { return means[fill]; });
}

/// Prints a row; false if it is off.
bool compare(const Geometry& geometry, const Volume& volume, const Lighting& lighting, std::size_t a)
{
    RenderScene scene;
    scene.volume = &volume;
    scene.lights = Lights({lightOf(lighting)});
    scene.medium = {Vec3f::Constant(static_cast<float>(albedos[a])), 0.5f};
    const Estimate plain = trace(scene, 1, fills * paths), cached = traceCached(scene);
    const bool isHalfSpace = &geometry == geometries.data();
    const std::optional<double> exact = isHalfSpace ? lighting.exact[a] : unknown;
    const double reference = exact.value_or(plain.mean);
    const double noise = std::hypot(cached.error, exact ? 0 : plain.error);
    const double off = cached.mean - reference, tolerance = (albedos[a] >= .99 ? .005 : .015) * reference;
    const bool isRight = std::abs(off) < tolerance + 3 * noise;
    std::printf("%-11s  %-16s  %.3f  paths %.5f  cached %.5f  %s %.5f  %+.2f +- %.2f %%%s\n", geometry.name,
                lighting.name, albedos[a], plain.mean, cached.mean, exact ? "exact" : "paths", reference,
                100 * off / reference, 100 * noise / reference, isRight ? "" : "  OFF");
    std::fflush(stdout);
    return isRight;
}

}  // namespace

int main()
{
    bool isRight = true;
    for (const Geometry& geometry : geometries) {
        const Volume volume = volumeOf(geometry);
        for (const Lighting& lighting : lightings) {
            for (std::size_t a = 0; a < albedos.size(); ++a)
                isRight = compare(geometry, volume, lighting, a) && isRight;
        }
    }
    return isRight ? 0 : 1;
}
