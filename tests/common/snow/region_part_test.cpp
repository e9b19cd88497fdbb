// Regions that fill a part of their shape: the top of it, what a mask shows, patches.

#include "common/snow/region_part.h"

#include <catch2/catch.hpp>
#include <set>
#include <tuple>

#include "common/error.h"
#include "common/snow/region.h"
#include "tests/common/image/gray_png.h"
#include "tests/common/scene/scene_text.h"

using namespace firn;
using Catch::Contains;

namespace {

/// A scene with layers of 2 m by 1 m and 20 cm of snow.
Scene layers(int count)
{
    Scene scene;
    scene.file = "test.toml";
    scene.solver.dx = 0.04;
    for (int i = 0; i < count; ++i) {
        SnowRegion layer;
        layer.name = "layer" + std::to_string(i);
        layer.shape = SnowShape::Layer;
        layer.min = Vec3d(-1, 0, -0.5);
        layer.max = Vec3d(1, 0, 0.5);
        layer.depth_m = 0.2;
        layer.roughness_m = 0.02;
        scene.snow.push_back(layer);
    }
    return scene;
}

using Place = std::tuple<double, double, double>;

/// The places of a region's particles. Fails if one is in another region, too.
void addPlaces(const Scene& scene, std::size_t which, std::set<Place>& places)
{
    for (const auto& slab : seedsOf(regionsOf(scene), which, scene.solver.dx, {}).slabs)
        for (const Seed& seed : slab) REQUIRE(places.insert({seed.x.x(), seed.x.y(), seed.x.z()}).second);
}

std::set<Place> allPlaces(const Scene& scene)
{
    std::set<Place> places;
    for (std::size_t r = 0; r < scene.snow.size(); ++r) addPlaces(scene, r, places);
    return places;
}

std::string refusalOfMask(const SceneFolder& folder, const std::filesystem::path& file, bool invert = false)
{
    Scene scene = layers(1);
    scene.snow[0].mask = {.file = file, .file_place = "test.toml:7:8", .invert = invert};
    return refusalOf(folder, [&] { regionsOf(scene); }).message;
}

}  // namespace

TEST_CASE("Regions that share a shape by depth, patches and a mask fill it without gaps and overlaps", "[snow]")
{
    const SceneFolder folder;
    const auto mask = folder.write("mask.png", png16(4, 2, {0, 20000, 40000, 65535, 65535, 40000, 20000, 0}));
    const std::set<Place> whole = allPlaces(layers(1));
    Scene scene = layers(4);
    scene.snow[0].top_only_m = 0.05;
    scene.snow[1].patches = {.share = 0.4, .size_m = 0.3, .softness = 0.5};
    scene.snow[2].mask.file = mask;
    CHECK(allPlaces(scene) == whole);
    for (std::size_t r = 0; r < scene.snow.size(); ++r) {
        std::set<Place> own;
        addPlaces(scene, r, own);
        CHECK(own.size() > whole.size() / 20);
    }
}

TEST_CASE("The top of a region follows its rough surface", "[snow]")
{
    Scene scene = layers(2);
    scene.snow[0].top_only_m = 0.05;
    const std::vector<Region> regions = regionsOf(scene);
    for (const auto& slab : seedsOf(regions, 0, scene.solver.dx, {}).slabs)
        for (const Seed& seed : slab) REQUIRE(seed.depth_m <= 0.05);
    for (const auto& slab : seedsOf(regions, 1, scene.solver.dx, {}).slabs)
        for (const Seed& seed : slab) REQUIRE(seed.depth_m > 0.05);
}

TEST_CASE("A mask lies as a terrain's picture does, and grey is a share", "[snow]")
{
    const SceneFolder folder;
    Scene scene = layers(1);
    scene.snow[0].mask.file = folder.write("mask.png", png16(4, 2, {0, 0, 65535, 65535, 16384, 16384, 65535, 65535}));
    const RegionPart part(scene.snow[0]);
    CHECK(part.share(Vec3d(-0.9, 0, -0.45)) == 0);  // the first pixel: lowest x, lowest z
    CHECK(part.share(Vec3d(0.9, 0, -0.45)) == 1);
    CHECK(part.share(Vec3d(-0.9, 0, 0.45)) == Approx(0.25).epsilon(1e-4));
    CHECK(part.share(Vec3d(0, 0, -0.45)) == Approx(0.5));  // between the second and the third pixel
    int there = 0;
    const int count = 20000;
    for (int i = 0; i < count; ++i) there += part.contains(Vec3d(-0.9, 1e-5 * i, 0.45), 0.1);
    CHECK(there / static_cast<double>(count) == Approx(0.25).margin(0.015));  // five standard errors
    scene.snow[0].mask.invert = true;
    const RegionPart rest(scene.snow[0]);
    for (const double x : {-0.7, -0.1, 0.05, 0.6})
        CHECK(rest.share(Vec3d(x, 0, 0.1)) == Approx(1 - part.share(Vec3d(x, 0, 0.1))).margin(1e-6));
}

