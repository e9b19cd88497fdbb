#include <catch2/catch.hpp>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "common/cache/checkpoint.h"
#include "common/cache/layout.h"
#include "common/cache/stats.h"
#include "common/cache/wedge.h"
#include "common/error.h"
#include "common/image/exr.h"
#include "common/image/png.h"
#include "common/io/checksum.h"
#include "common/io/json.h"
#include "common/scene/hash.h"
#include "common/scene/identity.h"
#include "tests/render/cli/captured_errors.h"
#include "tests/render/cli/farm.h"

using namespace firn;
using namespace firn::test;

namespace {

/// The code of the Error that renderFrames throws; its text goes to `message`.
ExitCode refusal(const FramesJob& job, std::string& message)
{
    const auto start = std::chrono::steady_clock::now();
    try {
        renderFrames(job);
    } catch (const Error& error) {
        message = error.what();
        CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(1));
        return error.code();
    }
    return ExitCode::Done;
}

}  // namespace

TEST_CASE("A cache is rendered to EXR and PNG, with a line of statistics per frame")
{
    const Farm farm;
    REQUIRE(farm.frames({}) == 0);
    const std::vector<nlohmann::json> stats = farm.stats();
    REQUIRE(stats.size() == 2);
    for (const int frame : {1, 2}) {
        const nlohmann::json& line = stats[static_cast<std::size_t>(frame - 1)];
        CHECK(line["frame"] == frame);
        CHECK(line["spp"] == 2);
        CHECK(line["paths"] == 24 * 16 * 2);
        CHECK(line["particles"] == 256);
        CHECK(line["files"][0]["checksum"] == checksum(readFile(farm.image(frame, ".exr"))));
        const Image image = readExr(farm.image(frame, ".exr"));
        CHECK(image.width == 24);
        CHECK(image.height == 16);
        CHECK(std::get<int>(image.metadata.at("firn.frame")) == frame);
        CHECK(std::get<int>(image.metadata.at("firn.spp")) == 2);
        CHECK(std::get<int>(image.metadata.at("firn.max_bounces")) == 0);
        CHECK(std::get<std::string>(image.metadata.at("firn.scene_hash")) == line["scene_hash"]);
        const Rgb8Image preview = decodePng(readFile(farm.image(frame, ".png")), "preview");
        CHECK(preview.width == 24);
    }
    CHECK(farm.run({"info", farm.job.out.string()}) == 0);
    CHECK(farm.run({"info", farm.image(1, ".exr").string()}) == 0);
    std::ostringstream log;
    log << std::ifstream(farm.job.out / "firn-render.log").rdbuf();
    for (const char* part : {"frames ", "frame 2 ", "exit code 0"}) CHECK_THAT(log.str(), Catch::Contains(part));
}

TEST_CASE("The same frame has the same bytes in every run, for 1, 2 and 7 threads")
{
    const Farm farm;
    std::vector<std::string> sums;
    for (const char* threads : {"1", "2", "7", "7"}) {
        REQUIRE(farm.frames({"--frames", "2", "--threads", threads}) == 0);
        sums.push_back(checksum(readFile(farm.image(2, ".exr"))) + checksum(readFile(farm.image(2, ".png"))));
    }
    for (const std::string& sum : sums) CHECK(sum == sums[0]);
    REQUIRE(farm.frames({"--frames", "2", "--seed", "5"}) == 0);
    CHECK(checksum(readFile(farm.image(2, ".exr"))) != sums[0].substr(0, 16));
}

