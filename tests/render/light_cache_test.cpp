// Paths that end on the light cache against paths that do not, in the same snow.

#include "render/light_cache.h"

#include <catch2/catch.hpp>

#include "common/error.h"
#include "common/io/threads.h"
#include "other_lights.h"
#include "render/density_volume.h"
#include "render/embree_surfaces.h"
#include "render/light_cache_file.h"
#include "tests/temporary_folder.h"
#include "traced_paths.h"

using namespace firn;
using namespace firn::test;

namespace {

constexpr double voxel = 0.004;
constexpr double freePath = 0.002;  // m, in the block

/// A block of 0.192 x 0.096 x 0.192 m, 96 x 48 x 96 free paths, whose upper face is at y = 0. One leaf is denser, so
/// that the light is not the same everywhere.
Volume block()
{
    DensityGrid grid;
    grid.voxel_m = voxel;
    for (int x = -3; x < 3; ++x)
        for (int y = -3; y < 0; ++y)
            for (int z = -3; z < 3; ++z) grid.keys.push_back(leafKey(Vec3i(x, y, z)));
    std::sort(grid.keys.begin(), grid.keys.end());
    for (const LeafKey key : grid.keys) {
        grid.leaves.emplace_back();
        grid.leaves.back().fill(leafOfKey(key) == Vec3i(0, -1, 0) ? 2.0f : 1.0f);
    }
    return volumeFromDensity(grid, 1 / freePath);
}

/// Looks at the middle of the upper face, 12 cm wide.
PlacedCamera camera()
{
    Camera spec;
    spec.position = Vec3d(0.1, 0.5, 0.2);
    spec.look_at = Vec3d(0, 0, 0);
    spec.focal_length_mm = 36;
    spec.sensor_width_mm = 8;
    return {spec, 0, 32, 32};
}

LightSpec sun(double elevation_deg)
{
    LightSpec light;
    light.elevation_deg = elevation_deg;
    return light;
}

/// A lamp beside the block: a sphere of 6 cm radius, or a spot that is a point.
LightSpec lamp(LightKind kind)
{
    LightSpec light;
    light.kind = kind;
    light.position = Vec3d(0.15, 0.12, 0.05);
    light.radius_m = kind == LightKind::Sphere ? 0.06 : 0;
    light.cone_deg = 120;
    light.strength = 0.05;
    return light;
}

/// Of paths from all over the picture.
struct PathMeans {
    Estimate radiance;
    double collisions = 0;  // per path
};

PathMeans tracePaths(const RenderScene& scene, int paths, std::uint64_t seed)
{
    std::atomic<std::uint64_t> collisions = 0;
    const PlacedCamera view = camera();
    const auto start = [&](std::uint32_t path) {
        Sampler sampler(seed, path, 0);
        const Vec2f pixel = sampler.uniform2() * 32;
        return PathStart{view.ray(pixel.x(), pixel.y()), sampler};
    };
    const Estimate radiances = averagePaths(scene, paths, start, [&](const PathResult& traced) {
        collisions += static_cast<std::uint64_t>(traced.collisions);
        return traced.radiance.x();
    });
    return {radiances, static_cast<double>(collisions) / paths};
}

bool goOn(double) { return true; }

}  // namespace

