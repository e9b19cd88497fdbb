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

TEST_CASE("--preview shows a frame while it is rendered, and changes no bit of it")
{
    Farm farm;
    farm.job.denoiser = "filter";
    REQUIRE(farm.frames({"--frames", "1", "--spp", "6"}) == 0);
    const std::vector<std::byte> plain = readFile(farm.image(1, ".exr")), shown = readFile(farm.image(1, ".png"));
    const fs::path live = farm.job.out / "tiny.preview.png";
    CHECK_FALSE(fs::exists(live));
    writeFileChecked(live, "a drawing");
    CHECK(farm.frames({"--frames", "1", "--spp", "6", "--force", "--preview"}) == 3);
    fs::remove(live);
    REQUIRE(farm.frames({"--frames", "1", "--spp", "6", "--force", "--preview"}) == 0);
    CHECK(readFile(farm.image(1, ".exr")) == plain);
    CHECK(readFile(farm.image(1, ".png")) == shown);
    CHECK(decodePng(readFile(live), "preview").pixels == decodePng(shown, "png").pixels);
    REQUIRE(farm.frames({"--frames", "1", "--noise", "0.3", "--force", "--preview"}) == 0);
    CHECK(farm.run({"info", farm.job.out.string()}) == 0);
}

TEST_CASE("With render.vary_seed each frame has random numbers of its own")
{
    const Farm farm;
    const auto seed = [&](int frame) {
        return std::get<std::string>(readExr(farm.image(frame, ".exr")).metadata.at("firn.seed"));
    };
    REQUIRE(farm.frames({"--seed", "5"}) == 0);
    CHECK(seed(1) == "5");
    CHECK(seed(2) == "5");
    const std::vector<float> same = readExr(farm.image(1, ".exr")).at("G").pixels;
    REQUIRE(farm.frames({"--seed", "5", "--set", "render.vary_seed=true"}) == 0);
    CHECK(seed(1) != "5");
    CHECK(seed(1) != seed(2));
    CHECK(readExr(farm.image(1, ".exr")).at("G").pixels != same);
}

TEST_CASE("Pictures rendered into the folder of their cache leave the cache's statistics as they are")
{
    Farm farm;
    const fs::path statsPath = farm.job.cache / "stats.jsonl";
    {
        StatsFile stats(statsPath);
        stats.add(parseStatsLine(R"({"frame":1,"files":[{"name":"snow.0001.vdb","bytes":1,"checksum":"a"}]})", "1"));
    }
    const std::string before = checksum(readFile(statsPath));
    farm.job.out = farm.job.cache;
    const CapturedErrors errors;
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    CHECK_THAT(errors.text(),
               Catch::Contains("stats.jsonl does not list frame 2 of the cache: a run has not finished"));
    CHECK(checksum(readFile(statsPath)) == before);
    CHECK(StatsFile(statsPath).lines().size() == 1);
    CHECK(farm.stats().size() == 2);
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
}

TEST_CASE("The name of a scene that cannot be part of a picture's name is refused")
{
    Farm farm;
    const fs::path shot = farm.root / "tiny#.toml";
    fs::copy_file(farm.job.shot, shot);
    farm.job.shot = shot;
    std::string message;
    CHECK(refusal(farm.job, message) == ExitCode::Usage);
    CHECK_THAT(message, Catch::Contains("the scene is called 'tiny#'") && Catch::Contains("rename the file"));
}

TEST_CASE("After a line of statistics that was cut, the next record has a line of its own")
{
    const Farm farm;
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    const fs::path stats = farm.job.out / "render_stats.jsonl";
    fs::resize_file(stats, fs::file_size(stats) - 5);
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    std::ifstream in(stats);
    std::vector<bool> isWhole;
    for (std::string line; std::getline(in, line);) isWhole.push_back(nlohmann::json::accept(line));
    CHECK(isWhole == std::vector{true, false, true, true});
}

TEST_CASE("With a damaged first line of statistics, the pictures of other lines stay finished")
{
    const Farm farm;
    REQUIRE(farm.frames({}) == 0);
    const fs::path stats = farm.job.out / "render_stats.jsonl";
    std::fstream(stats, std::ios::in | std::ios::out).seekp(1).put('x');
    REQUIRE(farm.frames({"--resume"}) == 0);
    std::ifstream in(stats);
    int lines = 0;
    for (std::string line; std::getline(in, line);) ++lines;
    CHECK(lines == 3);  // the first frame again
}

TEST_CASE("A finished frame of another shot in the same folder is not rendered again")
{
    Farm farm;
    farm.job.frames = "1";
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    const auto before = fs::last_write_time(farm.image(1, ".exr"));
    FramesJob other = farm.job;
    other.shot = farm.root / "other.toml";
    fs::copy_file(farm.job.shot, other.shot);
    REQUIRE(renderFrames(other) == ExitCode::Done);
    CHECK(fs::exists(farm.job.out / "other.0001.exr"));
    farm.job.resume = true;
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    CHECK(fs::last_write_time(farm.image(1, ".exr")) == before);
}

