#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "common/image/exr.h"
#include "common/image/png.h"
#include "common/image/view.h"
#include "common/io/own_file.h"
#include "render/cli/layer_view.h"
#include "render/cli/view_job.h"
#include "tests/render/cli/captured_errors.h"
#include "tests/render/cli/farm.h"
#include "tests/temporary_folder.h"

using namespace firn;
using namespace firn::test;

namespace {

/// Four pixels in a row.
Image picture()
{
    Image image(4, 1);
    const auto add = [&](const char* name, std::vector<float> values) { image.add(name).pixels = std::move(values); };
    for (const char* name : {"R", "G", "B"}) add(name, {0, 0.25f, 1, 4});
    for (const char* name : {"denoised.R", "denoised.G", "denoised.B"}) add(name, {0, 0.5f, 1, 4});
    for (const char* name : {"albedo.R", "albedo.G", "albedo.B"}) add(name, {0, 0.5f, 1, 1});
    add("N.X", {0, 1, 0, -1});
    add("N.Y", {0, 0, 1, 0});
    add("N.Z", {0, 0, 0, 0});
    add("depth.Z", {1, 2, 3, std::numeric_limits<float>::infinity()});
    add("stderr.Y", {0, 0.1f, 0.2f, 0.3f});
    add("stderr.V", {0, 0, 0, 0});
    image.metadata["firn.view"] = std::string("srgb");
    image.metadata["firn.exposure"] = 1.0f;
    return image;
}

using Bytes = std::vector<std::uint8_t>;

/// The red of each pixel.
Bytes redOf(const LayerView& view)
{
    Bytes red;
    for (std::size_t i = 0; i < view.pixels.pixels.size(); i += 3) red.push_back(view.pixels.pixels[i]);
    return red;
}

std::uint8_t shown(View view, float value)
{
    return static_cast<std::uint8_t>(std::lround(255 * srgbEncode(toneCurve(view, value))));
}

}  // namespace

TEST_CASE("Colours of a layer are shown with the tones of the picture, or those that are asked for")
{
    const Image image = picture();
    const LayerView denoised = viewLayer(image, {});
    CHECK(denoised.description == "denoised: srgb, exposure 1");
    CHECK(redOf(denoised) == Bytes{0, 255, 255, 255});
    CHECK(redOf(viewLayer(image, {"rgb", {}})) == Bytes{0, shown(View::Srgb, 0.5f), 255, 255});
    const LayerView dark = viewLayer(image, {"rgb", Tones{View::Filmic, -1}});
    CHECK(dark.description == "rgb: filmic, exposure -1");
    CHECK(redOf(dark) == Bytes{0, shown(View::Filmic, 0.125f), shown(View::Filmic, 0.5f), shown(View::Filmic, 2)});
    CHECK(redOf(viewLayer(image, {"albedo", {}})) == Bytes{0, shown(View::Srgb, 0.5f), 255, 255});
}

TEST_CASE("Normals are shown as colours, and pixels without one are black")
{
    const std::vector<std::uint8_t>& colors = viewLayer(picture(), {"N", {}}).pixels.pixels;
    CHECK(colors == Bytes{0, 0, 0, 255, 128, 128, 128, 255, 128, 0, 128, 128});
}

TEST_CASE("Single channels are shown over their range or the one that is given")
{
    const Image image = picture();
    const LayerView depth = viewLayer(image, {"depth", {}});
    CHECK(depth.description == "depth: 1 to 3");
    CHECK(redOf(depth) == Bytes{0, 183, 252, 0});  // least, middle and greatest colour; not finite: black
    CHECK(redOf(viewLayer(image, {"depth.Z", {}, {2, 4}})) == Bytes{0, 0, 183, 0});
    CHECK(viewLayer(image, {"stderr.Y", {}}).description == "stderr.Y: 0 to 0.3");
}

