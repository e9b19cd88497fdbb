// firn-render info and check: what they print about pictures and about a frame to come.

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "common/image/exr.h"
#include "render/cli/film_header.h"
#include "render/cli/picture_folders.h"
#include "render/film_file.h"
#include "tests/render/cli/captured_errors.h"
#include "tests/render/cli/farm.h"

using namespace firn;
using namespace firn::test;

namespace {

/// What 'firn-render info' prints; its exit code goes to `code`.
std::string infoOf(const fs::path& path, int& code)
{
    const fs::path output = path.parent_path() / "info.txt";
    const std::string command = FIRN_RENDER " info " + path.string() + " > " + output.string();
    code = WEXITSTATUS(std::system(command.c_str()));
    std::ostringstream text;
    text << std::ifstream(output).rdbuf();
    return text.str();
}

}  // namespace

TEST_CASE("info finds gaps and damage in a folder of frames")
{
    const Farm farm;
    REQUIRE(farm.frames({}) == 0);
    const auto copyAs = [&](int frame) {
        Image image = readExr(farm.image(1, ".exr"));
        image.metadata["firn.frame"] = frame;
        writeExr(farm.image(frame, ".exr"), image);
    };
    copyAs(4);
    CHECK(farm.run({"info", farm.job.out.string()}) == 3);
    copyAs(3);
    CHECK(farm.run({"info", farm.job.out.string()}) == 0);
    fs::resize_file(farm.image(3, ".exr"), 900);
    CHECK(farm.run({"info", farm.job.out.string()}) == 3);
}

TEST_CASE("info finds frames and previews that statistics list and that are not there, and frames of another number")
{
    const Farm farm;
    REQUIRE(farm.frames({}) == 0);
    int code = 0;
    fs::remove(farm.image(1, ".png"));
    CHECK_THAT(infoOf(farm.job.out, code), Catch::EndsWith("\n  without preview: 1\n"));
    CHECK(code == 3);
    fs::rename(farm.image(2, ".png"), farm.image(1, ".png"));
    fs::rename(farm.image(2, ".exr"), farm.image(1, ".exr"));
    CHECK_THAT(infoOf(farm.job.out, code), Catch::EndsWith("\n  missing: 2\n  pictures of other frames: 1\n"
                                                           "  damaged or changed previews: 1\n"));
    CHECK(code == 3);
}

TEST_CASE("info, sheet and movie tell of pictures that have changed since they were rendered")
{
    const Farm farm;
    REQUIRE(farm.frames({}) == 0);
    Image image = readExr(farm.image(2, ".exr"));
    image.metadata["firn.spp"] = 7;
    writeExr(farm.image(2, ".exr"), image);
    int code = 0;
    CHECK_THAT(infoOf(farm.job.out, code), Catch::EndsWith("\n  changed since they were rendered: 2\n"));
    CHECK(code == 3);
    fs::copy_file(farm.image(2, ".png"), farm.image(1, ".png"), fs::copy_options::overwrite_existing);
    CHECK_THAT(infoOf(farm.job.out, code), Catch::EndsWith("\n  damaged or changed previews: 1\n"));
    for (const char* command : {"sheet", "movie"}) {
        const CapturedErrors errors;
        CHECK(farm.run({command, farm.job.out.string(), "--out",
                        (farm.job.out.parent_path() / command).string() + ".png"}) == 0);
        CHECK_THAT(errors.text(), Catch::Contains("warning: " + farm.image(1, ".png").string() +
                                                  " is not the picture that was rendered: it was damaged or changed"));
    }
}

TEST_CASE("Another exposure makes a sequence uneven, and movie tells of missing pictures and previews")
{
    const Farm farm;
    REQUIRE(farm.frames({}) == 0);
    REQUIRE(farm.frames({"--frames", "2", "--exposure", "2"}) == 0);
    int code = 0;
    CHECK_THAT(infoOf(farm.job.out, code),
               Catch::EndsWith("\n  made with other values: 2 (render.exposure: 0.0 in frame 1, 2.0 in frame 2)\n"));
    CHECK(code == 3);
    const auto told = [&] {
        const CapturedErrors errors;
        CHECK(farm.run({"movie", farm.job.out.string(), "--out", (farm.root / "movie.png").string()}) == 0);
        return errors.text();
    };
    fs::resize_file(farm.image(2, ".png"), fs::file_size(farm.image(2, ".png")) / 2);
    CHECK_THAT(told(),
               Catch::Contains("tiny.0002.png: not a readable PNG") && Catch::Contains("; its EXR is shown instead"));
    fs::remove(farm.image(2, ".png"));
    CHECK_THAT(told(), Catch::Contains("previews of frame 2 are missing: their EXR is shown instead"));
    fs::remove(farm.image(2, ".exr"));
    CHECK_THAT(told(), Catch::Contains("pictures of frame 2 are listed, but missing"));
}

