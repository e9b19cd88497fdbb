// Movies: what their files hold, and what is refused.

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "common/image/apng.h"
#include "common/image/exr.h"
#include "common/io/checked_file.h"
#include "render/cli/movie_job.h"
#include "tests/render/cli/captured_errors.h"
#include "tests/temporary_folder.h"

using namespace firn;
namespace fs = std::filesystem;

namespace {

Rgb8Image plain(int width, int height, std::uint8_t value)
{
    return {width, height, std::vector<std::uint8_t>(static_cast<std::size_t>(3 * width * height), value)};
}

void writeFrames(const fs::path& folder, const std::vector<int>& frames, int width = 16)
{
    for (const int frame : frames) {
        writePng(folder / ("shot.000" + std::to_string(frame) + ".png"),
                 plain(width, 10, static_cast<std::uint8_t>(frame)));
    }
}

/// Types of the chunks, in order.
std::vector<std::string> chunksOf(const std::vector<std::byte>& png)
{
    std::vector<std::string> types;
    for (std::size_t at = 8; at + 12 <= png.size();) {
        std::size_t size = 0;
        for (std::size_t i = 0; i < 4; ++i) size = size << 8 | static_cast<std::size_t>(png[at + i]);
        types.emplace_back(reinterpret_cast<const char*>(png.data()) + at + 4, 4);
        at += 12 + size;
    }
    return types;
}

ExitCode codeOf(const MovieJob& job, std::string* message = nullptr)
{
    try {
        return makeMovie(job);
    } catch (const Error& error) {
        if (message) *message = error.what();
        return error.code();
    }
}

std::string environment(const char* name)
{
    const char* const value = std::getenv(name);
    return value != nullptr ? value : "";
}

/// A PATH with this program as its ffmpeg, for as long as it lives.
class FakeFfmpeg {
public:
    FakeFfmpeg(const fs::path& folder, const std::string& script) : m_before(environment("PATH"))
    {
        fs::create_directories(folder);
        std::ofstream(folder / "ffmpeg") << "#!/bin/sh\n" << script << "\n";
        fs::permissions(folder / "ffmpeg", fs::perms::owner_all);
        ::setenv("PATH", (folder.string() + ":" + m_before).c_str(), 1);
    }
    ~FakeFfmpeg() { ::setenv("PATH", m_before.c_str(), 1); }

private:
    std::string m_before;
};

}  // namespace

TEST_CASE("An animated PNG is a PNG of its first frame, with every further one in its chunks")
{
    TemporaryFolder folder;
    writeFrames(folder.path, {1, 2, 3});
    MovieJob job{folder.path, folder / "movie.png", "", 0, 0};
    REQUIRE(codeOf(job) == ExitCode::Done);
    const std::vector<std::byte> bytes = readFile(job.out);
    CHECK(decodePng(bytes, "movie").pixels == plain(16, 10, 1).pixels);
    const std::vector<std::string> chunks = chunksOf(bytes);
    CHECK(chunks[0] == "IHDR");
    CHECK(chunks[1] == "acTL");
    CHECK(chunks.back() == "IEND");
    CHECK(std::count(chunks.begin(), chunks.end(), "fcTL") == 3);
    CHECK(std::count(chunks.begin(), chunks.end(), "IDAT") == 1);
    CHECK(std::count(chunks.begin(), chunks.end(), "fdAT") == 2);
}

