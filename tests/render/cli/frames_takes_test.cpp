#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <string>

#include "common/cache/wedge.h"
#include "common/error.h"
#include "common/image/exr.h"
#include "render/cli/picture_folders.h"
#include "tests/render/cli/captured_errors.h"
#include "tests/render/cli/farm.h"

using namespace firn;
using namespace firn::test;

namespace {

/// Makes the cache a wedge, each of whose takes has frame 1.
void simulate(const Farm& farm, const Wedge& wedge)
{
    writeWedge(farm.job.cache, wedge);
    for (const Take& take : wedge.takes) {
        fs::create_directory(farm.job.cache / take.name);
        fs::copy_file(farm.cacheFile(1), farm.job.cache / take.name / "snow.0001.vdb");
    }
}

}  // namespace

TEST_CASE("Of a wedge every take is rendered with its settings, over which those of the command line count")
{
    const Farm farm;
    const Wedge wedge{"", {"render.width=20"}, {{"one", {"render.spp=1"}}, {"three", {"render.spp=3"}}}};
    simulate(farm, wedge);
    REQUIRE(farm.frames({"--set", "render.height=10"}) == 0);
    CHECK(readWedge(farm.job.out) == wedge);
    for (const auto& [name, spp] : {std::pair("one", 1), std::pair("three", 3)}) {
        const Image image = readExr(farm.job.out / name / "tiny.0001.exr");
        CHECK(std::get<int>(image.metadata.at("firn.spp")) == spp);
        CHECK(image.width == 20);
        CHECK(image.height == 10);
    }
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

TEST_CASE("Pictures of a cache and those of a wedge do not mix in one folder")
{
    Farm farm;
    FramesJob single = farm.job;
    writeWedge(farm.job.cache, {"", {}, {{"one", {"render.spp=1"}}}});
    fs::create_directory(farm.job.cache / "one");
    fs::copy_file(farm.cacheFile(1), farm.job.cache / "one" / "snow.0001.vdb");
    single.cache = farm.job.cache / "one";
    REQUIRE(farm.frames({}) == 0);
    std::string message;
    CHECK(refusal(single, message) == ExitCode::Usage);
    CHECK_THAT(message, Catch::Contains("holds a wedge. A wedge and a single cache cannot be in one folder"));
    single.out = farm.job.out = farm.root / "single";
    REQUIRE(renderFrames(single) == ExitCode::Done);
    farm.job.force = true;
    CHECK(refusal(farm.job, message) == ExitCode::Usage);
    CHECK_THAT(message,
               Catch::Contains("holds pictures of one cache. A wedge and a single cache cannot be in one folder"));
    CHECK_FALSE(fs::exists(wedgePath(farm.job.out)));
}

TEST_CASE("Pictures of a wedge do not come into a cache, nor into a wedge of other caches")
{
    Farm farm;
    const fs::path cache = farm.job.cache;
    for (const fs::path& wedge : {cache / "wedge", cache / "other"}) {
        fs::create_directories(wedge / "one");
        writeWedge(wedge, {"", {}, {{"one", {"solver.dx=0." + std::to_string(wedge.string().size())}}}});
        fs::copy_file(farm.cacheFile(1), wedge / "one" / "snow.0001.vdb");
    }
    farm.job.cache = cache / "wedge";
    farm.job.force = true;
    std::string message;
    farm.job.out = cache;
    CHECK(refusal(farm.job, message) == ExitCode::Usage);
    CHECK_THAT(message, Catch::Contains("holds a cache. A wedge and a single cache cannot be in one folder"));
    farm.job.out = cache / "other";
    CHECK(refusal(farm.job, message) == ExitCode::Usage);
    CHECK_THAT(message, Catch::Contains("holds the caches of another wedge: choose another --out"));
    CHECK_FALSE(fs::exists(wedgePath(cache)));
}

TEST_CASE("Each take of a wedge is named before its frames are rendered")
{
    Farm farm;
    writeWedge(farm.job.cache, {"", {}, {{"one", {"render.spp=1"}}, {"two", {"render.spp=2"}}}});
    for (const char* take : {"one", "two"}) {
        fs::create_directory(farm.job.cache / take);
        fs::copy_file(farm.cacheFile(1), farm.job.cache / take / "snow.0001.vdb");
        listFrames(farm.job.cache / take);
    }
    farm.job.frames = "1";
    const CapturedErrors errors;
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    CHECK(errors.text() == "take 1/2: one\ntake 2/2: two\n");
}

TEST_CASE("A damaged frame of one take does not keep the others from being rendered")
{
    Farm farm;
    writeWedge(farm.job.cache, {"", {}, {{"one", {"render.spp=1"}}, {"two", {"render.spp=2"}}}});
    for (const char* take : {"one", "two"}) {
        fs::create_directory(farm.job.cache / take);
        for (const char* name : {"snow.0001.vdb", "snow.0002.vdb"})
            fs::copy_file(farm.job.cache / name, farm.job.cache / take / name);
    }
    const fs::path damaged = farm.job.cache / "one" / "snow.0002.vdb";
    fs::resize_file(damaged, fs::file_size(damaged) / 2);
    std::string message;
    CHECK(refusal(farm.job, message) == ExitCode::File);
    CHECK_THAT(message, Catch::EndsWith("frames of take 'one' could not be read and were not rendered"));
    CHECK(fs::exists(farm.job.out / "one" / "tiny.0001.exr"));
    CHECK(fs::exists(farm.job.out / "two" / "tiny.0002.exr"));
    fs::remove_all(farm.job.out);
    farm.job.frames = "2";  // the only frame of the job
    CHECK(refusal(farm.job, message) == ExitCode::File);
    CHECK_THAT(message, Catch::EndsWith("frames of take 'one' could not be read and were not rendered"));
    CHECK(fs::exists(farm.job.out / "two" / "tiny.0002.exr"));
}

TEST_CASE("A foreign frame in the cache of a take is named, and the take's pictures stay")
{
    Farm farm;
    simulate(farm, {"", {}, {{"one", {"render.spp=1"}}, {"two", {"render.spp=2"}}}});
    listFrames(farm.job.cache / "one");
    listFrames(farm.job.cache / "two");
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    const std::vector<std::byte> before = readFile(farm.job.out / "one" / "tiny.0001.exr");
    const Scene other = loadScene(farm.job.shot, {.set = {"solver.dx=0.06"}}).scene;
    writePointsFile(farm.job.cache / "one" / "snow.0001.vdb", Farm::snow(other, 1));
    farm.job.resume = true;
    std::string message;
    const CapturedErrors errors;
    CHECK(refusal(farm.job, message) == ExitCode::File);
    CHECK_THAT(message, Catch::Contains("one/snow.0001.vdb: was simulated from a scene that differs") &&
                            Catch::Contains("it was copied from another cache. 'firn-sim info"));
    CHECK(readFile(farm.job.out / "one" / "tiny.0001.exr") == before);
}

TEST_CASE("Whatever is wrong with any take is told before the first is rendered")
{
    Farm farm;
    writeWedge(farm.job.cache, {"", {}, {{"one", {"render.spp=1"}}, {"two", {"render.spp=2"}}, {"later", {}}}});
    for (const char* take : {"one", "two"}) {
        fs::create_directory(farm.job.cache / take);
        fs::copy_file(farm.cacheFile(1), farm.job.cache / take / "snow.0001.vdb");
    }
    const auto refused = [&] {
        std::string message;
        CHECK(refusal(farm.job, message) == ExitCode::File);
        CHECK_FALSE(fs::exists(farm.job.out / "one"));
        CHECK_FALSE(fs::exists(farm.job.out / "wedge.json"));
        return message;
    };
    farm.job.frames = "2";
    CHECK_THAT(refused(), Catch::StartsWith("take 'one': ") && Catch::Contains("frame 2 is missing"));
    farm.job.frames = "1";
    fs::create_directories(farm.job.out / "two");
    std::ofstream(farm.job.out / "two" / "tiny.0001.png") << "a plate";
    CHECK_THAT(refused(), Catch::StartsWith("take 'two': ") && Catch::Contains("tiny.0001.png exists"));
}

TEST_CASE("A take whose settings have changed in the scene is refused, or rendered as before with --force")
{
    Farm farm;
    writeWedge(farm.job.cache, {"", {}, {{"one", {"render.spp=1"}}}});
    fs::create_directory(farm.job.cache / "one");
    fs::copy_file(farm.cacheFile(1), farm.job.cache / "one" / "snow.0001.vdb");
    listFrames(farm.job.cache / "one");
    farm.job.frames = "1";
    std::ofstream(farm.job.shot, std::ios::app) << "[[take]]\nname = \"one\"\n\"render.spp\" = 3\n";
    std::string message;
    CHECK(refusal(farm.job, message) == ExitCode::Usage);
    CHECK(message ==
          "take 'one' has other settings in " + farm.job.shot.string() + " (render.spp=3) than in " +
              wedgePath(farm.job.cache).string() +
              " (render.spp=1). Undo the change, simulate the takes in another folder with 'firn-sim wedge', or add "
              "--force to render it as wedge.json has it");
    farm.job.force = true;
    const CapturedErrors errors;
    CHECK(renderFrames(farm.job) == ExitCode::Done);
    CHECK_THAT(errors.text(), Catch::Contains("(render.spp=1) and is rendered as wedge.json has it"));
    CHECK(std::get<int>(readExr(farm.job.out / "one" / "tiny.0001.exr").metadata.at("firn.spp")) == 1);
}

TEST_CASE("Pictures of a take carry its settings: --skip-existing and sheets do not take them for another one")
{
    Farm farm;
    fs::create_directory(farm.job.cache / "one");
    fs::copy_file(farm.cacheFile(1), farm.job.cache / "one" / "snow.0001.vdb");
    farm.job.frames = "1";
    farm.job.skip_existing = true;
    const fs::path picture = farm.job.out / "one" / "tiny.0001.exr";
    const auto renderedWith = [&](const std::string& exposure) {
        writeWedge(farm.job.cache, {"", {}, {{"one", {"render.spp=1", "render.exposure=" + exposure}}}});
        fs::remove(wedgePath(farm.job.out));
        REQUIRE(renderFrames(farm.job) == ExitCode::Done);
        return std::get<float>(readExr(picture).metadata.at("firn.exposure"));
    };
    CHECK(renderedWith("1") == 1);
    CHECK(std::get<std::string>(readExr(picture).metadata.at("firn.take")) == "one: render.spp=1; render.exposure=1");
    const auto before = fs::last_write_time(picture);
    CHECK(renderedWith("1") == 1);
    CHECK(fs::last_write_time(picture) == before);
    CHECK(renderedWith("2") == 2);  // the picture of exposure 1 does not count

    writeWedge(farm.job.out, {"", {}, {{"one", {"render.exposure=3"}}}});  // a list that is not theirs
    const std::vector<PictureFolder> folders = pictureFolders({farm.job.out});
    REQUIRE(folders.size() == 1);
    CHECK(folders[0].settings == std::vector<std::string>{"spp=1", "exposure=2"});
    const CapturedErrors errors;
    warnOfOthers(folders[0]);
    CHECK_THAT(errors.text(), Catch::Contains("pictures of frame 1 were made as take 'one: render.spp=1; "
                                              "render.exposure=2'; wedge.json has 'one: render.exposure=3'\n"));
}

TEST_CASE("Takes whose pictures differ in more than the takes do are told")
{
    Farm farm;
    const Wedge wedge{"", {}, {{"near", {"camera.focal_length_mm=50"}}, {"far", {"camera.focal_length_mm=24"}}}};
    simulate(farm, wedge);
    farm.job.frames = "1";
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    const auto warnings = [&] {
        const CapturedErrors errors;
        warnOfUnlikeTakes(pictureFolders({farm.job.out}));
        return errors.text();
    };
    CHECK(warnings().empty());
    FramesJob again = farm.job;  // one take alone, of the changed scene
    again.cache /= "far";
    again.out /= "far";
    again.scene_options.set = {"camera.focal_length_mm=24", "camera.position=[0.4,0.3,0.6]"};
    REQUIRE(renderFrames(again) == ExitCode::Done);
    CHECK_THAT(warnings(), Catch::Contains("the pictures of takes 'near' and 'far' differ in more than the takes: "
                                           "camera.position: [0.4, 0.3, 0.5] in 'near', [0.4, 0.3, 0.6] in 'far'"));
}

TEST_CASE("The cache of a take that is rendered alone gives pictures of the take, if the settings are the take's")
{
    Farm farm;
    const std::string setting = "camera.focal_length_mm=50";
    const Wedge wedge{"", {"render.width=20"}, {{"near", {setting}}, {"far", {"camera.focal_length_mm=24"}}}};
    simulate(farm, wedge);
    farm.job.frames = "1";
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    const fs::path picture = farm.job.out / "near/tiny.0001.exr";
    const std::string before = checksum(readFile(picture));
    FramesJob alone = farm.job;
    alone.cache = (farm.job.cache / "near").string() + "/";
    alone.out /= "near";
    alone.scene_options.set = {"render.width=20", setting};
    REQUIRE(renderFrames(alone) == ExitCode::Done);
    CHECK(checksum(readFile(picture)) == before);
    alone.scene_options.set = {"render.width=20", "camera.focal_length_mm=30"};
    {
        const CapturedErrors errors;
        REQUIRE(renderFrames(alone) == ExitCode::Done);
        CHECK_THAT(errors.text(), Catch::Contains("is the cache of take 'near', and its pictures will not be of that "
                                                  "take: camera.focal_length_mm: 50.0 in the take, 30.0 now"));
    }
    const std::vector<PictureFolder> folders = pictureFolders({farm.job.out});
    REQUIRE(folders.size() == 2);
    CHECK(folders[0].settings.empty());
    const CapturedErrors errors;
    warnOfOthers(folders[0]);
    CHECK_THAT(errors.text(), Catch::Contains("pictures of frame 1 were made without a take; wedge.json has 'near: "));
    farm.job.skip_existing = true;
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    CHECK(checksum(readFile(picture)) == before);
}

TEST_CASE("Pictures of a take carry the settings of the command line that override it")
{
    Farm farm;
    writeWedge(farm.job.cache, {"", {}, {{"one", {"render.exposure=1"}}}});
    fs::create_directory(farm.job.cache / "one");
    fs::copy_file(farm.cacheFile(1), farm.job.cache / "one" / "snow.0001.vdb");
    farm.job.frames = "1";
    const auto takeWith = [&](const std::string& setting) {
        farm.job.scene_options.set = {setting};
        REQUIRE(renderFrames(farm.job) == ExitCode::Done);
        return std::get<std::string>(readExr(farm.job.out / "one/tiny.0001.exr").metadata.at("firn.take"));
    };
    CHECK(takeWith("render.max_bounces=3") == "one: render.exposure=1");
    CHECK(takeWith("render.exposure=2") == "one: render.exposure=1; render.exposure=2");
}

TEST_CASE("A folder of takes without wedge.json is refused with what to do")
{
    Farm farm;
    const fs::path takes = farm.root / "takes";
    for (const char* name : {"one", "two"}) {
        fs::create_directories(takes / name);
        fs::copy_file(farm.cacheFile(1), takes / name / "snow.0001.vdb");
    }
    farm.job.cache = takes;
    if (GENERATE(false, true)) {  // also where the pictures have their list
        fs::create_directories(farm.job.out);
        writeWedge(farm.job.out, {"", {}, {{"one", {}}}});
    }
    std::string message;
    CHECK(refusal(farm.job, message) == ExitCode::File);
    CHECK(message == takes.string() +
                         ": holds folders of caches, such as one, but no wedge.json that lists them: repeat "
                         "firn-sim wedge, which writes it, or give --cache " +
                         (takes / "one").string());
}

TEST_CASE("Takes without frames are named at once, and the others are rendered")
{
    Farm farm;
    writeWedge(farm.job.cache, {"", {}, {{"later", {}}, {"one", {"render.spp=1"}}, {"last", {}}}});
    fs::create_directory(farm.job.cache / "one");
    fs::copy_file(farm.cacheFile(1), farm.job.cache / "one" / "snow.0001.vdb");
    listFrames(farm.job.cache / "one");
    farm.job.frames = "1";
    REQUIRE(farm.run({"info", farm.cacheFile(1).string()}) != 0);  // warnings begin with the program's name from now on
    const CapturedErrors errors;
    std::string message;
    CHECK(refusal(farm.job, message) == ExitCode::File);
    CHECK(errors.text() == "firn-render: warning: no frames yet of takes 'later', 'last'\ntake 2/3: one\n");
    CHECK_THAT(message, Catch::EndsWith("no frames of takes 'later', 'last': simulate them with 'firn-sim wedge', then "
                                        "render again with --resume"));
    CHECK(fs::exists(farm.job.out / "one" / "tiny.0001.exr"));
    // Without any frames, nothing is written that another wedge would meet.
    farm.job.cache = farm.root / "empty";
    fs::create_directory(farm.job.cache);
    writeWedge(farm.job.cache, {"", {}, {{"one", {"render.spp=1"}}}});
    farm.job.out = farm.root / "later";
    CHECK(refusal(farm.job, message) == ExitCode::File);
    CHECK_THAT(message, Catch::Contains("no frames of take 'one'"));
    CHECK_FALSE(fs::exists(wedgePath(farm.job.out)));
}