TEST_CASE("Without its preview, a picture is shown as the preview was: denoised")
{
    const Farm farm;
    REQUIRE(farm.frames({}) == 0);
    REQUIRE(readExr(farm.image(1, ".exr")).find("denoised.G") != nullptr);
    const Rgb8Image preview = readPreview(farm.image(1, ".png")), shown = readPreview(farm.image(1, ".exr"));
    REQUIRE(shown.pixels.size() == preview.pixels.size());
    int largest = 0;
    for (std::size_t i = 0; i < shown.pixels.size(); ++i)
        largest = std::max(largest, std::abs(int{shown.pixels[i]} - int{preview.pixels[i]}));
    CHECK(largest <= 1);  // the layers of the EXR have half precision
}

TEST_CASE("compare tells of pictures that stand under the number of another frame")
{
    const Farm farm;
    REQUIRE(farm.frames({}) == 0);
    const fs::path other = farm.root / "other";
    fs::create_directory(other);
    fs::copy_file(farm.image(1, ".exr"), other / "tiny.0002.exr");
    const CapturedErrors errors;
    farm.run({"compare", farm.job.out.string(), other.string(), "--frames", "2"});
    CHECK(errors.text().find("other/tiny.0002.exr is a picture of frame 1: it was copied or renamed") !=
          std::string::npos);
}

TEST_CASE("info says which pictures the statistics do not list")
{
    const Farm farm;
    REQUIRE(farm.frames({}) == 0);
    const std::string first = farm.stats().at(0).dump();
    std::ofstream(farm.job.out / "render_stats.jsonl") << first << "\n";
    int code = 0;
    CHECK_THAT(infoOf(farm.job.out, code),
               Catch::EndsWith("\n  not listed in render_stats.jsonl: 2: it is not known whether they have changed\n"));
    CHECK(code == 0);
}

TEST_CASE("info finds cut previews without statistics, and says that these are missing")
{
    const Farm farm;
    REQUIRE(farm.frames({}) == 0);
    fs::remove(farm.job.out / "render_stats.jsonl");
    const std::string missing =
        "\n  there is no render_stats.jsonl, so it is not known whether pictures and previews have "
        "changed\n";
    int code = 0;
    CHECK_THAT(infoOf(farm.job.out, code), Catch::EndsWith("channels besides glints and gloss" + missing));
    CHECK(code == 0);
    fs::resize_file(farm.image(2, ".png"), 300);
    CHECK_THAT(infoOf(farm.job.out, code), Catch::EndsWith("\n  damaged or changed previews: 2" + missing));
    CHECK(code == 3);
}

TEST_CASE("info, sheet and movie tell of pictures that were made with other values than the first one")
{
    const Farm farm;
    REQUIRE(farm.frames({}) == 0);
    REQUIRE(farm.frames({"--frames", "2", "--set", "render.anisotropy=0.8", "--seed", "7"}) == 0);
    int code = 0;
    const std::string text = "2 (render.anisotropy: 0.5 in frame 1, 0.8 in frame 2; 1 more value differs)";
    CHECK_THAT(infoOf(farm.job.out, code), Catch::EndsWith("\n  made with other values: " + text + "\n"));
    CHECK(code == 3);
    for (const char* command : {"sheet", "movie"}) {
        const CapturedErrors errors;
        CHECK(farm.run({command, farm.job.out.string(), "--out",
                        (farm.job.out.parent_path() / command).string() + ".png"}) == 0);
        CHECK_THAT(errors.text(), Catch::Contains("warning: " + farm.job.out.string() +
                                                  ": pictures that were made with other values: frame " + text));
    }
}

TEST_CASE("info, sheet and movie tell of noisy previews among denoised ones")
{
    const Farm farm;
    REQUIRE(farm.frames({"--denoiser", "filter"}) == 0);
    REQUIRE(farm.frames({"--denoiser", "filter", "--frames", "2", "--raw-preview"}) == 0);
    int code = 0;
    CHECK_THAT(infoOf(farm.job.out, code),
               Catch::EndsWith("\n  previews of the other kind (noisy or denoised) than the first: 2\n"));
    CHECK(code == 3);
    for (const char* command : {"sheet", "movie"}) {
        const CapturedErrors errors;
        CHECK(farm.run({command, farm.job.out.string(), "--out",
                        (farm.job.out.parent_path() / command).string() + ".png"}) == 0);
        CHECK_THAT(errors.text(),
                   Catch::Contains(": previews of frame 2 are of the other kind (noisy or denoised) than the first"));
    }
    REQUIRE(farm.frames({"--denoiser", "filter", "--frames", "1", "--raw-preview"}) == 0);
    CHECK_THAT(infoOf(farm.job.out, code), !Catch::Contains("of the other kind"));
    CHECK(code == 0);
}

