// Frames of caches with files that are damaged, foreign or missing.

#include <sys/stat.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "common/cache/stats.h"
#include "common/error.h"
#include "common/image/exr.h"
#include "common/image/png.h"
#include "common/io/checksum.h"
#include "tests/render/cli/captured_errors.h"
#include "tests/render/cli/farm.h"

using namespace firn;
using namespace firn::test;

TEST_CASE("A warning names a frame of the scene that is not the file that stats.jsonl lists")
{
    Farm farm;
    listFrames(farm.job.cache);
    {
        const CapturedErrors errors;
        REQUIRE(renderFrames(farm.job) == ExitCode::Done);
        CHECK_THAT(errors.text(), !Catch::Contains("is not the file"));
    }
    ParticleFrame other = Farm::snow(loadScene(farm.job.shot).scene, 2);
    other.position_m[0].y() += 0.001f;
    writePointsFile(farm.cacheFile(2), other);
    const CapturedErrors errors;
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    CHECK_THAT(errors.text(), Catch::Contains("snow.0002.vdb is not the file that stats.jsonl lists: stats.jsonl "
                                              "lists the checksum ") &&
                                  !Catch::Contains("snow.0001.vdb is not"));
}

TEST_CASE("A damaged frame does not keep the others from being rendered, and the run ends with exit code 3")
{
    Farm farm;
    fs::resize_file(farm.cacheFile(2), fs::file_size(farm.cacheFile(2)) / 2);
    const CapturedErrors errors;
    REQUIRE(farm.frames({"--frames", "2,1"}) == 3);
    CHECK(!fs::exists(farm.image(2, ".exr")));
    CHECK(fs::exists(farm.image(1, ".exr")));
    CHECK_THAT(errors.text(), Catch::Contains("snow.0002.vdb: damaged, or not written by Firn") &&
                                  Catch::Contains("; frame 2 is not rendered") &&
                                  Catch::Contains("1 of 2 frames could not be read and was not rendered: frame 2. The "
                                                  "others are finished"));
    writePointsFile(farm.cacheFile(2), Farm::snow(loadScene(farm.job.shot).scene, 2));
    REQUIRE(farm.frames({"--resume"}) == 0);
    CHECK(fs::exists(farm.image(2, ".exr")));
    fs::remove(farm.cacheFile(2));
    REQUIRE(::mkfifo(farm.cacheFile(2).c_str(), 0600) == 0);
    CHECK(farm.frames({"--frames", "2", "--force"}) == 3);
    CHECK_THAT(errors.text(), Catch::Contains("snow.0002.vdb is a pipe, a socket or a device"));
}

TEST_CASE("A file in the place of a frame that is no frame of the cache does not keep the others from being rendered")
{
    Farm farm;
    const Scene scene = loadScene(farm.job.shot).scene;
    writePointsFile(farm.cacheFile(3), Farm::snow(scene, 3));
    listFrames(farm.job.cache);
    std::string expected;
    SECTION("a frame under another name")
    {
        fs::copy_file(farm.cacheFile(1), farm.cacheFile(2), fs::copy_options::overwrite_existing);
        expected = "snow.0002.vdb: holds frame 1, expected frame 2: the file was copied or renamed";
    }
    SECTION("a frame of another cache")
    {
        const Scene other = loadScene(farm.job.shot, {.set = {"solver.dx=0.06"}}).scene;
        writePointsFile(farm.cacheFile(2), Farm::snow(other, 2));
        expected =
            ", and stats.jsonl lists another file for this frame: it was copied from another cache. 'firn-sim "
            "info " +
            farm.job.cache.string() + "' tells how to restore it; --force renders it as it is";
    }
    SECTION("a link that leads nowhere")
    {
        fs::remove(farm.cacheFile(2));
        fs::create_symlink("gone.vdb", farm.cacheFile(2));
        expected = "snow.0002.vdb is a link to gone.vdb, which does not exist: remove the link";
    }
    const CapturedErrors errors;
    CHECK(farm.frames({}) == 3);
    CHECK(fs::exists(farm.image(1, ".exr")));
    CHECK_FALSE(fs::exists(farm.image(2, ".exr")));
    CHECK(fs::exists(farm.image(3, ".exr")));
    CHECK_THAT(errors.text(),
               Catch::Contains(expected) && Catch::Contains("frame 2 is not rendered") &&
                   Catch::Contains("1 of 3 frames could not be read and was not rendered: frame 2. The others"));
    CHECK(farm.frames({"--frames", "2"}) == 3);
    CHECK(farm.frames({"--skip-existing"}) == 3);
    CHECK(farm.frames({"--resume"}) == 3);
}

