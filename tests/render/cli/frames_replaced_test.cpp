// Which pictures frames replaces, and which it refuses to.

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "common/cache/checkpoint.h"
#include "common/cache/layout.h"
#include "common/error.h"
#include "common/image/exr.h"
#include "common/io/json.h"
#include "common/scene/hash.h"
#include "common/scene/identity.h"
#include "tests/render/cli/captured_errors.h"
#include "tests/render/cli/farm.h"

using namespace firn;
using namespace firn::test;

namespace {

/// Renders frame 1 alone.
void renderOnce(Farm& farm, int spp)
{
    farm.job.frames = "1";
    farm.job.spp = spp;
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
}

}  // namespace

TEST_CASE("A picture is not replaced by a cheaper one, unless forced")
{
    Farm farm;
    renderOnce(farm, 8);
    std::string message;
    farm.job.spp = 4;
    for (const bool resume : {false, true}) {
        farm.job.resume = resume;
        CHECK(refusal(farm.job, message) == ExitCode::Usage);
        CHECK_THAT(message, Catch::Contains("tiny.0001.exr is a picture with 8 paths per pixel, more than now (4)") &&
                                Catch::Contains("--force"));
    }
    farm.job.resume = false;
    farm.job.spp = 800;
    farm.job.crop = "0,0,8,8";
    CHECK(refusal(farm.job, message) == ExitCode::Usage);
    CHECK_THAT(message, Catch::Contains("is a picture with 24 x 16 pixels at 0,0 of 24 x 16, not all of which are made "
                                        "now (8 x 8 pixels at 0,0 of 24 x 16)"));
    farm.job.crop = "";
    farm.job.resolution = "12x8";
    CHECK(refusal(farm.job, message) == ExitCode::Usage);
    farm.job.resolution = "";
    farm.job.crop = "0,0,8,8";
    farm.job.spp = 4;
    farm.job.force = true;
    farm.job.progress = ProgressMode::Plain;
    {
        const CapturedErrors errors;
        CHECK(renderFrames(farm.job) == ExitCode::Done);
        CHECK_THAT(errors.text(),
                   Catch::Contains("will be replaced: ") && Catch::Contains("8 paths per pixel, more than now (4)"));
    }
    farm.job.force = false;
    farm.job.crop = "";
    CHECK(renderFrames(farm.job) == ExitCode::Done);
}

TEST_CASE("The picture itself tells how many paths it has, without its line of statistics and without its preview")
{
    Farm farm;
    renderOnce(farm, 8);
    const auto before = fs::last_write_time(farm.image(1, ".exr"));
    SECTION("no statistics") { fs::remove(farm.job.out / "render_stats.jsonl"); }
    SECTION("a missing preview is no missing picture")
    {
        fs::remove(farm.image(1, ".png"));
        farm.job.skip_existing = true;
    }
    SECTION("a picture of another folder")
    {
        FramesJob other = farm.job;
        other.out = farm.root / "other";
        other.spp = 20;
        REQUIRE(renderFrames(other) == ExitCode::Done);
        fs::copy_file(other.out / "tiny.0001.exr", farm.image(1, ".exr"), fs::copy_options::overwrite_existing);
        fs::last_write_time(farm.image(1, ".exr"), before);
    }
    farm.job.spp = 4;
    std::string message;
    CHECK(refusal(farm.job, message) == ExitCode::Usage);
    CHECK_THAT(message, Catch::Contains("tiny.0001.exr is a picture with"));
    CHECK(fs::last_write_time(farm.image(1, ".exr")) == before);
}

TEST_CASE("A picture is not replaced by one that reaches its target with fewer paths, unless forced")
{
    Farm farm;
    renderOnce(farm, 256);
    std::string message;
    farm.job.noise_target = 0.9;
    CHECK(refusal(farm.job, message) == ExitCode::Usage);
    CHECK_THAT(message, Catch::Contains("tiny.0001.exr is a picture with 256 paths per pixel") &&
                            Catch::Contains("samples of the frame are kept"));
    farm.job.force = true;
    CHECK(renderFrames(farm.job) == ExitCode::Done);
}

