// Contact sheets: where pictures stand, and what is refused.

#include <catch2/catch.hpp>
#include <fstream>

#include "common/cache/wedge.h"
#include "common/error.h"
#include "render/cli/sheet_job.h"
#include "tests/render/cli/captured_errors.h"
#include "tests/temporary_folder.h"

using namespace firn;
namespace fs = std::filesystem;

namespace {

void writePlain(const fs::path& folder, int frame, std::uint8_t red)
{
    fs::create_directories(folder);
    Rgb8Image image{40, 30, {}};
    for (int i = 0; i < 40 * 30; ++i) image.pixels.insert(image.pixels.end(), {red, 0, 255});
    writePng(folder / ("shot.000" + std::to_string(frame) + ".png"), image);
}

/// Pixels that are of a picture of this red.
long countOf(const Rgb8Image& sheet, std::uint8_t red)
{
    long count = 0;
    for (std::size_t i = 0; i < sheet.pixels.size(); i += 3) {
        count += sheet.pixels[i] == red && sheet.pixels[i + 1] == 0 && sheet.pixels[i + 2] == 255;
    }
    return count;
}

ExitCode codeOf(const SheetJob& job)
{
    try {
        return makeSheet(job);
    } catch (const Error& error) {
        return error.code();
    }
}

}  // namespace

TEST_CASE("Every picture stands whole on the sheet, takes of a wedge in its order with its settings")
{
    TemporaryFolder folder;
    for (const int frame : {1, 2}) {
        writePlain(folder / "b", frame, static_cast<std::uint8_t>(10 + frame));
        writePlain(folder / "a", frame, static_cast<std::uint8_t>(20 + frame));
    }
    writeWedge(folder.path, {"", {}, {{"b", {"snow.0.material.hardening=5"}}, {"a", {"solver.dx=0.02"}}}});
    const std::vector<PictureFolder> folders = pictureFolders({folder.path});
    REQUIRE(folders.size() == 2);
    CHECK(folders[0].title == "b");
    CHECK(folders[0].settings == std::vector<std::string>{"hardening=5"});
    const Rgb8Image sheet = contactSheet(folders, {});
    for (const std::uint8_t red : {11, 12, 21, 22}) CHECK(countOf(sheet, red) == 40 * 30);
    SheetJob second;
    second.frames = "2";
    const Rgb8Image one = contactSheet(folders, second);
    CHECK(countOf(one, 12) == 40 * 30);
    CHECK(countOf(one, 11) == 0);
}

TEST_CASE("Without a wedge subfolders come by name, and folders are called by what tells them apart")
{
    TemporaryFolder folder;
    for (const char* name : {"late/frames", "early/frames"}) writePlain(folder / name, 1, 1);
    const auto folders = pictureFolders({folder / "late", folder / "early/frames"});
    REQUIRE(folders.size() == 2);
    CHECK(folders[0].title == "late");
    CHECK(folders[1].title == "early");
}

TEST_CASE("A sheet thins long sequences evenly, from the first frame to the last")
{
    TemporaryFolder folder;
    for (int frame = 1; frame <= 9; ++frame) writePlain(folder.path, frame, static_cast<std::uint8_t>(frame));
    SheetJob job;
    job.count = 3;
    const Rgb8Image sheet = contactSheet(pictureFolders({folder.path}), job);
    for (int frame = 1; frame <= 9; ++frame) {
        CHECK(countOf(sheet, static_cast<std::uint8_t>(frame)) ==
              (frame == 1 || frame == 5 || frame == 9 ? 40 * 30 : 0));
    }
}

TEST_CASE("A sheet names the frames of --frames that it leaves out")
{
    TemporaryFolder folder;
    for (const int frame : {1, 2, 5}) writePlain(folder / "x", frame, 7);
    SheetJob job;
    job.folders = {folder / "x"};
    job.out = folder / "sheet.png";
    job.frames = "1-6";
    {
        const CapturedErrors errors;
        CHECK(codeOf(job) == ExitCode::Done);
        CHECK_THAT(errors.text(), Catch::Contains("warning: no pictures of frames 3-4,6: left out\n"));
    }
    job.frames = "1,5";
    const CapturedErrors errors;
    CHECK(codeOf(job) == ExitCode::Done);
    CHECK(errors.text().empty());
}

TEST_CASE("A sheet of pictures of two sizes is written, with a warning")
{
    const TemporaryFolder folder;
    writePlain(folder / "x", 1, 7);
    writePlain(folder / "x", 2, 7);
    writePng(folder / "x/shot.0002.png", {20, 30, std::vector<std::uint8_t>(20 * 30 * 3, 7)});
    SheetJob job;
    job.folders = {folder / "x"};
    job.out = folder / "sheet.png";
    const CapturedErrors errors;
    CHECK(codeOf(job) == ExitCode::Done);
    CHECK_THAT(errors.text(), Catch::Contains("shot.0001.png has 40 x 30 pixels, ") &&
                                  Catch::Contains("shot.0002.png has 20 x 30 pixels\n"));
}

TEST_CASE("The sheet of folders with nothing to show, or with damage, is refused")
{
    TemporaryFolder folder;
    SheetJob job;
    job.folders = {folder.path};
    job.out = folder / "sheet.png";
    CHECK(codeOf(job) == ExitCode::File);  // no pictures
    writePlain(folder / "x", 1, 1);
    job.folders = {folder / "none"};
    CHECK(codeOf(job) == ExitCode::File);
    job.folders = {folder / "x"};
    job.frames = "7-9";
    CHECK(codeOf(job) == ExitCode::Usage);
    job.frames = "";
    job.out = folder / "sheet.jpg";
    CHECK(codeOf(job) == ExitCode::Usage);
    job.out = folder / "new/sheet.png";
    CHECK(codeOf(job) == ExitCode::Done);
    fs::resize_file(folder / "x" / "shot.0001.png", 60);
    CHECK(codeOf(job) == ExitCode::File);
    std::ofstream(wedgePath(folder.path)) << R"({"format": "firn wedge 1", "quality": "", "set": [],
        "takes": [{"name": "../outside", "set": []}]})";
    job.folders = {folder.path};
    CHECK(codeOf(job) == ExitCode::File);
}

TEST_CASE("A sheet is made beside a damaged EXR, and without a take whose folder is missing, with a warning of each")
{
    TemporaryFolder folder;
    writePlain(folder / "a", 1, 11);
    writePlain(folder / "a", 2, 12);
    std::ofstream(folder / "a" / "shot.0001.exr") << "cut";
    writeWedge(folder.path, {"", {}, {{"a", {"solver.dx=0.02"}}, {"b", {"solver.dx=0.03"}}}});
    SheetJob job;
    job.folders = {folder.path};
    job.out = folder / "sheet.png";
    job.frames = "2";
    const CapturedErrors errors;
    CHECK(codeOf(job) == ExitCode::Done);
    CHECK_THAT(errors.text(),
               Catch::Contains("shot.0001.exr is damaged or cannot be read") &&
                   Catch::Contains("has no folder for take 'b', which wedge.json lists: it is left out"));
}

TEST_CASE("A sheet replaces a sheet, and no other picture")
{
    TemporaryFolder folder;
    writePlain(folder / "x", 1, 1);
    SheetJob job;
    job.folders = {folder / "x"};
    job.out = folder / "sheet.png";
    CHECK(codeOf(job) == ExitCode::Done);
    CHECK(codeOf(job) == ExitCode::Done);
    job.out = folder / "x" / "shot.0001.png";
    CHECK(codeOf(job) == ExitCode::File);
    CHECK(decodePng(readFile(job.out), "picture").width == 40);
}
