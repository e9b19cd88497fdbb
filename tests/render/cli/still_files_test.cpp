// Files of still snow decide about pictures, but not about the simulation.

#include <catch2/catch.hpp>

#include <fstream>

#include "common/image/exr.h"
#include "common/image/png.h"
#include "tests/render/cli/captured_errors.h"
#include "tests/render/cli/farm.h"

using namespace firn;
using namespace firn::test;

namespace {

/// A farm with still snow, which lies where a picture from above is white.
struct MaskedFarm : Farm {
    MaskedFarm()
    {
        std::ofstream(job.shot, std::ios::app) << R"([[snow]]
name = "field"
shape = "layer"
still = true
min = [-0.5, 0, -0.5]
max = [0.5, 0, 0.5]
depth_m = 0.04
[snow.mask]
file = "field.png"
)";
        writeMask(true);
        job.frames = "1";
    }

    void writeMask(bool isLeft) const
    {
        Rgb8Image mask{16, 16, {}};
        for (int i = 0; i < 16 * 16; ++i) {
            const std::uint8_t grey = (isLeft ? i % 16 < 8 : i < 8 * 16) ? 255 : 0;
            mask.pixels.insert(mask.pixels.end(), {grey, grey, grey});
        }
        writePng(root / "field.png", mask);
    }
};

}  // namespace

TEST_CASE("A picture of another mask of still snow is refused by --resume, and does not count as existing")
{
    MaskedFarm farm;
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    const std::string before = checksum(readFile(farm.image(1, ".exr")));
    farm.writeMask(false);
    farm.job.resume = true;
    std::string message;
    CHECK(refusal(farm.job, message) == ExitCode::Usage);
    CHECK_THAT(message, Catch::Contains("snow.field.mask.file content: ") && Catch::Contains("in the picture") &&
                            Catch::Contains("--resume alone goes on with the same job only"));
    farm.job.frames = "1-2";
    farm.job.resume = false;
    farm.job.skip_existing = true;
    const CapturedErrors errors;
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    CHECK_THAT(errors.text(), Catch::Contains("1 picture of other values will be replaced"));
    CHECK(checksum(readFile(farm.image(1, ".exr"))) != before);
    farm.writeMask(true);
    farm.job.frames = "1";
    farm.job.skip_existing = false;
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    CHECK(checksum(readFile(farm.image(1, ".exr"))) == before);
    CHECK(farm.run({"info", farm.job.out.string()}) == 3);  // frame 2 is of the other mask
}

TEST_CASE("A picture of another depth of still snow does not count as existing, one of another name does")
{
    MaskedFarm farm;
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    const std::string before = checksum(readFile(farm.image(1, ".exr")));
    farm.job.skip_existing = true;
    farm.job.scene_options.set = {"snow.field.name=meadow"};
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    CHECK(checksum(readFile(farm.image(1, ".exr"))) == before);
    farm.job.scene_options.set = {
        GENERATE("snow.field.depth_m=0.1", "snow.field.mask.invert=true", "snow.field.preset=powder")};
    const CapturedErrors errors;
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    CHECK_THAT(errors.text(),
               Catch::Contains("1 picture of other values will be replaced") && Catch::Contains("snow.field."));
    const std::string after = checksum(readFile(farm.image(1, ".exr")));
    CHECK(after != before);
    farm.job.skip_existing = false;
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    CHECK(checksum(readFile(farm.image(1, ".exr"))) == after);
}

TEST_CASE("Films of other still snow are not merged, and a film is not continued with it")
{
    MaskedFarm farm;
    const fs::path film = "tiny.0001.film";
    farm.job.spp = 4;
    farm.job.samples = "0-1";
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    farm.writeMask(false);
    FramesJob other = farm.job;
    other.samples = "2-3";
    other.out = farm.root / "other";
    REQUIRE(renderFrames(other) == ExitCode::Done);
    CHECK(farm.run({"merge", (farm.job.out / film).string(), (other.out / film).string(), "--out",
                    (farm.root / "sum").string()}) == 2);
    CHECK_FALSE(fs::exists(farm.root / "sum" / "tiny.0001.exr"));
    farm.job.resume = true;
    std::string message;
    CHECK(refusal(farm.job, message) == ExitCode::Usage);
    CHECK_THAT(message, Catch::Contains("snow.field.mask.file content: "));
}

TEST_CASE("The key of a light cache covers the mask of still snow")
{
    MaskedFarm farm;
    farm.job.scene_options.set = {"render.transport=cached"};
    farm.job.light_caches = farm.root / "light";
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    farm.writeMask(false);
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    const std::string kept = checksum(readFile(farm.image(1, ".exr")));
    farm.job.light_caches.clear();
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    CHECK(checksum(readFile(farm.image(1, ".exr"))) == kept);
}