TEST_CASE("Patches cover their share, with sharp or soft borders", "[snow]")
{
    for (const double share : {0.1, 0.5, 0.8})
        for (const double softness : {0.0, 0.3}) {
            Scene scene = layers(1);
            scene.snow[0].patches = {.share = share, .size_m = 0.5, .softness = softness, .seed = 4};
            const RegionPart part(scene.snow[0]);
            double sum = 0;
            int mixed = 0;
            constexpr int perAxis = 200;
            for (int i = 0; i < perAxis; ++i)
                for (int j = 0; j < perAxis; ++j) {
                    const double here = part.share(Vec3d(0.61 * i + 40, 0.1, 0.61 * j + 70));
                    sum += here;
                    mixed += here > 0 && here < 1;
                }
            INFO("share " << share << ", softness " << softness);
            CHECK(sum / (perAxis * perAxis) == Approx(share).margin(softness == 0 ? 0.03 : 0.06));
            CHECK((mixed > 0) == (softness > 0));
            // The same from top to bottom.
            CHECK(part.share(Vec3d(0.3, 0, 0.2)) == part.share(Vec3d(0.3, 0.19, 0.2)));
        }
}

TEST_CASE("Masks that do not fit their region are refused", "[snow]")
{
    const SceneFolder folder;
    CHECK(refusalOfMask(folder, folder.write("good.png", png16(4, 2, {0, 0, 1, 1, 1, 1, 1, 1}))) == "accepted");
    const auto withAlpha = [&](int alpha) {
        return folder.write(
            "alpha.png",
            png16(8, 2, {0, 65535, 0, alpha, 1, alpha, 1, alpha, 1, alpha, 1, alpha, 1, alpha, 1, alpha}, 4));
    };
    CHECK(refusalOfMask(folder, withAlpha(65535)) == "accepted");
    CHECK_THAT(refusalOfMask(folder, withAlpha(65534)),
               Contains("it has transparent pixels; expected a picture without transparency"));
    CHECK_THAT(refusalOfMask(folder, folder.write("tall.png", png16(2, 8, std::vector<int>(16, 1)))),
               Contains("test.toml:7:8: mask of snow region \"layer0\", ") &&
                   Contains("found 2 x 8 pixels, but the region measures 2 m along x and 1 m along z; expected 2 x 1"));
    CHECK_THAT(refusalOfMask(folder, folder.write("black.png", png16(4, 2, std::vector<int>(8, 0)))),
               Contains("all pixels are black; the region would have no snow"));
    CHECK_THAT(refusalOfMask(folder, folder.write("white.png", png16(4, 2, std::vector<int>(8, 65535))), true),
               Contains("all pixels are white and inverted"));
    CHECK_THAT(refusalOfMask(folder, folder.write("mask.tif", "II*")), Contains("\".tif\"; expected .png or .exr"));
    CHECK_THAT(refusalOfMask(folder, folder.write("cut.png", "\x89PNG")), Contains("not a readable grey PNG"));
    CHECK_THAT(refusalOfMask(folder, folder.path() / "gone.png"), Contains("gone.png"));
}

TEST_CASE("Keys of a region's part that mean nothing are refused", "[snow]")
{
    CHECK_THAT(refusal(smallScene + "top_only_m = 0.3\n").message,
               Contains("'snow.bed.top_only_m' is 0.3, but the region is only 0.2 m thick"));
    CHECK_THAT(refusal(smallScene + "[snow.mask]\ninvert = true\n").message,
               Contains("[snow.mask] of 'bed' needs a 'file'"));
    CHECK_THAT(refusal(smallScene + "rotation_deg = [0, 5, 0]\n[snow.mask]\nfile = \"m.png\"\n").message,
               Contains("'bed' has a mask and cannot be rotated"));
    CHECK_THAT(refusal(smallScene + "[snow.mask]\nfile = \"m.png\"\n").message, Contains("m.png"));
    CHECK_THAT(refusal(smallScene + "velocity = [1, 0, 0]\n[snow.patches]\nshare = 0.5\n[snow.source]\nlength_s = 1\n")
                   .message,
               Contains("'bed' is a stream, which does not go with [snow.patches]"));
    const std::string sphere = "[[snow]]\nname = \"ball\"\nshape = \"sphere\"\nradius_m = 0.1\n";
    CHECK_THAT(refusal(sphere + "top_only_m = 0.2\n").message, Contains("only 0.1 m from surface to centre"));
    CHECK_THAT(refusal(sphere + "[snow.mask]\nfile = \"m.png\"\n").message, Contains("needs a box or a layer"));
}