TEST_CASE("A picture of another simulation is not replaced, unless forced")
{
    Farm farm;
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    farm.job.scene_options.set = {"solver.dx=0.06"};
    const Scene other = loadScene(farm.job.shot, farm.job.scene_options).scene;
    for (const int frame : {1, 2}) writePointsFile(farm.cacheFile(frame), Farm::snow(other, frame));
    std::string message;
    CHECK(refusal(farm.job, message) == ExitCode::Usage);
    CHECK_THAT(message, Catch::Contains("tiny.0001.exr is a picture of another simulation (solver.dx: 0.05 in the "
                                        "picture, 0.06 now). Choose another --out, or replace it with --force"));
    farm.job.force = true;
    CHECK(renderFrames(farm.job) == ExitCode::Done);
}

TEST_CASE("A picture that was forced from another simulation is not replaced, unless forced")
{
    Farm farm;
    const Scene scene = loadScene(farm.job.shot, farm.job.scene_options).scene;
    farm.job.scene_options.set = {"solver.dx=0.06"};
    const Scene other = loadScene(farm.job.shot, farm.job.scene_options).scene;
    farm.job.scene_options.set.clear();
    for (const int frame : {1, 2}) writePointsFile(farm.cacheFile(frame), Farm::snow(other, frame));
    farm.job.force = true;
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    farm.job.force = false;
    for (const int frame : {1, 2}) writePointsFile(farm.cacheFile(frame), Farm::snow(scene, frame));
    std::string message;
    CHECK(refusal(farm.job, message) == ExitCode::Usage);
    CHECK_THAT(message, Catch::Contains("tiny.0001.exr is a picture of another simulation. Choose another --out"));
}

TEST_CASE("frames warns of pictures that it replaces with other values of the scene")
{
    Farm farm;
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    farm.job.scene_options.set = {"camera.focal_length_mm=70", "render.max_bounces=3"};
    {
        const CapturedErrors errors;
        CHECK(renderFrames(farm.job) == ExitCode::Done);
        CHECK_THAT(errors.text(), Catch::Contains("warning: 2 pictures of other values will be replaced, such as " +
                                                  farm.image(1, ".exr").string() + " (camera.focal_length_mm: ") &&
                                      Catch::Contains(" in the picture, 70.0 now; 1 more value differs)\n"));
    }
    {
        farm.job.seed = 3;
        farm.job.format = "float";
        const CapturedErrors errors;
        CHECK(renderFrames(farm.job) == ExitCode::Done);
        CHECK_THAT(errors.text(), Catch::Contains("(format: half in the picture, float now; 1 more value differs)"));
    }
    {
        // --resume goes on with the same job only.
        farm.job.resume = true;
        farm.job.seed = 4;
        std::string message;
        CHECK(refusal(farm.job, message) == ExitCode::Usage);
        CHECK_THAT(message, Catch::Contains("tiny.0001.exr is a picture of other values (") &&
                                Catch::Contains("), and --resume alone goes on with the same job only. Choose another "
                                                "--out, or replace it with --resume "
                                                "--force, which also continues stopped frames of this job"));
        farm.job.force = true;
        CHECK(renderFrames(farm.job) == ExitCode::Done);
        farm.job.force = farm.job.resume = false;
    }
    // More paths, another tone curve or a longer shot lose nothing.
    farm.job.scene_options.set.push_back("frames=1-5");
    farm.job.spp = 4;
    farm.job.exposure = 1;
    {
        const CapturedErrors errors;
        CHECK(renderFrames(farm.job) == ExitCode::Done);
        CHECK_THAT(errors.text(), !Catch::Contains("replaced"));
    }
    fs::remove(farm.image(2, ".exr"));
    const CapturedErrors errors;
    CHECK(renderFrames(farm.job) == ExitCode::Done);
    CHECK_THAT(errors.text(), Catch::Contains("warning: 1 preview without its EXR will be replaced: " +
                                              farm.image(2, ".png").string()));
}

TEST_CASE("Where part of the samples was rendered without a denoiser, --resume tells how many there are")
{
    Farm farm;
    REQUIRE(farm.frames({"--frames", "1", "--spp", "8", "--samples", "0-3"}) == 0);
    farm.job.frames = "1";
    farm.job.spp = 8;
    farm.job.resume = true;
    std::string message;
    CHECK(refusal(farm.job, message) == ExitCode::Usage);
    CHECK_THAT(message, Catch::Contains("(4 paths per pixel in the picture, 8 now; denoiser: off in the picture, "));
}