TEST_CASE("A layer that the picture does not have is refused with the names of those it has")
{
    const auto message = [](const std::string& layer) {
        try {
            viewLayer(picture(), {layer, {}});
        } catch (const Error& error) {
            CHECK(error.code() == ExitCode::Usage);
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK(message("deph") == "--layer deph: the picture has no such layer; did you mean 'depth'?");
    CHECK_THAT(message("zzzzzz"), Catch::Contains("'rgb', 'denoised', 'albedo', 'N', 'depth', 'stderr'"));
    CHECK(message("stderr") == "--layer stderr: give one of its channels: stderr.Y, stderr.V");
}

TEST_CASE("Options that a layer has no use for are refused")
{
    CHECK_THROWS_WITH(viewLayer(picture(), {"depth", Tones{}}), Catch::Contains("depth is not a colour"));
    CHECK_THROWS_WITH(viewLayer(picture(), {"N", Tones{}}), Catch::Contains("N is not a colour"));
    CHECK_THROWS_WITH(viewLayer(picture(), {"albedo", {}, {0, 1}}), Catch::Contains("--range"));
    CHECK_THROWS_WITH(viewLayer(picture(), {"N", {}, {0, 1}}), Catch::Contains("--range"));
}

TEST_CASE("view writes one PNG or a folder of them, and replaces only what it wrote")
{
    const TemporaryFolder folder;
    writeExr(folder / "shot.0001.exr", picture(), {false});
    writeExr(folder / "shot.0002.exr", picture(), {false});
    ViewJob job;
    job.pictures = {folder / "shot.0001.exr", folder / "shot.0002.exr"};
    job.out = folder / "depth";
    job.layer = "depth";
    for (int i = 0; i < 2; ++i) CHECK(viewPictures(job) == ExitCode::Done);
    const fs::path second = folder / "depth/shot.0002.png";
    CHECK(decodePng(readFile(second), "view").pixels == viewLayer(picture(), {"depth", {}}).pixels.pixels);
    const auto refused = [](const ViewJob& wrong) {
        try {
            viewPictures(wrong);
        } catch (const Error& error) {
            return error.code();
        }
        return ExitCode::Done;
    };
    job.out = folder / "new/one.png";
    CHECK(refused(job) == ExitCode::Usage);  // two pictures
    job.pictures.pop_back();
    CHECK(viewPictures(job) == ExitCode::Done);
    CHECK(fs::exists(job.out));
    job.range = {2, 1};
    CHECK(refused(job) == ExitCode::Usage);
    job.range = {};
    ViewJob scene = job;
    scene.out = folder / "tiny.toml";
    std::ofstream(scene.out) << "version = 1";
    CHECK_THROWS_WITH(viewPictures(scene),
                      "--out " + scene.out.string() + ": expected the name of a .png, or a folder");
    for (const char* name : {"one.jpg", "one.PNG"}) {
        scene.out = folder / name;
        CHECK(refused(scene) == ExitCode::Usage);
        CHECK_FALSE(fs::exists(scene.out));
    }
    writePng(job.out, {1, 1, {1, 2, 3}}, previewMark);
    CHECK(refused(job) == ExitCode::File);
    CHECK(isMarked(job.out, previewMark));
}

TEST_CASE("view names a damaged picture and shows the others")
{
    const TemporaryFolder folder;
    ViewJob job;
    for (const char* name : {"shot.0001.exr", "shot.0002.exr", "shot.0003.exr"}) {
        writeExr(folder / name, picture(), {false});
        job.pictures.push_back(folder / name);
    }
    fs::resize_file(job.pictures[1], fs::file_size(job.pictures[1]) / 2);
    job.out = folder / "depth";
    job.layer = "depth";
    const CapturedErrors errors;
    CHECK(viewPictures(job) == ExitCode::File);
    CHECK_THAT(errors.text(), Catch::Contains("shot.0002.exr"));
    CHECK(fs::exists(job.out / "shot.0001.png"));
    CHECK_FALSE(fs::exists(job.out / "shot.0002.png"));
    CHECK(fs::exists(job.out / "shot.0003.png"));
}

TEST_CASE("view shows what frames rendered")
{
    const Farm farm;
    REQUIRE(farm.frames({"--frames", "1"}) == 0);
    const std::string exr = farm.image(1, ".exr").string(), png = (farm.root / "view.png").string();
    REQUIRE(farm.run({"view", exr, "--out", png}) == 0);
    const Rgb8Image view = decodePng(readFile(png), "view");
    const Rgb8Image preview = decodePng(readFile(farm.image(1, ".png")), "preview");
    REQUIRE(view.pixels.size() == preview.pixels.size());
    int greatest = 0;
    for (std::size_t i = 0; i < view.pixels.size(); ++i) {
        greatest = std::max(greatest, std::abs(view.pixels[i] - preview.pixels[i]));
    }
    CHECK(greatest <= 1);  // the EXR has half precision
    const CapturedErrors errors;
    CHECK(farm.run({"view", exr, "--layer", "dpth", "--out", png}) == 2);
    CHECK_THAT(errors.text(),
               Catch::Contains("tiny.0001.exr: --layer dpth: the picture has no such layer; did you mean 'depth'?"));
}
