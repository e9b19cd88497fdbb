// firn-render playblast: its pictures, its page, and frames that come while it runs.
#include <catch2/catch.hpp>
#include <thread>

#include "common/cache/lock.h"
#include "common/image/png.h"
#include "render/cli/playblast_job.h"
#include "tests/render/cli/captured_errors.h"
#include "tests/render/cli/farm.h"

using namespace firn;
using namespace firn::test;

namespace {

int playblast(const Farm& farm, const std::vector<std::string>& more)
{
    return farm.run(farm.argumentsOf("playblast", more));
}

std::string pageOf(const Farm& farm)
{
    const std::vector<std::byte> bytes = readFile(farm.job.out / "playblast.html");
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

TEST_CASE("A playblast has a picture of each frame, and a page that names them")
{
    const Farm farm;
    listFrames(farm.job.cache);
    REQUIRE(playblast(farm, {}) == 0);
    const Rgb8Image image = decodePng(readFile(farm.image(2, ".png")), "picture");
    CHECK(image.width == 1280);
    CHECK(image.height == 853);  // in the shape of 24 x 16
    const std::string page = pageOf(farm);
    CHECK_THAT(page, Catch::Contains("\"pictures\":[\"tiny.0001.png\",\"tiny.0002.png\"]") &&
                         Catch::Contains("img-src data: 'self' file:") && Catch::Contains("\"growing\":false") &&
                         Catch::Contains("\"last_frame\":4"));
    REQUIRE(playblast(farm, {"--frames", "1", "--res", "64x36", "--color", "packing"}) == 0);  // replaces the first
    CHECK(decodePng(readFile(farm.image(1, ".png")), "picture").width == 64);
    CHECK_THAT(pageOf(farm), Catch::Contains("\"color\":\"packing\""));
}

TEST_CASE("A playblast replaces no other files")
{
    const Farm farm;
    listFrames(farm.job.cache);
    fs::create_directory(farm.job.out);
    const CapturedErrors errors;
    SECTION("in the place of a picture")
    {
        std::ofstream(farm.image(2, ".png")) << "mine";
        CHECK(playblast(farm, {}) == 3);
        CHECK_THAT(errors.text(), Catch::Contains("tiny.0002.png exists, and nothing shows that Firn wrote it"));
        CHECK(!fs::exists(farm.image(1, ".png")));
    }
    SECTION("in the place of the page")
    {
        std::ofstream(farm.job.out / "playblast.html") << "mine";
        CHECK(playblast(farm, {}) == 3);
        CHECK_THAT(errors.text(), Catch::Contains("playblast.html"));
    }
    SECTION("a rendered picture")
    {
        REQUIRE(farm.frames({"--frames", "1"}) == 0);
        CHECK(playblast(farm, {"--frames", "1"}) == 3);
    }
    SECTION("a cache")
    {
        CHECK(farm.run({"playblast", farm.job.shot.string(), "--cache", farm.job.cache.string(), "--out",
                        farm.job.cache.string()}) == 2);
        CHECK_THAT(errors.text(), Catch::Contains("holds a cache: choose another --out"));
    }
}

TEST_CASE("A playblast with wrong options draws nothing")
{
    const Farm farm;
    listFrames(farm.job.cache);
    const CapturedErrors errors;
    CHECK(playblast(farm, {"--follow", "--frames", "1"}) == 2);
    CHECK_THAT(errors.text(), Catch::Contains("--follow draws all frames as they come: give it without --frames"));
    CHECK(playblast(farm, {"--color", "heat"}) == 2);
    CHECK(playblast(farm, {"--frames", "9"}) == 2);
    CHECK_THAT(errors.text(), Catch::Contains("frame 9 lies outside the scene's frames 1 to 4"));
    CHECK(playblast(farm, {"--frames", "3"}) == 3);
    CHECK(!fs::exists(farm.image(1, ".png")));
}

TEST_CASE("With --follow, frames are drawn as they come, until the run ends")
{
    const Farm farm;
    listFrames(farm.job.cache);
    int code = -1;
    std::thread follower;
    {
        const FolderLock lock(farm.job.cache);
        follower = std::thread([&] { code = playblast(farm, {"--follow", "--res", "64x36"}); });
        const auto waitFor = [&](int frame) {
            for (int i = 0; i < 600 && !fs::exists(farm.image(frame, ".png")); ++i)
                std::this_thread::sleep_for(std::chrono::milliseconds(100));
            return fs::exists(farm.image(frame, ".png"));
        };
        CHECK(waitFor(2));
        writePointsFile(farm.cacheFile(3), Farm::snow(loadScene(farm.job.shot).scene, 3));
        std::this_thread::sleep_for(std::chrono::milliseconds(500));
        CHECK(!fs::exists(farm.image(3, ".png")));  // it has no line yet
        fs::remove(farm.job.cache / "stats.jsonl");
        listFrames(farm.job.cache);
        CHECK(waitFor(3));
    }
    follower.join();
    CHECK(code == 0);
    CHECK_THAT(pageOf(farm), Catch::Contains("\"growing\":false") && Catch::Contains("\"frames\":[1,2,3]"));
}
