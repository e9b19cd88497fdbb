// Renders compared as a reviewer would: another seed, snow that has moved, another albedo.

#include <catch2/catch.hpp>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "common/cache/points_file.h"
#include "common/compare/significance.h"
#include "common/image/exr.h"
#include "common/scene/hash.h"
#include "common/scene/load.h"
#include "render/cli/program.h"
#include "tests/render/cli/farm.h"
#include "tests/temporary_folder.h"

using namespace firn;
namespace fs = std::filesystem;

namespace {

constexpr int size_px = 48;
constexpr double ball_m = 0.1, pixel_m = 0.32 / size_px;  // at the ball's distance: 1 m x 36 mm / 112.5 mm

/// A ball of snow before a white sky: bright behind it, the same light on all of it.
constexpr const char* sceneText = R"(version = 1
frames = "1-2"
[[snow]]
shape = "sphere"
radius_m = 0.1
[camera]
position = [0, 0, 1]
look_at = [0, 0, 0]
focal_length_mm = 112.5
[[light]]
name = "everywhere"
kind = "constant"
strength = 1.0
color = [1.0, 1.0, 1.0]
[solver]
dx = 0.02
[render]
width = 48
height = 48
spp = 128
albedo = [0.7, 0.7, 0.7]
)";

struct Takes {
    TemporaryFolder folder;

    Takes() { std::ofstream(folder / "ball.toml") << sceneText; }

    static int run(std::vector<std::string> arguments)
    {
        arguments.insert(arguments.begin(), "firn-render");
        std::vector<const char*> argv;
        argv.reserve(arguments.size());
        for (const std::string& argument : arguments) argv.push_back(argument.c_str());
        return runProgram(renderProgram(), static_cast<int>(argv.size()), argv.data());
    }

    /// Particles at half the cells' width, `up_m` higher than they were.
    ParticleFrame ball(double up_m) const
    {
        const Scene scene = loadScene(folder / "ball.toml").scene;
        ParticleFrame frame;
        frame.frame = 1;
        frame.fps = scene.fps;
        frame.dx_m = scene.solver.dx;
        frame.scene_hash = sceneHash(scene);
        constexpr double spacing_m = 0.01;
        for (int i = 0; i < 20 * 20 * 20; ++i) {
            const Vec3i cell(i % 20, i / 20 % 20, i / 400);
            const Vec3d place = (cell.cast<double>() - Vec3d::Constant(9.5)) * spacing_m;  // from the ball's middle
            if (place.norm() > ball_m) continue;
            firn::test::addAtRest(frame, i, place + Vec3d(0, up_m, 0), 1e-6f);
        }
        return frame;
    }

    /// Renders a take into a folder of its own.
    std::string take(const std::string& name, double up_m, std::vector<std::string> more) const
    {
        const fs::path cache = folder / (name + "-cache"), out = folder / name;
        fs::create_directories(cache);
        writePointsFile(cache / "snow.0001.vdb", ball(up_m));
        std::vector<std::string> arguments = {
            "frames", (folder / "ball.toml").string(), "--cache", cache.string(), "--out", out.string(), "--progress",
            "none"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        REQUIRE(run(arguments) == 0);
        return out.string();
    }

    int compare(const std::string& a, const std::string& b, std::vector<std::string> more) const
    {
        std::vector<std::string> arguments = {"compare", a, b, "--out", (folder / "compared").string()};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run(arguments);
    }
    nlohmann::json frame() const
    {
        return nlohmann::json::parse(std::ifstream(folder / "compared/metrics.json"))["frames"][0];
    }
};

Image picture(const std::string& take) { return readExr(fs::path(take) / "ball.0001.exr"); }

}  // namespace

TEST_CASE("Another seed is no significant difference; snow moved by half a voxel is, along its edge")
{
    const Takes takes;
    const std::string first = takes.take("first", 0, {"--seed", "1"});
    const std::string other = takes.take("other", 0, {"--seed", "2"});
    CHECK(takes.compare(first, other, {"--fail-significant", "0"}) == 0);
    // 48 x 48 pixels at a level of 0.001: 2.3 are expected below it, 13 or more with a chance of 1e-6.
    CHECK(takes.frame()["significance"]["share_below_level"].get<double>() < 13.0 / (size_px * size_px));
    CHECK(takes.frame()["significance"]["mean_deviations"].get<double>() < 4.5);

    const double voxel_m = static_cast<double>(std::get<float>(picture(first).metadata.at("firn.voxel_m")));
    const std::string moved = takes.take("moved", voxel_m / 2, {"--seed", "2"});
    CHECK(takes.compare(first, moved, {"--fail-significant", "0"}) == 5);
    CHECK_THAT(takes.frame()["failures"][0].get<std::string>(), Catch::StartsWith("share of significant pixels"));

    // The light is 1 and the ball below 0.4: what changes is its rim, to where particles' kernels reach (one cell, two
    // voxels), above and below more than at the sides: 30 degrees up, the shift across the rim is half of it.
    const auto s = significance(picture(first), picture(moved), {0, 0, size_px, size_px});
    REQUIRE(s);
    int called = 0, atRim = 0;
    for (int y = 0; y < size_px; ++y) {
        for (int x = 0; x < size_px; ++x) {
            if (static_cast<double>(s->deviations.row(y)[x]) < s->least_significant) continue;
            ++called;
            const double dx = x + 0.5 - size_px / 2.0, dy = y + 0.5 - size_px / 2.0;
            const bool isAtRim = std::abs(std::hypot(dx, dy) - ball_m / pixel_m) < (2 * voxel_m + pixel_m) / pixel_m;
            if (isAtRim && std::abs(dy) > std::abs(dx) / std::sqrt(3)) ++atRim;
        }
    }
    CHECK(called == std::lround(s->share_significant * static_cast<double>(s->pixels)));
    CHECK(called >= 10);
    CHECK(atRim >= 0.9 * called);
}

TEST_CASE("A baseline catches an albedo 1 % higher, naming frame and metric; the same render passes")
{
    const Takes takes;
    const std::string baseline = takes.take("baseline", 0, {});
    // Of a thick body, A(1) rises by 1.3 for each unit of albedo about 0.85 (the table of half spaces, g = 0.5): 0.007
    // more albedo makes it some 0.005 brighter.
    const std::vector<std::string> limits = {"--fail-rms", "0.001", "--fail-flip", "0.001"};
    CHECK(takes.compare(baseline, takes.take("same", 0, {}), limits) == 0);
    CHECK(takes.compare(baseline, takes.take("lighter", 0, {"--set", "render.albedo=[0.707,0.707,0.707]"}), limits) ==
          5);
    const nlohmann::json frame = takes.frame();
    CHECK(frame["frame"] == 1);
    REQUIRE(frame["failures"].size() == 2);
    CHECK_THAT(frame["failures"][0].get<std::string>(), Catch::StartsWith("FLIP "));
    CHECK_THAT(frame["failures"][1].get<std::string>(), Catch::StartsWith("RMS "));
    CHECK(frame["metadata"][0]["key"] == "firn.albedo");
}
