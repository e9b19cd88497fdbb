#include <catch2/catch.hpp>

#include <cstdlib>

#include "common/image/exr.h"
#include "render/cli/denoise_job.h"
#include "tests/render/cli/captured_errors.h"
#include "tests/render/cli/farm.h"
#include "tests/render/denoise/weights_file.h"
#include "tests/temporary_folder.h"

using namespace firn;
using namespace firn::test;

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

TEST_CASE("A picture of more paths or of another simulation is not replaced by denoising, unless forced")
{
    const TemporaryFolder folder;
    Image better = picture();
    better.metadata["firn.spp"] = 8;
    better.metadata["firn.scene_hash"] = std::string("0123456789abcdef");
    DenoiseJob job;
    job.pictures = {folder / "a.exr"};
    job.out = folder / "out";
    job.denoiser = "filter";
    std::filesystem::create_directory(job.out);
    Image now = better;
    std::string expected;
    SECTION("fewer paths")
    {
        now.metadata["firn.spp"] = 4;
        expected = "a.exr is a picture with 8 paths per pixel";
    }
    SECTION("another simulation")
    {
        now.metadata["firn.scene_hash"] = std::string("fedcba9876543210");
        expected = "a.exr is a picture of another simulation";
    }
    SECTION("a part of it")
    {
        now.display_width = better.display_width;
        now.display_height = better.display_height + 8;
        now.origin_y = 8;
        better.display_height += 8;
        expected = "not all of which are made now";
    }
    writeExr(job.pictures[0], now, {false});
    const auto before = writeExr(job.out / "a.exr", better, {false});
    CHECK_THROWS_WITH(denoisePictures(job), Catch::Contains(expected) && Catch::Contains("--force"));
    CHECK(std::filesystem::file_size(job.out / "a.exr") == before.bytes);
    job.force = true;
    CHECK(denoisePictures(job) == ExitCode::Done);
}