TEST_CASE("Paths that end on the light cache have the mean of paths that do not, with fewer scatterings")
{
    struct Row {
        const char* name;
        double albedo;
        LightSpec light;
        double tolerance;  // relative
    };
    const Row rows[] = {{"clean, sky", .999, constantSky(), .005},
                        {"clean, sun", .999, sun(40), .005},
                        {"dirty, low sun", .9, sun(16), .015},
                        {"clean, near sphere", .999, lamp(LightKind::Sphere), .005},
                        {"clean, spot without size", .999, lamp(LightKind::Spot), .005}};
    constexpr int fills = 5;
    const Volume volume = block();
    for (const Row& row : rows) {
        RenderScene scene;
        scene.volume = &volume;
        scene.lights = Lights({row.light});
        scene.medium = {Vec3f::Constant(static_cast<float>(row.albedo)), 0.5f};
        const PathMeans plain = tracePaths(scene, 250000, 1);
        // A fill's noise is the same in all paths that end on it, so the error comes from the spread over fills.
        std::vector<double> means;
        double cachedCollisions = 0;
        for (std::uint64_t fill = 0; fill < fills; ++fill) {
            LightCacheSettings settings;
            settings.photons = 400'000;
            settings.seed = fill;
            const LightCache cache(scene, camera(), {0, 0, 32, 32}, settings, goOn);
            RenderScene cached = scene;
            cached.light_cache = &cache;
            const PathMeans ended = tracePaths(cached, 50000, 100 + fill);
            means.push_back(ended.radiance.mean);
            cachedCollisions += ended.collisions / fills;
        }
        const Estimate ended = average(fills, [&](std::uint32_t fill) { return means[fill]; });
        const double mean = plain.radiance.mean, noise = std::hypot(plain.radiance.error, ended.error);
        CAPTURE(row.name, mean, ended.mean / mean - 1, noise / mean, plain.collisions, cachedCollisions);
        CHECK(std::abs(ended.mean - mean) < row.tolerance * mean + 3 * noise);
        CHECK(noise < .008 * mean);
        CHECK(cachedCollisions < 0.7 * plain.collisions);
    }
}

TEST_CASE("The light cache has the same bits for any number of threads")
{
    const Volume volume = block();
    RenderScene scene;
    scene.volume = &volume;
    scene.lights = Lights({constantSky(), sun(30)});
    scene.medium = {Vec3f(.9f, .95f, 1), 0.5f};
    LightCacheSettings settings;
    settings.photons = 20000;
    std::vector<Vec3f> results[2];
    for (const int threads : {1, 4}) {
        runWithThreads(threads, [&] {
            const LightCache cache(scene, camera(), {0, 0, 32, 32}, settings, goOn);
            for (int i = 0; i < 200; ++i) {
                const auto t = static_cast<float>(i);
                GroupedLight light = GroupedLight::Zero(3, 1);
                cache.scattered(Vec3f(-0.03f + 0.0003f * t, -0.012f, 0.01f), Vec3f::UnitY(), light);
                results[threads == 4].push_back(light.col(0));
            }
        });
    }
    CHECK(results[0] == results[1]);
    CHECK(std::count_if(results[0].begin(), results[0].end(), [](const Vec3f& v) { return v.x() > 0; }) > 50);
}

TEST_CASE("A sky without light changes nothing in a light cache")
{
    const Volume volume = block();
    RenderScene scene;
    scene.volume = &volume;
    scene.medium = {Vec3f(.9f, .95f, 1), 0.5f};
    LightCacheSettings settings;
    settings.photons = 20000;
    LightSpec dark = constantSky();
    dark.strength = 0;
    CHECK(Lights(std::vector<LightSpec>{dark}).all().front()->sample(Vec3f::Zero(), {0.5f, 0.5f}).scale == 0);
    scene.lights = Lights(std::vector<LightSpec>{sun(30)});
    const LightCache alone(scene, camera(), {0, 0, 32, 32}, settings, goOn);
    RenderScene both = scene;
    both.lights = Lights({dark, sun(30)});
    const LightCache withSky(both, camera(), {0, 0, 32, 32}, settings, goOn);
    CHECK(withSky.contents().light == alone.contents().light);
}

TEST_CASE("A light cache keeps the light of each group apart")
{
    const Volume volume = block();
    RenderScene scene;
    scene.volume = &volume;
    scene.medium = {Vec3f(.9f, .95f, 1), 0.5f};
    LightCacheSettings settings;
    settings.photons = 20000;
    LightSpec sky = constantSky(), low = sun(30);
    scene.lights = Lights({sky, low});
    const LightCache together(scene, camera(), {0, 0, 32, 32}, settings, goOn);
    RenderScene grouped = scene;
    low.group = "key";
    grouped.lights = Lights({sky, low});
    const LightCache apart(grouped, camera(), {0, 0, 32, 32}, settings, goOn);
    int found = 0;
    for (int i = 0; i < 200; ++i) {
        const Vec3f point(-0.03f + 0.0003f * static_cast<float>(i), -0.012f, 0.01f);
        GroupedLight sum = GroupedLight::Zero(3, 1), parts = GroupedLight::Zero(3, 2);
        REQUIRE(together.scattered(point, Vec3f::UnitY(), sum) == apart.scattered(point, Vec3f::UnitY(), parts));
        if (!(parts.array() > 0).all()) continue;
        CHECK(parts.rowwise().sum().isApprox(sum.col(0), 1e-5f));
        ++found;
    }
    CHECK(found > 50);
}