TEST_CASE("Gaps, other sizes and other names are refused")
{
    TemporaryFolder folder;
    std::string message;
    MovieJob job{folder.path, folder / "movie.png", "", 0, 0};
    CHECK(codeOf(job) == ExitCode::File);
    writeFrames(folder.path, {1, 2, 5});
    CHECK(codeOf(job, &message) == ExitCode::File);
    CHECK_THAT(message, Catch::Contains("frames 3-4 are missing") && Catch::EndsWith("--frames 1-2,5"));
    job.frames = "1-3";
    CHECK(codeOf(job, &message) == ExitCode::File);
    CHECK_THAT(message, Catch::Contains("frame 3 is missing; "));
    job.frames = "1,5";
    CHECK(codeOf(job) == ExitCode::Done);
    writeFrames(folder.path, {3, 4});
    fs::remove(folder / "shot.0004.png");
    Image picture(16, 10);
    for (const char* name : {"R", "G", "B"}) picture.add(name);
    writeExr(folder / "shot.0004.exr", picture);
    job.frames = "3-5";
    CHECK(codeOf(job) == ExitCode::Done);  // the EXR stands in for its preview
    writeFrames(folder.path, {5}, 20);
    CHECK(codeOf(job, &message) == ExitCode::File);
    CHECK_THAT(message, Catch::Contains("shot.0005.png") && Catch::Contains("20 x 10"));
    job.out = folder / "movie.gif";
    CHECK(codeOf(job) == ExitCode::Usage);
    job.frames = "1-2";
    job.out = folder / "shot.0009.png";
    CHECK(codeOf(job, &message) == ExitCode::Usage);
    CHECK_THAT(message, Catch::Contains("it would count as a frame beside " + (folder / "shot.####.").string()));
    job.out = folder / "shot.0009.apng";
    CHECK(codeOf(job) == ExitCode::Done);
    for (const char* name : {"shot.-001.png", "movie.0009.png"}) {
        job.out = folder / name;
        CHECK(codeOf(job) == ExitCode::Usage);
    }
    for (const char* name : {"shot.0001.png", "shot.0002.png"}) fs::remove(folder / name);
    writeExr(folder / "shot.0001.exr", picture);
    writeExr(folder / "shot.0002.exr", picture);
    job.out = folder / "shot.0002.png";
    CHECK(codeOf(job) == ExitCode::Usage);
    job.out = folder / "movie.2026.v2.png";
    CHECK(codeOf(job) == ExitCode::Done);
}

TEST_CASE("A movie of every second frame is written, with a warning that it plays too fast")
{
    const TemporaryFolder folder;
    writeFrames(folder.path, {1, 3, 5, 6});
    MovieJob job{folder.path, folder / "movie.png", "1,3,5", 0, 0};
    {
        const CapturedErrors errors;
        REQUIRE(codeOf(job) == ExitCode::Done);
        CHECK_THAT(errors.text(), Catch::Contains("the frames are 2 apart") && Catch::Contains("--fps 12 plays it"));
    }
    const CapturedErrors errors;
    job.fps = 12;
    CHECK(codeOf(job) == ExitCode::Done);
    CHECK(errors.text().empty());
    job.fps = 0;
    job.frames = "3,5,6";
    CHECK(codeOf(job) == ExitCode::Done);
    CHECK_THAT(errors.text(), Catch::Contains("frames between 3 and 6 are left out, so the movie jumps there"));
}

TEST_CASE("Without ffmpeg, a movie is an animated PNG that replaces only itself")
{
    TemporaryFolder folder;
    const std::string before = environment("PATH");
    ::setenv("PATH", folder.path.c_str(), 1);
    writeFrames(folder.path, {1, 2});
    const MovieJob job{folder.path, folder / "movie.mp4", "", 0, 0};
    std::ofstream(folder / "movie.png") << "of the user";
    CHECK(codeOf(job) == ExitCode::Done);
    CHECK(fs::exists(folder / "movie.mp4.png"));
    CHECK(codeOf(job) == ExitCode::Done);
    CHECK(fs::file_size(folder / "movie.png") == 11);
    std::ofstream(folder / "movie.mp4.png") << "of the user";
    CHECK(codeOf(job) != ExitCode::Done);
    CHECK(fs::file_size(folder / "movie.mp4.png") == 11);
    ::setenv("PATH", before.c_str(), 1);
}

TEST_CASE("ffmpeg is given raw pictures through a pipe, and a movie is whole or absent")
{
    TemporaryFolder folder;
    const fs::path frames = folder / "-i evil; $(touch x)";
    fs::create_directories(frames);
    writeFrames(frames, {1, 2});
    MovieJob job{frames, folder / "movie.mp4", "", 0, 0};
    job.fps = 30;
    {
        // Writes what it reads to the file that its last argument names, and its arguments beside.
        const FakeFfmpeg ffmpeg(folder / "bin", "for last; do :; done; echo \"$@\" > " +
                                                    (folder / "arguments").string() + "; cat > \"${last#file:}\"");
        REQUIRE(codeOf(job) == ExitCode::Done);
        CHECK(fs::file_size(job.out) == 2 * 16 * 10 * 3);
        std::stringstream arguments;
        arguments << std::ifstream(folder / "arguments").rdbuf();
        CHECK_THAT(arguments.str(), Catch::Contains("-s 16x10 -r 30 -i -"));
    }
    fs::remove(job.out);
    const FakeFfmpeg failing(folder / "bin2", "cat > /dev/null; exit 1");
    CHECK(codeOf(job) == ExitCode::Failed);
    CHECK_FALSE(fs::exists(job.out));
    CHECK_FALSE(fs::exists(folder / "movie.part.mp4"));
}