TEST_CASE("Of a wedge every take is rendered with its settings, over which those of the command line count")
{
    const Farm farm;
    const Wedge wedge{"", {"render.width=20"}, {{"one", {"render.spp=1"}}, {"three", {"render.spp=3"}}}};
    writeWedge(farm.job.cache, wedge);
    for (const Take& take : wedge.takes) {
        fs::create_directory(farm.job.cache / take.name);
        fs::copy_file(farm.cacheFile(1), farm.job.cache / take.name / "snow.0001.vdb");
    }
    REQUIRE(farm.frames({"--set", "render.height=10"}) == 0);
    CHECK(readWedge(farm.job.out) == wedge);
    for (const auto& [name, spp] : {std::pair("one", 1), std::pair("three", 3)}) {
        const Image image = readExr(farm.job.out / name / "tiny.0001.exr");
        CHECK(std::get<int>(image.metadata.at("firn.spp")) == spp);
        CHECK(image.width == 20);
        CHECK(image.height == 10);
    }
}

TEST_CASE("Pictures rendered into the folder of their cache leave the cache's statistics as they are")
{
    Farm farm;
    const fs::path statsPath = farm.job.cache / "stats.jsonl";
    {
        StatsFile stats(statsPath);
        stats.append(parseStatsLine(R"({"frame":1,"files":[{"name":"snow.0001.vdb","bytes":1,"checksum":"a"}]})", "1"));
    }
    const std::string before = checksum(readFile(statsPath));
    farm.job.out = farm.job.cache;
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    CHECK(checksum(readFile(statsPath)) == before);
    CHECK(StatsFile(statsPath).lines().size() == 1);
    CHECK(farm.stats().size() == 2);
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
}

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

TEST_CASE("A file that is put in the place of a picture while it is rendered stays, and so do the frame's samples")
{
    Farm farm;
    farm.job.spp = 2000;
    std::thread somebody([&] {
        while (!fs::exists(farm.job.out)) std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::milliseconds(300));  // the frame takes seconds
        std::ofstream(farm.image(1, ".png")) << "a plate";
    });
    std::string message;
    try {
        renderFrames(farm.job);
    } catch (const Error& error) {
        message = error.what();
    }
    somebody.join();
    CHECK_THAT(message, Catch::Contains("tiny.0001.png exists") && Catch::Contains("samples of the frame are kept"));
    CHECK(fs::file_size(farm.image(1, ".png")) == 7);
    fs::remove(farm.image(1, ".png"));
    farm.job.resume = true;
    CHECK(renderFrames(farm.job) == ExitCode::Done);
}

TEST_CASE("The list of takes in a folder is not replaced by another wedge's unless forced")
{
    Farm farm;
    writeWedge(farm.job.cache, {"", {}, {{"one", {"render.spp=1"}}}});
    fs::create_directory(farm.job.cache / "one");
    fs::copy_file(farm.cacheFile(1), farm.job.cache / "one" / "snow.0001.vdb");
    fs::create_directories(farm.job.out);
    const Wedge other{"", {}, {{"two", {}}}};
    writeWedge(farm.job.out, other);
    std::string message;
    CHECK(refusal(farm.job, message) == ExitCode::Usage);
    CHECK_THAT(message, Catch::Contains("another wedge"));
    CHECK(readWedge(farm.job.out) == other);
    std::ofstream(farm.job.out / "wedge.json") << "a ring\n";
    farm.job.force = true;
    CHECK(refusal(farm.job, message) == ExitCode::File);
    CHECK_THAT(message, Catch::Contains("wedge.json"));
}

TEST_CASE("Frames that are there are skipped on request")
{
    const Farm farm;
    REQUIRE(farm.frames({"--frames", "1"}) == 0);
    const auto before = fs::last_write_time(farm.image(1, ".exr"));
    REQUIRE(farm.frames({"--skip-existing"}) == 0);
    CHECK(fs::last_write_time(farm.image(1, ".exr")) == before);
    CHECK(fs::exists(farm.image(2, ".exr")));
    CHECK(farm.stats().size() == 2);
}

