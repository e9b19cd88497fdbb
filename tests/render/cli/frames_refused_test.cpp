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

TEST_CASE("Pictures that firn-render did not write are refused by name before the first is rendered")
{
    Farm farm;
    fs::create_directories(farm.job.out);
    std::string message;
    for (const char* extension : {".png", ".exr"}) {
        std::ofstream(farm.image(2, extension)) << "a plate";
        CHECK(refusal(farm.job, message) == ExitCode::File);
        CHECK_THAT(message, Catch::Contains("tiny.0002" + std::string(extension) + " exists"));
        CHECK_FALSE(fs::exists(farm.image(1, ".exr")));
        CHECK(fs::file_size(farm.image(2, extension)) == 7);
        fs::remove(farm.image(2, extension));
    }
    // Its own are replaced: with statistics of this version, of an earlier one, or without any.
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    CHECK(renderFrames(farm.job) == ExitCode::Done);
    fs::rename(farm.job.out / "render_stats.jsonl", farm.job.out / "stats.jsonl");
    fs::remove(farm.image(1, ".exr"));
    CHECK(renderFrames(farm.job) == ExitCode::Done);
    fs::remove(farm.job.out / "stats.jsonl");
    fs::remove(farm.job.out / "render_stats.jsonl");
    CHECK(renderFrames(farm.job) == ExitCode::Done);
    // Statistics list these names, but with other checksums.
    for (const char* extension : {".png", ".exr"}) {
        std::ofstream(farm.image(2, extension)) << "a plate";
        CHECK(refusal(farm.job, message) == ExitCode::File);
        CHECK_THAT(message, Catch::Contains("tiny.0002" + std::string(extension) + " is not the picture"));
        CHECK(fs::file_size(farm.image(2, extension)) == 7);
        fs::remove(farm.image(2, extension));
    }
    std::ofstream(farm.job.out / "render_stats.jsonl") << "goals\n";
    CHECK(refusal(farm.job, message) == ExitCode::File);
    CHECK_THAT(message, Catch::Contains("render_stats.jsonl exists"));
    CHECK(fs::file_size(farm.job.out / "render_stats.jsonl") == 6);
}

TEST_CASE("Missing frames are named before any is rendered")
{
    Farm farm;
    std::string message;
    farm.job.frames = "1-4";
    CHECK(refusal(farm.job, message) == ExitCode::File);
    CHECK(message == farm.job.cache.string() +
                         ": frames 3-4 are missing. Render those that are there with --frames "
                         "1-2, or simulate the others with firn-sim run --resume, those of a take with firn-sim wedge");
    fs::remove(farm.cacheFile(1));
    farm.job.frames = "1-2";
    CHECK(refusal(farm.job, message) == ExitCode::File);
    CHECK(message == farm.job.cache.string() +
                         ": frame 1 is missing. Render those that are there with --frames 2, or "
                         "simulate the others with firn-sim run --resume, those of a take with firn-sim wedge");
    CHECK_FALSE(fs::exists(farm.image(1, ".exr")));
    farm.job.frames = "";
    farm.job.scene_options.set = {"frames=1-1"};
    CHECK(refusal(farm.job, message) == ExitCode::File);
    CHECK(message == farm.job.cache.string() + " has frame 2, but the scene has frame 1");
    farm.job.scene_options.set = {};
    farm.job.frames = "1,9";
    CHECK(refusal(farm.job, message) == ExitCode::Usage);
    CHECK_THAT(message, Catch::Contains("9") && Catch::Contains("1 to 4"));
    farm.job.frames = "1-";
    CHECK(refusal(farm.job, message) == ExitCode::Usage);
}

TEST_CASE("A cache of another scene is refused with both checksums, unless forced")
{
    Farm farm;
    const std::string hash = sceneHash(loadScene(farm.job.shot).scene);
    farm.job.scene_options.set = {"solver.dx=0.06"};
    const std::string other = sceneHash(loadScene(farm.job.shot, farm.job.scene_options).scene);
    std::string message;
    CHECK(refusal(farm.job, message) == ExitCode::Usage);
    CHECK_THAT(message, Catch::Contains(hash) && Catch::Contains(other) && Catch::Contains("--force"));
    farm.job.force = true;
    CHECK(renderFrames(farm.job) == ExitCode::Done);
}