TEST_CASE("Frames that are there are skipped on request")
{
    const Farm farm;
    REQUIRE(farm.frames({"--frames", "1"}) == 0);
    const auto before = fs::last_write_time(farm.image(1, ".exr"));
    REQUIRE(farm.frames({"--skip-existing"}) == 0);
    CHECK(farm.frames({"--skip-existing", "--resume"}) == 2);
    CHECK(fs::last_write_time(farm.image(1, ".exr")) == before);
    CHECK(fs::exists(farm.image(2, ".exr")));
    CHECK(farm.stats().size() == 2);
}

TEST_CASE("A picture that does not say that Firn wrote it is kept with a warning")
{
    const Farm farm;
    REQUIRE(farm.frames({}) == 0);
    Image foreign = readExr(farm.image(2, ".exr"));
    foreign.metadata.clear();
    writeExr(farm.image(2, ".exr"), foreign);
    const auto before = readFile(farm.image(2, ".exr"));
    const CapturedErrors errors;
    CHECK(farm.frames({"--skip-existing"}) == 0);
    CHECK_THAT(errors.text(), Catch::Contains("tiny.0002.exr is kept, but it does not say that firn-render wrote it"));
    CHECK_THAT(errors.text(), !Catch::Contains("tiny.0001.exr is kept"));
    CHECK(readFile(farm.image(2, ".exr")) == before);
}

TEST_CASE("A picture that is cut, or of another frame, simulation or snow is not skipped")
{
    Farm farm;
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    farm.job.skip_existing = true;
    std::string message;
    SECTION("of another frame")
    {
        fs::copy_file(farm.image(1, ".exr"), farm.image(2, ".exr"), fs::copy_options::overwrite_existing);
        CHECK(refusal(farm.job, message) == ExitCode::File);
        CHECK_THAT(message,
                   Catch::Contains("tiny.0002.exr is a picture of frame 1: it was copied or renamed. Move it away. "
                                   "Choose another --out"));
        fs::remove(farm.image(1, ".exr"));
        CHECK(refusal(farm.job, message) == ExitCode::File);
        CHECK_THAT(message, Catch::Contains("copied or renamed. Rename it back or move it away. Choose another --out"));
    }
    SECTION("cut")
    {
        const std::vector<std::byte> whole = readFile(farm.image(2, ".exr"));
        fs::resize_file(farm.image(2, ".exr"), whole.size() - 10);
        CHECK(renderFrames(farm.job) == ExitCode::Done);
        CHECK(readFile(farm.image(2, ".exr")) == whole);
    }
    SECTION("of another simulation")
    {
        const Scene other = loadScene(farm.job.shot, {.set = {"solver.dx=0.06"}}).scene;
        farm.job.scene_options.set = {"solver.dx=0.06"};
        for (const int frame : {1, 2}) writePointsFile(farm.cacheFile(frame), Farm::snow(other, frame));
        CHECK(refusal(farm.job, message) == ExitCode::Usage);
        CHECK_THAT(message, Catch::Contains("is a picture of another simulation"));
    }
    SECTION("of a scene that the cache is not of")
    {
        farm.job.scene_options.set = {"solver.dx=0.06"};
        CHECK(refusal(farm.job, message) == ExitCode::Usage);
        CHECK_THAT(message, Catch::Contains("was simulated from a scene that differs"));
    }
    SECTION("of other snow of the same scene")
    {
        const auto first = fs::last_write_time(farm.image(1, ".exr"));
        const std::vector<std::byte> before = readFile(farm.image(2, ".exr"));
        ParticleFrame other = Farm::snow(loadScene(farm.job.shot).scene, 2);
        other.position_m[0].y() += 0.001;
        writePointsFile(farm.cacheFile(2), other);
        const CapturedErrors errors;
        CHECK(renderFrames(farm.job) == ExitCode::Done);
        CHECK_THAT(errors.text(), Catch::Contains("1 picture of other snow will be replaced") &&
                                      Catch::Contains("(the frame of the cache, its first frame"));
        CHECK(readFile(farm.image(2, ".exr")) != before);
        CHECK(fs::last_write_time(farm.image(1, ".exr")) == first);
    }
    SECTION("own notes in the place of the preview")
    {
        std::ofstream(farm.image(2, ".png")) << "notes";
        CHECK(refusal(farm.job, message) == ExitCode::File);
        CHECK_THAT(message, Catch::Contains("tiny.0002.png is not the picture that firn-render wrote"));
    }
}