TEST_CASE("Denoising warns of pictures that it replaces with those of other values")
{
    const TemporaryFolder folder;
    Image image = picture();
    DenoiseJob job;
    job.pictures = {folder / "a.exr"};
    job.out = folder / "out";
    job.denoiser = "filter";
    std::filesystem::create_directory(job.out);
    image.metadata[sceneAttribute] = std::string("[render]\nmax_bounces = 3\n");
    writeExr(job.pictures[0], image, {false});
    image.metadata[sceneAttribute] = std::string("[render]\nmax_bounces = 4\n");
    image.metadata["firn.denoiser"] = std::string("filter");
    writeExr(job.out / "a.exr", image, {false});
    {
        const CapturedErrors errors;
        CHECK(denoisePictures(job) == ExitCode::Done);
        CHECK_THAT(errors.text(), Catch::Contains("1 picture of other values will be replaced: ") &&
                                      Catch::Contains("render.max_bounces: 4 in the picture, 3 now)"));
    }
    image.metadata[sceneAttribute] = std::string("[render]\nmax_bounces = 3\n");
    image.metadata["firn.denoiser"] = std::string("filter, 2 neighbours");
    writeExr(job.out / "a.exr", image, {false});
    const CapturedErrors errors;
    CHECK(denoisePictures(job) == ExitCode::Done);
    CHECK_THAT(errors.text(), Catch::Contains("denoiser: filter with neighbours in the picture, filter now"));
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

TEST_CASE("A damaged picture is named, and the other pictures are denoised without it")
{
    const TemporaryFolder folder;
    DenoiseJob job;
    for (const char* name : {"a.0001.exr", "a.0002.exr", "a.0003.exr"}) {
        writeExr(folder / name, picture(), {false});
        job.pictures.push_back(folder / name);
    }
    std::filesystem::resize_file(job.pictures[1], std::filesystem::file_size(job.pictures[1]) / 2);
    job.out = folder / "out";
    job.denoiser = "filter";
    job.neighbours = 1;
    for (int i = 0; i < 2; ++i) {
        const CapturedErrors errors;
        CHECK(denoisePictures(job) == ExitCode::File);
        CHECK_THAT(errors.text(), Catch::Contains("a.0002.exr"));
        CHECK(errors.text().find("a.0002.exr") == errors.text().rfind("a.0002.exr"));  // told once
    }
    CHECK(std::filesystem::exists(job.out / "a.0001.exr"));
    CHECK_FALSE(std::filesystem::exists(job.out / "a.0002.exr"));
    CHECK(std::filesystem::exists(job.out / "a.0003.exr"));
}

TEST_CASE("Neighbours under another light are not used, and a warning says so")
{
    const TemporaryFolder folder;
    DenoiseJob job;
    for (int frame = 1; frame <= 3; ++frame) {
        Image image = picture();
        for (const char* layer :
             {"seen.albedo.R", "seen.albedo.G", "seen.albedo.B", "seen.N.X", "seen.N.Y", "seen.N.Z", "stderr.Y"})
            image.add(layer).pixels.assign(image.pixelCount(), 0.5f);
        image.metadata["worldToCamera"] = Matrix4f{1, 0, 0, 0};
        image.metadata["firn.focal_length_mm"] = 35.0f;
        image.metadata["firn.sensor_width_mm"] = 36.0f;
        image.metadata[sceneAttribute] =
            std::string(frame == 3 ? "[render]\nmax_bounces = 3\n" : "[render]\nmax_bounces = 4\n");
        job.pictures.push_back(folder / ("a.000" + std::to_string(frame) + ".exr"));
        writeExr(job.pictures.back(), image);
    }
    job.out = folder / "out";
    job.denoiser = "filter";
    job.neighbours = 1;
    const CapturedErrors errors;
    CHECK(denoisePictures(job) == ExitCode::Done);
    CHECK_THAT(errors.text(), Catch::Contains("a.0003.exr is not used for ") &&
                                  Catch::Contains("render.max_bounces: 4 in the picture, 3 in the neighbour"));
    const auto denoiser = [&](const char* name) {
        return std::get<std::string>(readExr(job.out / name).metadata.at("firn.denoiser"));
    };
    CHECK(denoiser("a.0001.exr") == "filter, 1 neighbour");
    CHECK(denoiser("a.0002.exr") == "filter, 1 neighbour");
    CHECK(denoiser("a.0003.exr") == "filter");
}

TEST_CASE("Neighbours of another size, crop or camera than the scene's are told")
{
    const Farm farm;
    REQUIRE(farm.frames({"--frames", "1", "--seed", "1"}) == 0);
    const std::string option = GENERATE("--res 12x8", "--crop 0,0,12,8", "--set camera.focal_length_mm=40");
    const std::size_t space = option.find(' ');
    REQUIRE(farm.frames({"--frames", "2", "--seed", "2", option.substr(0, space), option.substr(space + 1)}) == 0);
    const CapturedErrors errors;
    REQUIRE(farm.run({"denoise", farm.image(1, ".exr").string(), farm.image(2, ".exr").string(), "--out",
                      (farm.root / "clean").string(), "--denoiser", "filter", "--neighbours", "1"}) == 0);
    CHECK_THAT(errors.text(),
               Catch::Contains("tiny.0002.exr is not used for ") &&
                   (Catch::Contains("size: 24 x 16 in the picture") || Catch::Contains("it is another crop") ||
                    Catch::Contains("camera.focal_length_mm: 35.0 in the picture, 40.0 in the neighbour")));
}

TEST_CASE("Neighbours of the same sequence are used where they have the same camera")
{
    const TemporaryFolder folder;
    DenoiseJob job;
    for (const char* name : {"a.0001.exr", "a.0002.exr", "a.0003.exr", "a.0004.exr", "b.0003.exr"}) {
        Image image = picture();
        for (const char* layer :
             {"seen.albedo.R", "seen.albedo.G", "seen.albedo.B", "seen.N.X", "seen.N.Y", "seen.N.Z", "stderr.Y"})
            image.add(layer).pixels.assign(image.pixelCount(), 0.5f);
        const float position = name == std::string("a.0004.exr") ? 1.0f : 0.0f;
        image.metadata["worldToCamera"] = Matrix4f{1, 0, 0, position};
        image.metadata["firn.focal_length_mm"] = 35.0f;
        image.metadata["firn.scene_hash"] = std::string(name == std::string("a.0003.exr") ? "other" : "this");
        image.metadata["firn.sensor_width_mm"] = 36.0f;
        writeExr(folder / name, image);
        job.pictures.push_back(folder / name);
    }
    job.out = folder / "out";
    job.denoiser = "filter";
    job.neighbours = 2;
    {
        const CapturedErrors errors;
        CHECK(denoisePictures(job) == ExitCode::Done);
        CHECK_THAT(errors.text(),
                   Catch::Contains("a.0003.exr is not used for ") && Catch::Contains("it is of another simulation"));
    }
    const auto denoiser = [&](const char* name) {
        return std::get<std::string>(readExr(folder / "out" / name).metadata.at("firn.denoiser"));
    };
    CHECK(denoiser("a.0001.exr") == "filter, 1 neighbour");
    CHECK(denoiser("a.0002.exr") == "filter, 1 neighbour");
    CHECK(denoiser("a.0003.exr") == "filter");
    CHECK(denoiser("a.0004.exr") == "filter");
    CHECK(denoiser("b.0003.exr") == "filter");
    const Image clean = readExr(folder / "out/a.0001.exr");
    CHECK(clean.at("samples").pixels == picture().at("samples").pixels);  // what was traced stays
    CHECK(clean.at("R").pixels == readExr(folder / "a.0001.exr").at("R").pixels);

    job.pictures = {folder / "a.0001.exr"};
    const CapturedErrors errors;
    CHECK(denoisePictures(job) == ExitCode::Done);
    CHECK_THAT(errors.text(), Catch::Contains("denoised with 1 neighbour in the picture, with none now") &&
                                  Catch::Contains("a.0001.exr was denoised without neighbours: no other of the given "
                                                  "pictures within 2 frames can be used"));
    job.pictures = {folder / "a.0002.exr", folder / "a.0004.exr"};
    job.force = true;
    CHECK(denoisePictures(job) == ExitCode::Done);
    CHECK_THAT(errors.text(), Catch::Contains("2 pictures, such as ") && Catch::Contains("the camera moves"));
}

TEST_CASE("Pictures that other weights have denoised are told, are not finished, and differ in a sequence")
{
    const Farm farm;
    Tensors weights = smallWeights();
    writeFileChecked(farm.root / "a.tza", tzaBytes(weights));
    weights["dec_conv0.bias"].values[0] += 0.1f;
    writeFileChecked(farm.root / "b.tza", tzaBytes(weights));
    const auto frames = [&](const char* file, std::vector<std::string> more) {
        more.insert(more.end(), {"--denoiser-weights", (farm.root / file).string()});
        return farm.frames(more);
    };
    {
        const CapturedErrors errors;
        REQUIRE(frames("a.tza", {"--frames", "1"}) == 0);
        CHECK_THAT(errors.text(), Catch::Contains("warning: the weights a.tza ") && Catch::Contains("are not those"));
    }
    REQUIRE(frames("a.tza", {"--frames", "1", "--resume"}) == 0);
    {
        const CapturedErrors errors;
        CHECK(frames("b.tza", {"--frames", "1", "--resume"}) == 2);
        CHECK_THAT(errors.text(), Catch::Contains("denoiser: network ") && Catch::Contains("in the picture, network "));
    }
    REQUIRE(frames("b.tza", {"--frames", "2"}) == 0);
    CHECK(farm.run({"info", farm.job.out.string()}) == 3);
    const CapturedErrors errors;
    CHECK(farm.run({"movie", farm.job.out.string(), "--out", (farm.root / "movie.png").string()}) == 0);
    CHECK_THAT(errors.text(), Catch::Contains("denoiser: network "));
}

TEST_CASE("Weights that are missing are an error, also where the filter does not need them")
{
    const Farm farm;
    const std::string missing = (farm.root / "missing.tza").string();
    for (const char* denoiser : {"filter", "network", "auto", "off"}) {
        const CapturedErrors errors;
        CHECK(farm.frames({"--denoiser", denoiser, "--denoiser-weights", missing}) == 3);
        CHECK_THAT(errors.text(), Catch::Contains("missing.tza: no such file; expected the denoiser's weights"));
    }
}

TEST_CASE("Pictures with the same random numbers are no neighbours, and a warning says what to do")
{
    const Farm farm;
    for (const char* const variation : {"false", "true"}) {
        REQUIRE(farm.frames({"--force", "--set", std::string("render.vary_seed=") + variation}) == 0);
        const std::vector<std::string> denoise{"denoise",
                                               farm.image(1, ".exr").string(),
                                               farm.image(2, ".exr").string(),
                                               "--out",
                                               (farm.root / "clean").string(),
                                               "--denoiser",
                                               "filter",
                                               "--neighbours",
                                               "1"};
        const CapturedErrors errors;
        REQUIRE(farm.run(denoise) == 0);
        const bool isTold = errors.text().find("render.vary_seed=true") != std::string::npos;
        CHECK(isTold == (variation == std::string("false")));
        const Image clean = readExr(farm.root / "clean/tiny.0001.exr");
        CHECK(std::get<std::string>(clean.metadata.at("firn.denoiser")) == (isTold ? "filter" : "filter, 1 neighbour"));
        const std::size_t told = errors.text().size();
        REQUIRE(farm.run(denoise) == 0);
        CHECK(errors.text().substr(told).find("will be replaced") == std::string::npos);
    }
}