TEST_CASE("Where a checkpoint tells the cache's scene, the keys that differ are named")
{
    Farm farm;
    const SceneIdentity cached = identityOf(loadScene(farm.job.shot).scene);
    const auto write = [&](int frame, const SceneIdentity& identity) {
        const nlohmann::json header = {
            {"program", "Firn 0.0"}, {"scene_hash", identity.hash}, {"scene_keys", identity.keys}};
        writeCheckpoint(CacheLayout{farm.job.cache}.checkpointPath(frame), {jsonText(header), {}});
    };
    SceneIdentity forged = cached;  // its keys do not give its hash
    forged.keys["solver.dx"] = "7";
    std::ofstream(CacheLayout{farm.job.cache}.checkpointPath(1)) << "FIRNCHK1 and nothing else";
    write(2, forged);
    write(3, cached);
    farm.job.scene_options.set = {"solver.dx=0.06", "snow.0.material.hardening=9"};
    const Scene now = loadScene(farm.job.shot, farm.job.scene_options).scene;
    std::string message;
    CHECK(refusal(farm.job, message) == ExitCode::Usage);
    CHECK_THAT(message, Catch::Contains("\n  solver.dx: " + cached.keys.at("solver.dx") + " in the cache, 0.06 now\n"));
    CHECK_THAT(message, Catch::Contains("material.hardening: 4.0 in the cache, 9.0 now\n"));
    CHECK_THAT(message, !Catch::Contains("program") && !Catch::Contains(cached.hash));
    farm.job.force = true;
    farm.job.progress = ProgressMode::Plain;
    const CapturedErrors errors;
    CHECK(renderFrames(farm.job) == ExitCode::Done);
    CHECK_THAT(errors.text(), Catch::Contains(" 0.06 now\n"));
}

TEST_CASE("A cache with a frame of another scene is refused before the first is rendered")
{
    Farm farm;
    const Scene other = loadScene(farm.job.shot, {.set = {"solver.dx=0.06"}}).scene;
    writePointsFile(farm.cacheFile(2), Farm::snow(other, 2));
    std::string message;
    CHECK(refusal(farm.job, message) == ExitCode::Usage);
    CHECK_THAT(message, Catch::Contains("snow.0002.vdb: was simulated from a scene that differs from ") &&
                            Catch::Contains("the hash of its scene is " + sceneHash(other)) &&
                            Catch::Contains("Other frames are of this scene: --frames 1 renders those") &&
                            Catch::Contains("'firn-sim info " + farm.job.cache.string() + "' tells where the frames"));
    CHECK_FALSE(fs::exists(farm.image(1, ".exr")));
    farm.job.frames = "2";  // the advice names no frames that were not asked for
    CHECK(refusal(farm.job, message) == ExitCode::Usage);
    CHECK_THAT(message, Catch::Contains("Give the same --quality"));
    farm.job.frames = "1";
    CHECK(renderFrames(farm.job) == ExitCode::Done);
}

TEST_CASE("A frame of the cache under the name of another frame is refused, also with --force")
{
    Farm farm;
    const fs::copy_options replace = fs::copy_options::overwrite_existing;
    fs::copy_file(farm.cacheFile(1), farm.cacheFile(2), replace);
    std::string message;
    farm.job.frames = "2";
    CHECK(refusal(farm.job, message) == ExitCode::File);
    CHECK_THAT(message, Catch::Contains("snow.0002.vdb: holds frame 1, expected frame 2"));
    CHECK_FALSE(fs::exists(farm.image(2, ".exr")));
    farm.job.force = true;
    CHECK(refusal(farm.job, message) == ExitCode::File);
    // The first frame of the scene tells where the snow lay at rest.
    writePointsFile(farm.cacheFile(2), Farm::snow(loadScene(farm.job.shot).scene, 2));
    fs::copy_file(farm.cacheFile(2), farm.cacheFile(1), replace);
    CHECK(refusal(farm.job, message) == ExitCode::File);
    CHECK_THAT(message, Catch::Contains("snow.0001.vdb: holds frame 2, expected frame 1"));
}

TEST_CASE("Keys of the picture do not make another scene")
{
    const Farm farm;
    CHECK(farm.frames({"--frames", "1", "--set", "render.extinction_per_m=300", "--set", "render.max_bounces=3"}) == 0);
    const Image image = readExr(farm.image(1, ".exr"));
    CHECK(std::get<int>(image.metadata.at("firn.max_bounces")) == 3);
    CHECK(std::get<float>(image.metadata.at("firn.capped_share")) > 0);
}

