// Films, and renders that share their folder with other programs: what they keep, refuse and remove.

#include <sys/wait.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "common/error.h"
#include "common/image/exr.h"
#include "common/io/checksum.h"
#include "render/film_file.h"
#include "tests/render/cli/captured_errors.h"
#include "tests/render/cli/farm.h"

using namespace firn;
using namespace firn::test;

namespace {

/// The message of the error that ends the rendering. `somebody` acts in the folder of pictures while a frame is traced,
/// which takes seconds.
std::string messageWhile(const FramesJob& job, const std::function<void()>& somebody)
{
    std::thread acting([&] {
        while (!fs::exists(job.out)) std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        somebody();
    });
    std::string message;
    try {
        renderFrames(job);
    } catch (const Error& error) {
        message = error.what();
    }
    acting.join();
    return message;
}

/// Copies what another run wrote of frame 1 into the folder of the job.
void copyPicture(const FramesJob& from, const FramesJob& to, bool withFilm)
{
    for (const char* name : {"tiny.0001.exr", "tiny.0001.png", "render_stats.jsonl", "tiny.0001.film"})
        if (withFilm || std::string_view(name) != "tiny.0001.film") fs::copy_file(from.out / name, to.out / name);
}

/// A job of other samples in another folder, with its film.
FramesJob otherSamples(const Farm& farm)
{
    FramesJob other = farm.job;
    other.out = farm.root / "other";
    other.seed = 5;
    other.keep_film = true;
    return other;
}

/// The file that the message of a refused run names.
fs::path keptFilm(const std::string& message)
{
    const auto from = message.find("kept in ") + 8;
    return message.substr(from, message.find(": --resume") - from);
}

}  // namespace

TEST_CASE("A file that is put in the place of a picture while it is rendered stays, and so do the frame's samples")
{
    Farm farm;
    farm.job.spp = 2000;
    const std::string message = messageWhile(farm.job, [&] { std::ofstream(farm.image(1, ".png")) << "a plate"; });
    CHECK_THAT(message, Catch::Contains("tiny.0001.png exists") && Catch::Contains("samples of the frame are kept"));
    CHECK(fs::file_size(farm.image(1, ".png")) == 7);
    fs::remove(farm.image(1, ".png"));
    farm.job.resume = true;
    CHECK(renderFrames(farm.job) == ExitCode::Done);
}

TEST_CASE("A better picture that another run makes while a frame is rendered stays, and so do the frame's samples")
{
    Farm farm;
    farm.job.frames = "1";
    FramesJob other = farm.job;
    other.out = farm.root / "better";
    other.resolution = "96x64";
    other.spp = 200;
    REQUIRE(renderFrames(other) == ExitCode::Done);
    farm.job.spp = 2000;
    const std::string message = messageWhile(farm.job, [&] { copyPicture(other, farm.job, false); });
    CHECK_THAT(message, Catch::Contains("tiny.0001.exr is a picture with 96 x 64 pixels at 0,0 of 96 x 64") &&
                            Catch::Contains("samples of the frame are kept"));
    CHECK(readExr(farm.image(1, ".exr")).width == 96);
    CHECK_FALSE(fs::exists(farm.image(1, ".film")));  // there it would stop the next run of other options
    CHECK_THAT(message, Catch::Contains("kept in " + (farm.job.out / "tiny.kept-").string()));
}

TEST_CASE("A refused run leaves the film of the run that wrote the picture, which --resume then finds complete")
{
    Farm farm;
    farm.job.frames = "1";
    farm.job.spp = 2000;
    FramesJob other = otherSamples(farm);
    farm.job.keep_film = GENERATE(true, false);
    REQUIRE(renderFrames(other) == ExitCode::Done);
    const std::string message = messageWhile(farm.job, [&] { copyPicture(other, farm.job, true); });
    CHECK_THAT(message, Catch::Contains("was written by another program after this command began"));
    CHECK(readFile(farm.image(1, ".film")) == readFile(other.out / "tiny.0001.film"));
    // The refused run's samples are beside it, and make a picture.
    const fs::path kept = keptFilm(message);
    CHECK_THAT(kept.filename().string(), Catch::StartsWith("tiny.kept-"));
    CHECK(farm.run({"merge", kept.string(), "--out", (farm.root / "merged").string()}) == 0);
    // The owner goes on.
    other.out = farm.job.out;
    other.resume = true;
    const auto before = fs::last_write_time(farm.image(1, ".exr"));
    CHECK(renderFrames(other) == ExitCode::Done);
    CHECK(fs::last_write_time(farm.image(1, ".exr")) == before);
    // So does the refused run, with --force. It replaces the film as well.
    farm.job.resume = farm.job.force = true;
    CHECK(renderFrames(farm.job) == ExitCode::Done);
    CHECK_FALSE(fs::exists(kept));
}