TEST_CASE("The line of a frame gives its noise, which is unknown with one path per pixel")
{
    const Farm farm;
    const auto line = [&](const std::string& spp) {
        const CapturedErrors errors;
        CHECK(farm.run({"frames", farm.job.shot.string(), "--cache", farm.job.cache.string(), "--out",
                        farm.job.out.string(), "--frames", "1", "--progress", "plain", "--spp", spp}) == 0);
        return errors.text();
    };
    CHECK_THAT(line("1"), Catch::Contains("1 spp  noise unknown (needs 2 spp)  ") && !Catch::Contains("0.0 %"));
    CHECK_THAT(line("2"), Catch::Contains("2 spp  noise ") && Catch::Contains(" %  "));
    CHECK_THAT(line("4"), Catch::Contains("4 spp  noise ") && Catch::Contains(" % (denoised "));
}

TEST_CASE("Each take of a wedge is named before its frames are rendered")
{
    Farm farm;
    writeWedge(farm.job.cache, {"", {}, {{"one", {"render.spp=1"}}, {"two", {"render.spp=2"}}}});
    for (const char* take : {"one", "two"}) {
        fs::create_directory(farm.job.cache / take);
        fs::copy_file(farm.cacheFile(1), farm.job.cache / take / "snow.0001.vdb");
    }
    farm.job.frames = "1";
    const CapturedErrors errors;
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    CHECK(errors.text() == "take 1/2: one\ntake 2/2: two\n");
}