TEST_CASE("What the command line gets wrong ends with exit code 2")
{
    const Farm farm;
    for (const std::vector<std::string>& wrong : std::vector<std::vector<std::string>>{{"--res", "24"},
                                                                                       {"--res", "24x16x3"},
                                                                                       {"--res", "0x5"},
                                                                                       {"--res", "99999999999x1"},
                                                                                       {"--res", "-4x4"},
                                                                                       {"--crop", "1,2,3"},
                                                                                       {"--crop", "20,0,8,8"},
                                                                                       {"--spp", "0"},
                                                                                       {"--spp", "4", "--noise", "0.1"},
                                                                                       {"--noise", "-1"},
                                                                                       {"--format", "double"},
                                                                                       {"--view", "agx"},
                                                                                       {"--progress", "loud"},
                                                                                       {"--set", "render.sp=4"},
                                                                                       {"--quality", "best"},
                                                                                       {"--frames", "a"},
                                                                                       {"--threads", "0"}}) {
        INFO(wrong[0] << " " << wrong[1]);
        CHECK(farm.frames(wrong) == 2);
    }
    const auto errorOf = [&](const std::vector<std::string>& wrong) {
        const CapturedErrors errors;
        CHECK(farm.frames(wrong) == 2);
        return errors.text();
    };
    CHECK(errorOf({"--seed", "-1"}) == "firn-render: --seed is '-1', expected a whole number of at least 0\n");
    CHECK(errorOf({"--spp", "4", "--time", "1"}) == "firn-render: give at most one of --spp, --noise and --time\n");
    CHECK(errorOf({"--noise", "5"}) ==
          "firn-render: --noise is '5', expected a number from 1e-06 to 1: 0.05 means 5 %\n");
    CHECK(farm.run({}) == 2);
    CHECK(farm.run({"render"}) == 2);
    CHECK(farm.run({"frames", "--help"}) == 0);
    CHECK(farm.run({"--version"}) == 0);
}

TEST_CASE("The help tells where logs are, and of signals where a command can be continued")
{
    const Farm farm;
    const auto helpOf = [&](const std::string& command) {
        std::ostringstream text;
        std::streambuf* const before = std::cout.rdbuf(text.rdbuf());
        const int code = farm.run({command, "--help"});
        std::cout.rdbuf(before);
        CHECK(code == 0);
        return text.str();
    };
    CHECK_THAT(helpOf("frames"),
               Catch::Contains("default: OUT/firn-render.log, for a wedge OUT/TAKE/firn-render.log") &&
                   Catch::Contains("\nExit codes: ") && Catch::Contains("\nCtrl-C "));
    CHECK_THAT(helpOf("merge"), Catch::Contains("\nExit codes: ") && !Catch::Contains("Ctrl-C"));
}

TEST_CASE("Files that cannot be read or written end with exit code 3 and their name")
{
    Farm farm;
    std::string message;
    const fs::path out = farm.job.out;
    std::ofstream(farm.root / "file") << "in the way";
    farm.job.out = farm.root / "file";
    CHECK(refusal(farm.job, message) == ExitCode::File);
    CHECK(message == (farm.root / "file").string() + " is a file, but a folder is needed");
    fs::create_symlink("moved", farm.root / "link");
    farm.job.out = farm.root / "link";
    CHECK(refusal(farm.job, message) == ExitCode::File);
    CHECK(message == (farm.root / "link").string() +
                         " is a link to moved, which does not exist: remove the link, or put back what it points to");
    farm.job.out = out;
    fs::create_directories(out);
    fs::create_symlink("moved", farm.image(2, ".png"));
    CHECK(refusal(farm.job, message) == ExitCode::File);
    CHECK_THAT(message, Catch::StartsWith(farm.image(2, ".png").string() + " is a link to moved, which does not"));
    CHECK_FALSE(fs::exists(farm.image(1, ".exr")));
    fs::remove(farm.image(2, ".png"));
    const fs::path stats = farm.job.out / "render_stats.jsonl";
    fs::create_symlink("moved", stats);
    CHECK(refusal(farm.job, message) == ExitCode::File);
    CHECK_THAT(message, Catch::StartsWith(stats.string() + " is a link to moved, which does not"));
    CHECK_FALSE(fs::exists(farm.image(1, ".exr")));
    fs::remove(stats);
    farm.job.cache = farm.root / "nowhere";
    CHECK(refusal(farm.job, message) == ExitCode::File);
    CHECK_THAT(message, Catch::Contains("nowhere"));
    farm.job.cache = farm.root / "cache";
    fs::resize_file(farm.cacheFile(2), fs::file_size(farm.cacheFile(2)) / 2);
    farm.job.frames = "2";
    CHECK(refusal(farm.job, message) == ExitCode::File);
    CHECK_THAT(message, Catch::EndsWith("snow.0002.vdb: damaged, or not written by Firn"));
    std::ofstream(farm.job.cache / "stats.jsonl") << "";
    CHECK(refusal(farm.job, message) == ExitCode::File);
    CHECK_THAT(message, Catch::EndsWith("; 'firn-sim info " + farm.job.cache.string() + "' says how to restore it"));
    CHECK(farm.run({"info", (farm.root / "none.exr").string()}) == 3);
    CHECK(farm.run({"info", farm.root.string()}) == 3);
}