TEST_CASE("info tells unfinished frames and how to continue, also where no frame is finished")
{
    const Farm farm;
    FrameSettings settings;
    settings.width = 24;
    settings.height = 16;
    fs::create_directories(farm.job.out);
    FilmHeader header;
    header.frame = 2;
    header.scene = "tiny";
    writeFilm(farm.image(3, ".film"), headerText(header), FrameState(settings));
    int code = 0;
    CHECK_THAT(infoOf(farm.job.out, code),
               Catch::Contains("\n  tiny.0003.film is a film of frame 2. Rename it to tiny.0002.film, and the same"));
    CHECK(code == 3);
    fs::rename(farm.image(3, ".film"), farm.image(2, ".film"));
    const std::string unfinished =
        "tiny.####.film: films of frame 2\n  unfinished: 2; the same 'firn-render frames' "
        "with --resume continues\n";
    CHECK_THAT(infoOf(farm.job.out, code), Catch::EndsWith(unfinished));
    CHECK(code == 3);
    REQUIRE(farm.frames({"--frames", "1"}) == 0);
    const std::string both = infoOf(farm.job.out, code);
    CHECK_THAT(both, Catch::Contains("tiny.####.exr: frame 1, 24 x 16 pixels, ") && Catch::EndsWith(unfinished));
    CHECK(code == 3);
    REQUIRE(farm.frames({"--frames", "1-2", "--film", "--force"}) == 0);
    CHECK_THAT(infoOf(farm.job.out, code), Catch::EndsWith("tiny.####.film: films of frames 1-2\n"));
    CHECK(code == 0);
    fs::copy_file(farm.image(1, ".film"), farm.image(3, ".film"));
    fs::resize_file(farm.image(2, ".film"), 200);
    CHECK_THAT(infoOf(farm.job.out, code),
               Catch::Contains("\n  damaged, or no films of firn-render: 2; move them away") &&
                   Catch::Contains(
                       "\n  tiny.0003.film is a film of frame 1. There is a tiny.0001.film, too: move this one away"));
    CHECK(code == 3);
}

TEST_CASE("info tells that frames have different numbers of paths")
{
    const Farm farm;
    REQUIRE(farm.frames({"--frames", "1", "--set", "render.spp=8"}) == 0);
    int code = 0;
    CHECK_THAT(infoOf(farm.job.out, code), !Catch::Contains("paths per pixel"));
    REQUIRE(farm.frames({"--frames", "2", "--set", "render.spp=4"}) == 0);
    CHECK_THAT(infoOf(farm.job.out, code), Catch::Contains("\n  paths per pixel: 4 (frame 2), 8 (frame 1)\n"));
    CHECK(code == 0);
}

TEST_CASE("info takes pictures with and without glints for pictures of one kind")
{
    const Farm farm;
    REQUIRE(farm.frames({}) == 0);
    int code = 0;
    const std::string before = infoOf(farm.job.out, code);
    Image picture = readExr(farm.image(2, ".exr"));
    const auto isGlint = [](const Channel& channel) { return channel.name.starts_with("glints."); };
    REQUIRE(std::erase_if(picture.channels, isGlint) == 3);
    writeExr(farm.image(2, ".exr"), picture);
    CHECK_THAT(infoOf(farm.job.out, code), Catch::StartsWith(before.substr(0, before.find('\n'))));
}

TEST_CASE("info tells that frames are crops")
{
    const Farm farm;
    REQUIRE(farm.frames({"--frames", "1", "--crop", "3,2,8,5"}) == 0);
    int code = 0;
    const std::string size = "8 x 5 pixels at (3, 2) of 24 x 16";
    CHECK_THAT(infoOf(farm.job.out, code), Catch::Contains("frame 1, " + size + ", "));
    CHECK_THAT(infoOf(farm.image(1, ".exr"), code), Catch::Contains("tiny.0001.exr: " + size + "\n"));
    CHECK(code == 0);
    REQUIRE(farm.frames({"--frames", "2"}) == 0);
    const std::string sizes = infoOf(farm.job.out, code);
    CHECK_THAT(sizes, Catch::Contains("tiny.####.exr: frames 1-2\n"));
    CHECK_THAT(sizes, Catch::Contains("  " + size) && Catch::Contains("channels besides glints and gloss: frame 1\n"));
    CHECK_THAT(sizes, Catch::Contains("  24 x 16 pixels, ") &&
                          Catch::Contains("channels besides glints and gloss: frame 2\n"));
    CHECK(code == 3);
}

TEST_CASE("check forecasts a frame and tests transport in its snow, without writing files")
{
    const Farm farm;
    const auto check = [&](const std::string& options) {
        const fs::path output = farm.root / "check.json";
        const std::string command = FIRN_RENDER " check " + farm.job.shot.string() + " --cache " +
                                    farm.job.cache.string() + options + " --json > " + output.string();
        REQUIRE(std::system(command.c_str()) == 0);
        return nlohmann::json::parse(std::ifstream(output));
    };
    const auto cached = check(" --light-cache");
    CHECK(cached.at("paths").at("scatterings_per_path") > cached.at("cached").at("scatterings_per_path"));
    const auto result = check(" --selftest");
    CHECK_FALSE(result.contains("cached"));
    CHECK(result.at("frame") == 1);
    CHECK(result.at("paths").at("paths_to_target") > 10);
    CHECK(result.at("selftest").at("furnace").at("passed") == true);
    CHECK(result.at("selftest").at("scatterings").at("passed") == true);
    CHECK(result.at("detail_bytes") > 0);
    CHECK(result.at("detail_is_limited") == false);
    CHECK_FALSE(fs::exists(farm.job.out));
}