TEST_CASE("Kept samples are continued where the film of another run is in their place")
{
    Farm farm;
    farm.job.frames = "1";
    farm.job.spp = 2000;
    FramesJob other = otherSamples(farm);
    REQUIRE(renderFrames(other) == ExitCode::Done);
    const std::string message = messageWhile(farm.job, [&] { copyPicture(other, farm.job, true); });
    CHECK_THAT(message, Catch::Contains(": --resume --force uses them and replaces the picture"));
    farm.job.resume = true;
    std::string refused;
    CHECK(refusal(farm.job, refused) == ExitCode::Usage);  // nothing of the other job is lost
    CHECK(readFile(farm.image(1, ".film")) == readFile(other.out / "tiny.0001.film"));
    CHECK(readFile(farm.image(1, ".exr")) == readFile(other.out / "tiny.0001.exr"));
    farm.job.force = true;
    const CapturedErrors errors;
    CHECK(renderFrames(farm.job) == ExitCode::Done);
    CHECK_THAT(errors.text(), Catch::Contains("will be replaced"));
    CHECK_FALSE(fs::exists(farm.image(1, ".film")));  // it was that of the other picture
}

TEST_CASE("A render ends when its folder is moved and another one is in its place")
{
    Farm farm;
    farm.job.frames = "1";
    farm.job.spp = 2000;
    const std::string message = messageWhile(farm.job, [&] {
        fs::rename(farm.job.out, farm.root / "moved");
        fs::create_directory(farm.job.out);
    });
    CHECK_THAT(message, Catch::Contains("was moved, and another folder is in its place"));
    CHECK_FALSE(fs::exists(farm.image(1, ".exr")));
}

TEST_CASE("--force names a film whose samples are lost")
{
    Farm farm;
    farm.job.frames = "1";
    farm.job.keep_film = true;
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    farm.job.force = true;
    farm.job.keep_film = false;
    farm.job.progress = ProgressMode::Plain;
    const CapturedErrors errors;
    CHECK(renderFrames(farm.job) == ExitCode::Done);
    CHECK_THAT(errors.text(), Catch::Contains("warning: --force throws away the samples of the film " +
                                              farm.image(1, ".film").string()));
}

TEST_CASE("A film under the name of another frame is told by the name that it should have, and then continued")
{
    Farm farm;
    farm.job.frames = "1";
    farm.job.keep_film = true;
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    fs::remove(farm.image(1, ".exr"));
    fs::rename(farm.image(1, ".film"), farm.image(2, ".film"));
    farm.job.frames = "2";
    farm.job.resume = true;
    std::string message;
    CHECK(refusal(farm.job, message) == ExitCode::File);
    CHECK_THAT(message, Catch::Contains("tiny.0002.film holds samples of frame 1: it was copied or renamed. Rename it "
                                        "to tiny.0001.film, and the same 'firn-render frames' with --resume "
                                        "continues"));
    fs::rename(farm.image(2, ".film"), farm.image(1, ".film"));
    farm.job.frames = "1";
    const CapturedErrors errors;
    CHECK(renderFrames(farm.job) == ExitCode::Done);
    farm.job.frames = "2";
    CHECK(renderFrames(farm.job) == ExitCode::Done);
}

