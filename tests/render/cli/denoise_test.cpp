#include <catch2/catch.hpp>

#include <cstdlib>

#include "common/image/exr.h"
#include "render/cli/denoise_job.h"
#include "tests/temporary_folder.h"

using namespace firn;

namespace {

/// A small noisy picture with all layers that the filter reads.
Image picture()
{
    Image image(24, 16);
    for (const char* name : {"R", "G", "B", "stderr.R", "stderr.G", "stderr.B", "albedo.R", "albedo.G", "albedo.B",
                             "N.X", "N.Y", "N.Z", "depth.Z", "samples"}) {
        std::vector<float>& pixels = image.add(name).pixels;
        for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = 0.5f + 0.1f * static_cast<float>(i * 7 % 5);
    }
    std::fill_n(image.find("samples")->pixels.begin(), image.pixelCount(), 8.0f);
    image.metadata["firn.program"] = std::string("firn-render");
    return image;
}

}  // namespace

TEST_CASE("Pictures are denoised again into another folder, and what was traced stays")
{
    const TemporaryFolder folder;
    const Image noisy = picture();
    writeExr(folder / "a.exr", noisy, {false});
    DenoiseJob job;
    job.pictures = {folder / "a.exr"};
    job.out = folder / "out";
    job.denoiser = "filter";
    for (int i = 0; i < 2; ++i) CHECK(denoisePictures(job) == ExitCode::Done);  // its own pictures are replaced
    const Image clean = readExr(folder / "out/a.exr");
    CHECK(clean.at("R").pixels == noisy.at("R").pixels);
    CHECK(clean.find("denoised.B") != nullptr);
    CHECK(std::get<std::string>(clean.metadata.at("firn.denoiser")) == "filter");
    CHECK(std::filesystem::exists(folder / "out/a.png"));
}

TEST_CASE("Denoising refuses to replace its input, and names a picture's missing layer or the missing weights")
{
    const TemporaryFolder folder;
    Image image = picture();
    writeExr(folder / "a.exr", image);
    DenoiseJob job;
    job.pictures = {folder / "a.exr"};
    job.out = folder.path;
    job.denoiser = "filter";
    CHECK_THROWS_WITH(denoisePictures(job), Catch::Contains("a.exr") && Catch::Contains("another folder"));

    std::erase_if(image.channels, [](const Channel& channel) { return channel.name == "N.X"; });
    writeExr(folder / "b.exr", image);
    job.pictures = {folder / "b.exr"};
    job.out = folder / "out";
    CHECK_THROWS_WITH(denoisePictures(job), Catch::Contains("b.exr") && Catch::Contains("N.X"));

    ::unsetenv("FIRN_DENOISER_WEIGHTS");
    job.denoiser = "network";
    CHECK_THROWS_WITH(denoisePictures(job), Catch::Contains("weights are missing"));
    CHECK_FALSE(std::filesystem::exists(folder / "out/b.exr"));
}