TEST_CASE("The picture of a frame that was spoiled afterwards stays, and is not announced as replaced")
{
    Farm farm;
    listFrames(farm.job.cache);
    REQUIRE(farm.frames({}) == 0);
    const std::vector<std::byte> before = readFile(farm.image(2, ".exr"));
    SECTION("damaged") { fs::resize_file(farm.cacheFile(2), fs::file_size(farm.cacheFile(2)) / 2); }
    SECTION("renamed") { fs::copy_file(farm.cacheFile(1), farm.cacheFile(2), fs::copy_options::overwrite_existing); }
    SECTION("of another cache")
    {
        const Scene other = loadScene(farm.job.shot, {.set = {"solver.dx=0.06"}}).scene;
        writePointsFile(farm.cacheFile(2), Farm::snow(other, 2));
    }
    for (const char* option : {"--resume", "--skip-existing"}) {
        const CapturedErrors errors;
        CHECK(farm.frames({option}) == 3);
        CHECK_THAT(errors.text(), Catch::Contains("frame 2 is not rendered") && !Catch::Contains("will be replaced"));
        CHECK(readFile(farm.image(2, ".exr")) == before);
    }
}

TEST_CASE("A finished picture of snow that the simulation did not write is skipped with a warning")
{
    Farm farm;
    listFrames(farm.job.cache);
    const Scene other = loadScene(farm.job.shot, {.set = {"solver.dx=0.06"}}).scene;
    writePointsFile(farm.cacheFile(2), Farm::snow(other, 2));
    REQUIRE(farm.frames({"--force"}) == 0);
    for (const char* option : {"--resume", "--skip-existing"}) {
        const CapturedErrors errors;
        CHECK(farm.frames({option}) == 0);
        CHECK_THAT(errors.text(), Catch::Contains("snow.0002.vdb is not the file that stats.jsonl lists"));
    }
}

TEST_CASE("Cached frames under the names of others are told before frames are called missing")
{
    Farm farm;
    listFrames(farm.job.cache);
    for (const int frame : {1, 2}) fs::rename(farm.cacheFile(frame), CacheLayout{farm.job.cache}.framePath(frame + 10));
    std::string message;
    CHECK(refusal(farm.job, message) == ExitCode::File);
    CHECK_THAT(message, Catch::Contains("snow.0011.vdb holds frame 1: it was renamed or copied. Give the files their "
                                        "own names again"));
}

TEST_CASE("A first frame that cannot be used keeps pictures from being rendered without places of rest, unless forced")
{
    Farm farm;
    farm.job.scene_options.set = {"render.glints=1"};
    listFrames(farm.job.cache);
    std::string expected = "snow.0001.vdb: damaged, or not written by Firn";
    SECTION("damaged") { fs::resize_file(farm.cacheFile(1), fs::file_size(farm.cacheFile(1)) / 2); }
    SECTION("of another cache")
    {
        const Scene other = loadScene(farm.job.shot, {.set = {"solver.dx=0.06"}}).scene;
        writePointsFile(farm.cacheFile(1), Farm::snow(other, 1));
        expected = "stats.jsonl lists another file for this frame: it was copied from another cache";
    }
    std::string message;
    farm.job.frames = "2";
    CHECK(refusal(farm.job, message) == ExitCode::File);
    CHECK_THAT(message,
               Catch::Contains(expected) && Catch::Contains("to render without it, move it away and add --force"));
    fs::remove(farm.cacheFile(1));
    farm.job.frames = "1-2";
    CHECK(refusal(farm.job, message) == ExitCode::File);
    CHECK_THAT(message, Catch::Contains("frame 1 is missing. Render those that are there with --frames 2 --force"));
    farm.job.frames = "2";
    farm.job.force = true;
    CHECK(renderFrames(farm.job) == ExitCode::Done);
}

TEST_CASE("Frames that stats.jsonl lists and that have been lost are named, and pictures stay")
{
    Farm farm;
    listFrames(farm.job.cache);
    farm.job.scene_options.set = {"render.glints=1"};  // needs the snow at rest
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    const std::vector<std::byte> before = readFile(farm.image(2, ".exr"));
    std::string message;
    SECTION("the last one")
    {
        fs::remove(farm.cacheFile(2));
        CHECK(refusal(farm.job, message) == ExitCode::File);
        CHECK_THAT(message, Catch::Contains("frame 2 is missing. Render those that are there with --frames 1"));
    }
    SECTION("the first one")
    {
        fs::remove(farm.cacheFile(1));
        farm.job.resume = GENERATE(true, false);
        CHECK(refusal(farm.job, message) == ExitCode::File);
        CHECK_THAT(message, Catch::Contains("frame 1 is missing"));
        farm.job.frames = "2";
        CHECK(refusal(farm.job, message) == ExitCode::File);
        CHECK_THAT(message, Catch::Contains("snow.0001.vdb is missing. It tells where the snow lay at rest"));
    }
    CHECK(readFile(farm.image(2, ".exr")) == before);
}

TEST_CASE("A cache without stats.jsonl is rendered with a warning")
{
    Farm farm;
    const char* const text = "has no stats.jsonl that can be read";
    {
        const CapturedErrors errors;
        REQUIRE(renderFrames(farm.job) == ExitCode::Done);
        CHECK_THAT(errors.text(), Catch::Contains(text));
    }
    listFrames(farm.job.cache);
    const CapturedErrors errors;
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    CHECK_THAT(errors.text(), !Catch::Contains(text));
}