TEST_CASE("A light cache is the same after it was written to a file and read again")
{
    const Volume volume = block();
    RenderScene scene;
    scene.volume = &volume;
    scene.lights = Lights({constantSky(), sun(30)});
    scene.medium = {Vec3f(.9f, .95f, 1), 0.5f};
    LightCacheSettings settings;
    settings.photons = 20000;
    const LightCache made(scene, camera(), {0, 0, 32, 32}, settings, goOn);
    const TemporaryFolder folder;
    const std::filesystem::path path = folder / "light.firn";
    writeLightCache(path, "a block", made);
    const LightCache read(scene, settings, readLightCache(path, "a block"));
    CHECK(read.isComplete());
    CHECK(read.cellCount() == made.cellCount());
    CHECK(read.cell_m() == made.cell_m());
    int found = 0;
    for (int i = 0; i < 200; ++i) {
        const Vec3f point(-0.03f + 0.0003f * static_cast<float>(i), -0.012f, 0.01f);
        GroupedLight a = GroupedLight::Zero(3, 1), b = a;
        CHECK(made.scattered(point, Vec3f::UnitY(), a) == read.scattered(point, Vec3f::UnitY(), b));
        CHECK(a == b);
        found += a(0, 0) > 0;
    }
    CHECK(found > 50);
    CHECK_THROWS_WITH(readLightCache(path, "another block"), Catch::Contains("is of another scene"));

    const auto refused = [&](LightCache::Contents contents) {
        CHECK_THROWS_WITH(LightCache(scene, settings, std::move(contents)), Catch::Contains("not of this scene"));
    };
    LightCache::Contents contents = made.contents();
    contents.blocks[0] = Vec3i(-1, 0, 0);
    refused(contents);
    contents = made.contents();
    contents.blocks.back() = Vec3i::Constant(1 << 20);
    refused(contents);
    contents = made.contents();
    std::swap(contents.blocks[0], contents.blocks[1]);
    refused(contents);
    contents = made.contents();
    contents.collisions.pop_back();
    refused(contents);
    contents = made.contents();
    contents.light.pop_back();
    refused(contents);
    std::filesystem::resize_file(path, std::filesystem::file_size(path) - 1);
    CHECK_THROWS_AS(readLightCache(path, "a block"), Error);
}

TEST_CASE("A light cache is only made where it holds: bricks, a light, no bright body, no bound on scatterings")
{
    const Volume volume = block();
    RenderScene scene;
    scene.volume = &volume;
    scene.lights = Lights({constantSky()});
    CHECK(LightCache::isPossible(scene));
    scene.max_bounces = 12;
    CHECK_FALSE(LightCache::isPossible(scene));
    scene.max_bounces = 0;
    scene.lights = Lights();
    CHECK_FALSE(LightCache::isPossible(scene));
    scene.lights = Lights({lamp(LightKind::Sphere)});
    CHECK(LightCache::isPossible(scene));
    Body window;
    window.emission = Vec3d(1, 0.7, 0.3);
    const EmbreeSurfaces bright({window});
    scene.surfaces = &bright;
    CHECK_FALSE(LightCache::isPossible(scene));
    window.visible = false;
    const EmbreeSurfaces unseen({window});
    scene.surfaces = &unseen;
    CHECK(LightCache::isPossible(scene));
    scene.volume = nullptr;
    CHECK_FALSE(LightCache::isPossible(scene));
    const Volume homogeneous = Volume::homogeneous(Vec3f::Zero(), Vec3f::Ones(), 10);
    scene.volume = &homogeneous;
    CHECK_FALSE(LightCache::isPossible(scene));
}