TEST_CASE("What a full disk leaves of a listed picture is rendered again, with and without --resume")
{
    Farm farm;
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    const char* const extension = GENERATE(".exr", ".png");
    const std::uintmax_t bytes = GENERATE(0, 60);
    const fs::path picture = farm.image(2, extension);
    const std::vector<std::byte> whole = readFile(picture);
    farm.job.resume = GENERATE(true, false);
    farm.job.skip_existing = !farm.job.resume;
    fs::resize_file(picture, bytes);
    const auto first = fs::last_write_time(farm.image(1, ".exr"));
    CHECK(renderFrames(farm.job) == ExitCode::Done);
    CHECK(readFile(picture) == whole);
    CHECK(fs::last_write_time(farm.image(1, ".exr")) == first);
    fs::remove(farm.job.out / "render_stats.jsonl");  // then nothing tells that the file was a picture of Firn's
    fs::resize_file(picture, bytes);
    std::string message;
    CHECK(refusal(farm.job, message) == ExitCode::File);
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
    CHECK_THAT(one, !Catch::Contains("the cache has") && !Catch::Contains("denoiser: filter\n"));
    CHECK_THAT(told({"--skip-existing"}), Catch::Contains("frame 1  exists, skipped\nframe 2  exists, skipped\n"));
    fs::remove(farm.cacheFile(1));
    const std::string restless = "the cache lacks frame 1, which tells where the snow lay at rest";
    CHECK_THAT(told({"--frames", "2"}), Catch::Contains(restless));
    CHECK_THAT(told({"--frames", "2", "--set", "render.detail=off", "--set", "render.glints=0"}),
               !Catch::Contains(restless));
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

TEST_CASE("With motion blur, frames are rendered without a light cache, and check measures the slices")
{
    const Farm farm;
    const std::vector<std::string> blurred = {"--set", "camera.shutter_deg=360", "--set", "render.shutter_slices=3"};
    REQUIRE(farm.frames({"--frames", "2"}) == 0);
    const std::vector<std::byte> sharp = readFile(farm.image(2, ".exr"));
    std::vector<std::string> arguments = blurred;
    arguments.insert(arguments.end(), {"--set", "render.transport=cached", "--force"});
    const CapturedErrors errors;
    REQUIRE(farm.frames(arguments) == 0);
    CHECK_THAT(errors.text(), Catch::Contains("camera.shutter_deg: 0.0 in the picture, 360.0 now"));
    CHECK(std::get<std::string>(readExr(farm.image(2, ".exr")).metadata.at("firn.transport")) == "paths");
    CHECK(readFile(farm.image(2, ".exr")) != sharp);
    arguments = {"check", farm.job.shot.string(), "--cache", farm.job.cache.string(), "--frames", "2"};
    arguments.insert(arguments.end(), blurred.begin(), blurred.end());
    CHECK(farm.run(arguments) == 0);
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

TEST_CASE("Pictures of a cache without its first frame are made again, and not merged with those with it")
{
    Farm farm;
    farm.job.frames = "2";
    farm.job.spp = 8;
    farm.job.samples = "0-3";
    fs::rename(farm.cacheFile(1), farm.root / "first.vdb");
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    const fs::path part = farm.root / "part.film";
    fs::copy_file(farm.image(2, ".film"), part);
    fs::rename(farm.root / "first.vdb", farm.cacheFile(1));
    farm.job.samples = "4-7";
    farm.job.out = farm.root / "other";
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    {
        const CapturedErrors errors;
        CHECK(farm.run({"merge", part.string(), farm.image(2, ".film").string(), "--out",
                        (farm.root / "merged").string()}) == 2);
        CHECK_THAT(errors.text(), Catch::Contains("were rendered from different caches"));
    }
    farm.job.samples = "0-3";
    farm.job.out = farm.root / "out";
    fs::remove(farm.image(2, ".film"));
    const CapturedErrors errors;
    CHECK(renderFrames(farm.job) == ExitCode::Done);
    CHECK_THAT(errors.text(), Catch::Contains("other snow"));
}

TEST_CASE("denoise does not replace pictures of frames, unless forced")
{
    Farm farm;
    farm.job.frames = "1";
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    const fs::path copy = farm.root / "copy" / "tiny.0001.exr";
    fs::create_directory(copy.parent_path());
    fs::copy_file(farm.image(1, ".exr"), copy);
    const std::vector<std::byte> before = readFile(copy);
    std::vector<std::string> command = {"denoise", copy.string(), "--denoiser",
                                        "filter",  "--out",       farm.job.out.string()};
    CHECK(farm.run(command) == 2);
    CHECK(readFile(farm.image(1, ".exr")) == before);
    command.emplace_back("--force");
    CHECK(farm.run(command) == 0);
    CHECK(readFile(farm.image(1, ".exr")) != before);
}