TEST_CASE("Missing frames are named before any is rendered")
{
    Farm farm;
    std::string message;
    farm.job.frames = "1-4";
    CHECK(refusal(farm.job, message) == ExitCode::File);
    CHECK(message == farm.job.cache.string() + ": frames 3-4 are missing; the cache has 1-2");
    fs::remove(farm.cacheFile(1));
    farm.job.frames = "1-2";
    CHECK(refusal(farm.job, message) == ExitCode::File);
    CHECK(message == farm.job.cache.string() + ": frame 1 is missing; the cache has 2");
    CHECK_FALSE(fs::exists(farm.image(1, ".exr")));
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

TEST_CASE("A picture is not replaced by a cheaper one, unless forced")
{
    Farm farm;
    farm.job.frames = "1";
    farm.job.spp = 8;
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    std::string message;
    farm.job.spp = 4;
    for (const bool resume : {false, true}) {
        farm.job.resume = resume;
        CHECK(refusal(farm.job, message) == ExitCode::Usage);
        CHECK_THAT(message, Catch::Contains("tiny.0001.exr is a picture with 8 paths per pixel and 24 x 16 pixels") &&
                                Catch::Contains("--force"));
    }
    farm.job.resume = false;
    farm.job.spp = 8;
    farm.job.crop = "0,0,8,8";
    CHECK(refusal(farm.job, message) == ExitCode::Usage);
    farm.job.force = true;
    CHECK(renderFrames(farm.job) == ExitCode::Done);
    farm.job.force = false;
    farm.job.crop = "";
    CHECK(renderFrames(farm.job) == ExitCode::Done);
}

TEST_CASE("A cache with a frame of another scene is refused before the first is rendered")
{
    Farm farm;
    const Scene other = loadScene(farm.job.shot, {.set = {"solver.dx=0.06"}}).scene;
    writePointsFile(farm.cacheFile(2), Farm::snow(other, 2));
    std::string message;
    CHECK(refusal(farm.job, message) == ExitCode::Usage);
    CHECK_THAT(message, Catch::Contains("snow.0002.vdb: was simulated from a scene that differs from ") &&
                            Catch::Contains("its checksum is " + sceneHash(other)));
    CHECK_FALSE(fs::exists(farm.image(1, ".exr")));
    farm.job.frames = "1";
    CHECK(renderFrames(farm.job) == ExitCode::Done);
}

TEST_CASE("frames tells which frames the cache lacks, and which denoiser it uses")
{
    const Farm farm;
    const auto told = [&](const std::vector<std::string>& more) {
        std::vector<std::string> arguments = {"frames", farm.job.shot.string(), "--cache",    farm.job.cache.string(),
                                              "--out",  farm.job.out.string(),  "--progress", "plain"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const CapturedErrors errors;
        CHECK(farm.run(arguments) == 0);
        return errors.text();
    };
    const std::string all = told({"--denoiser", "filter"});
    CHECK_THAT(all, Catch::Contains("warning: the cache has frames 1-2 of 1-4\n"));
    CHECK_THAT(all, Catch::Contains("denoiser: filter\n"));
    CHECK_THAT(all, Catch::Matches("(.|\\n)*frame 1  prepared: [1-9][0-9]* voxels  [0-9.]+ s\\nframe 1  (.|\\n)*"));
    CHECK(farm.stats().back().at("denoiser") == "filter");
    const std::string one = told({"--frames", "1", "--denoiser", "off"});
    CHECK_THAT(one, !Catch::Contains("the cache has") && !Catch::Contains("denoiser:"));
    CHECK_THAT(told({"--skip-existing"}), Catch::Contains("frame 1  exists, skipped\nframe 2  exists, skipped\n"));
    fs::remove(farm.cacheFile(1));
    const std::string restless = "the cache lacks frame 1, which tells where the snow lay at rest";
    CHECK_THAT(told({"--frames", "2"}), Catch::Contains(restless));
    CHECK_THAT(told({"--frames", "2", "--set", "render.detail=off", "--set", "render.glints=0"}),
               !Catch::Contains(restless));
}

TEST_CASE("Keys of the picture do not make another scene")
{
    const Farm farm;
    CHECK(farm.frames({"--frames", "1", "--set", "render.extinction_per_m=300", "--set", "render.max_bounces=3"}) == 0);
    const Image image = readExr(farm.image(1, ".exr"));
    CHECK(std::get<int>(image.metadata.at("firn.max_bounces")) == 3);
    CHECK(std::get<float>(image.metadata.at("firn.capped_share")) > 0);
}

TEST_CASE("Frames are rendered with the light cache, and without it where it cannot be")
{
    const Farm farm;
    const std::vector<std::string> cached = {
        "--frames", "1", "--set", "render.transport=\"cached\"", "--set", "render.cache_photons=20000"};
    REQUIRE(farm.frames(cached) == 0);
    CHECK(std::get<std::string>(readExr(farm.image(1, ".exr")).metadata.at("firn.transport")) == "cached");
    CHECK(farm.stats().back().at("light_cache_cells") > 0);
    std::vector<std::string> bounded = cached;
    bounded.insert(bounded.end(), {"--set", "render.max_bounces=3"});
    REQUIRE(farm.frames(bounded) == 0);
    CHECK(std::get<std::string>(readExr(farm.image(1, ".exr")).metadata.at("firn.transport")) == "paths");
}

TEST_CASE("Resolution, crop and format come from the command line")
{
    const Farm farm;
    REQUIRE(farm.frames({"--frames", "1", "--res", "32x20", "--crop", "4,5,8,6", "--format", "float"}) == 0);
    const Image image = readExr(farm.image(1, ".exr"));
    CHECK(image.display_width == 32);
    CHECK(image.display_height == 20);
    CHECK(image.width == 8);
    CHECK(image.origin_y == 5);
    CHECK(image.at("R").full_precision);
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

TEST_CASE("Files that cannot be read or written end with exit code 3 and their name")
{
    Farm farm;
    std::string message;
    const fs::path out = farm.job.out;
    std::ofstream(farm.root / "file") << "in the way";
    farm.job.out = farm.root / "file";
    CHECK(refusal(farm.job, message) == ExitCode::File);
    CHECK(message == (farm.root / "file").string() + " is a file, but a folder is needed");
    farm.job.out = out;
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
    CHECK_THAT(message, Catch::EndsWith("; 'firn-sim run SCENE --out " + farm.job.cache.string() +
                                        " --resume' restores damaged frames"));
    CHECK(farm.run({"info", (farm.root / "none.exr").string()}) == 3);
    CHECK(farm.run({"info", farm.root.string()}) == 3);
}