TEST_CASE("A damaged film is not replaced without --force")
{
    Farm farm;
    farm.job.frames = "1";
    farm.job.keep_film = true;
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    const fs::path film = farm.image(1, ".film");
    {
        std::fstream file(film, std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(static_cast<std::streamoff>(fs::file_size(film)) - 40);
        file << "xx";
    }
    const std::vector<std::byte> damaged = readFile(film);
    std::string message;
    CHECK(refusal(farm.job, message) == ExitCode::File);
    CHECK_THAT(message, Catch::Contains("tiny.0001.film") && Catch::Contains("move it away"));
    fs::remove(farm.image(1, ".exr"));
    farm.job.resume = true;  // renders the frame anew, and keeps its film beside the damaged one
    CHECK(renderFrames(farm.job) == ExitCode::Done);
    CHECK(readFile(film) == damaged);
    farm.job.resume = false;
    farm.job.force = true;
    CHECK(renderFrames(farm.job) == ExitCode::Done);
    CHECK(readFile(film) != damaged);
}

TEST_CASE("A picture that another run makes while a frame is rendered stays, unless it is the same")
{
    Farm farm;
    farm.job.frames = "1";
    farm.job.spp = 2000;
    FramesJob other = farm.job;
    other.out = farm.root / "other";
    const bool isSame = GENERATE(true, false);
    if (!isSame) other.seed = 5;
    REQUIRE(renderFrames(other) == ExitCode::Done);
    const std::string message = messageWhile(farm.job, [&] { copyPicture(other, farm.job, false); });
    CHECK(message.empty() == isSame);
    if (!isSame) CHECK_THAT(message, Catch::Contains("was written by another program after this command began"));
    CHECK(readFile(farm.image(1, ".exr")) == readFile(other.out / "tiny.0001.exr"));
}

TEST_CASE("A foreign file under the name of a kept film stays, and so do kept samples that the run did not use")
{
    Farm farm;
    farm.job.frames = "1";
    farm.job.spp = 2000;
    const std::string message = messageWhile(farm.job, [&] { std::ofstream(farm.image(1, ".png")) << "a plate"; });
    const fs::path kept = keptFilm(message);
    REQUIRE(fs::exists(kept));
    fs::remove(farm.image(1, ".png"));
    const bool isForeign = GENERATE(true, false);
    if (isForeign) std::ofstream(kept) << "mine";
    const std::vector<std::byte> before = readFile(kept);
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    CHECK(readFile(kept) == before);
    farm.job.resume = true;
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    if (isForeign) CHECK(readFile(kept) == before);
}

TEST_CASE("With --film, a frame whose film is missing or damaged is not finished")
{
    Farm farm;
    farm.job.frames = "1";
    farm.job.keep_film = true;
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    const fs::path film = farm.image(1, ".film");
    const std::vector<std::byte> whole = readFile(film);
    farm.job.resume = true;
    const auto before = fs::last_write_time(film);
    CHECK(renderFrames(farm.job) == ExitCode::Done);
    CHECK(fs::last_write_time(film) == before);
    fs::remove(film);
    CHECK(renderFrames(farm.job) == ExitCode::Done);
    CHECK(readFilm(film).state.is_complete);
    fs::resize_file(film, whole.size() / 2);
    CHECK(renderFrames(farm.job) == ExitCode::Done);
    const auto isKept = [](const fs::directory_entry& entry) {
        return entry.path().filename().string().starts_with("tiny.kept-");
    };
    CHECK(std::count_if(fs::directory_iterator(farm.job.out), {}, isKept) == 1);
}

TEST_CASE("Of jobs that write the same frame at the same time, one writes it, and the others say so")
{
    const Farm farm;
    std::vector<int> codes(4);
    std::vector<std::thread> shells;
    for (std::size_t i = 0; i < codes.size(); ++i) {
        shells.emplace_back([&, i] {
            std::string command = FIRN_RENDER;
            for (const std::string& argument : farm.framesArguments(
                     {"--frames", "1", "--spp", "200", "--seed", std::to_string(i), "--denoiser", "off"}))
                command += " " + argument;
            const int status = std::system((command + " 2> /dev/null").c_str());
            codes[i] = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        });
    }
    for (std::thread& shell : shells) shell.join();
    std::ranges::sort(codes);
    CHECK(codes.front() == 0);
    CHECK(codes.back() == 2);
    // A job that begins when another has written its picture replaces it. Each line is of such a one.
    const auto lines = farm.stats();
    CHECK(std::ranges::count(codes, 0) == static_cast<std::ptrdiff_t>(lines.size()));
    CHECK(checksum(readFile(farm.image(1, ".exr"))) == lines.back()["files"][0]["checksum"]);
}

TEST_CASE("When a damaged film was moved away, --resume puts the kept one into its place")
{
    Farm farm;
    farm.job.frames = "1";
    farm.job.keep_film = true;
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    const fs::path film = farm.image(1, ".film");
    const std::vector<std::byte> whole = readFile(film);
    fs::resize_file(film, whole.size() / 2);
    farm.job.resume = true;
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    fs::remove(film);
    CHECK(renderFrames(farm.job) == ExitCode::Done);
    CHECK(readFilm(film).state.is_complete);
}

TEST_CASE("Temporary files of killed renders are removed, and no command takes them for a sequence")
{
    Farm farm;
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    const fs::path left = farm.job.out / ".firn-tmp-999999-1-tiny.0002.png", exr = farm.job.out / ".mine.0002.exr";
    std::ofstream(left) << "x";
    std::ofstream(exr) << "x";
    CHECK(farm.run({"sheet", farm.job.out.string(), "--out", (farm.root / "sheet.png").string()}) == 0);
    CHECK(farm.run({"info", farm.job.out.string()}) == 0);
    CHECK(fs::exists(left));
    farm.job.resume = true;
    REQUIRE(renderFrames(farm.job) == ExitCode::Done);
    CHECK_FALSE(fs::exists(left));
    CHECK(fs::exists(exr));
}
