// Frames that are interrupted and go on, and films of parts that become one picture.

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <fstream>

#include "common/image/exr.h"
#include "common/io/checked_file.h"
#include "render/film_file.h"
#include "tests/render/cli/captured_errors.h"
#include "tests/render/cli/farm.h"
#include "tests/text_of.h"

using namespace firn;
using namespace firn::test;

namespace {

using Arguments = std::vector<std::string>;

/// firn-render as a process.
class RunningProgram {
public:
    explicit RunningProgram(const Arguments& arguments)
    {
        std::vector<const char*> argv = {FIRN_RENDER};
        for (const std::string& argument : arguments) argv.push_back(argument.c_str());
        argv.push_back(nullptr);
        m_pid = ::fork();
        if (m_pid != 0) return;
        ::execv(FIRN_RENDER, const_cast<char* const*>(argv.data()));
        ::_exit(127);
    }

    bool isRunning() const
    {
        siginfo_t info{};
        return ::waitid(P_PID, static_cast<id_t>(m_pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0;
    }

    /// Whether firn-render has a handler for the signal. Before it is loaded, the process has those of the test.
    bool catches(int signal) const
    {
        std::ifstream status("/proc/" + std::to_string(m_pid) + "/status");
        bool isLoaded = false;
        for (std::string line; std::getline(status, line);) {
            isLoaded = isLoaded || line == "Name:\tfirn-render";
            if (line.starts_with("SigCgt:"))
                return isLoaded && std::stoull(line.substr(7), nullptr, 16) >> (signal - 1) & 1;
        }
        return false;
    }

    /// Sends the signal, 0 = none; the exit code, or minus the signal that ended the program.
    int end(int signal = 0) const
    {
        if (signal != 0) ::kill(m_pid, signal);
        int status = 0;
        ::waitpid(m_pid, &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    }

private:
    pid_t m_pid = -1;
};

struct Parts : Farm {
    fs::path film(const std::string& folder, int frame = 1) const
    {
        return root / folder / ("tiny.000" + std::to_string(frame) + ".film");
    }

    /// Renders frame 1 to a folder of its own.
    int part(const std::string& folder, Arguments more) const
    {
        Arguments arguments = {
            "frames", job.shot.string(), "--cache", job.cache.string(), "--out", (root / folder).string(), "--frames",
            "1",      "--progress",      "none"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run(arguments);
    }

    int merge(const Arguments& folders) const
    {
        Arguments arguments = {"merge", "--out", (root / "merged").string()};
        for (const std::string& folder : folders) arguments.push_back(film(folder).string());
        return run(arguments);
    }

    std::string mergeError(const Arguments& folders) const
    {
        const CapturedErrors errors;
        CHECK(merge(folders) == 2);
        return errors.text();
    }

    std::vector<std::byte> picture(const std::string& folder) const
    {
        return readFile(root / folder / "tiny.0001.exr");
    }
};

}  // namespace

TEST_CASE("The line of a merged picture gives its noise, also that of the denoised picture")
{
    const Parts parts;
    REQUIRE(parts.part("a", {"--spp", "8", "--samples", "0-3"}) == 0);
    REQUIRE(parts.part("b", {"--spp", "8", "--samples", "4-7"}) == 0);
    const fs::path output = parts.root / "merge.txt";
    const std::string command = FIRN_RENDER " merge --denoiser filter --out " + (parts.root / "merged").string() + " " +
                                parts.film("a").string() + " " + parts.film("b").string() + " > " + output.string();
    REQUIRE(std::system(command.c_str()) == 0);
    CHECK_THAT(textOf(output), Catch::Contains("8 spp  noise ") && Catch::Contains(" % (denoised "));
}

TEST_CASE("Parts of other samples, seeds and crops merge to the bytes of one run")
{
    const Parts parts;
    for (const char* transport : {"paths", "cached"}) {
        const Arguments same = {"--spp",    "12",
                                "--format", "float",
                                "--set",    "render.transport=\"" + std::string(transport) + "\"",
                                "--set",    "render.cache_photons=20000",
                                "--set",    "light.sun.group=key",
                                "--set",    "body.ground.shadow_catcher=true"};
        const auto with = [&](Arguments more) {
            more.insert(more.end(), same.begin(), same.end());
            return more;
        };
        for (const char* folder : {"whole", "a", "b", "c", "d", "merged"}) fs::remove_all(parts.root / folder);
        REQUIRE(parts.part("whole", with({})) == 0);
        REQUIRE(parts.part("a", with({"--samples", "0-3"})) == 0);
        REQUIRE(parts.part("b", with({"--samples", "4-11", "--crop", "0,0,24,7"})) == 0);
        REQUIRE(parts.part("c", with({"--samples", "4-11", "--crop", "0,7,24,9"})) == 0);
        REQUIRE(parts.merge({"c", "a", "b"}) == 0);
        const Image whole = decodeExr(parts.picture("whole"), "whole"),
                    merged = decodeExr(parts.picture("merged"), "merged");
        REQUIRE(whole.channels.size() == merged.channels.size());
        CHECK(merged.find("light.key.R"));
        CHECK(merged.find("shadow.R"));
        for (std::size_t i = 0; i < whole.channels.size(); ++i) {
            INFO(whole.channels[i].name);
            CHECK(whole.channels[i].pixels == merged.channels[i].pixels);
        }
        CHECK(parts.picture("merged") == parts.picture("whole"));
        REQUIRE(parts.part("d", with({"--samples", "4-11"})) == 0);
        REQUIRE(parts.merge({"a", "d"}) == 0);
        CHECK(parts.picture("merged") == parts.picture("whole"));
    }
    REQUIRE(parts.part("seed1", {"--film", "--seed", "1"}) == 0);
    REQUIRE(parts.part("seed2", {"--film", "--seed", "2", "--spp", "4"}) == 0);
    fs::remove_all(parts.root / "merged");
    REQUIRE(parts.merge({"seed1", "seed2"}) == 0);
    const Image merged = decodeExr(parts.picture("merged"), "merged");
    CHECK(merged.at("samples").pixels[0] == 6);
    CHECK(std::get<std::string>(merged.metadata.at("firn.samples")) == "seed 1 samples 0-1, seed 2 samples 0-3");
}

TEST_CASE("Parts without the samples that see surfaces are merged and denoised, and a message says what they lack")
{
    const Parts parts;
    REQUIRE(parts.part("a", {"--spp", "24", "--samples", "16-19"}) == 0);
    REQUIRE(parts.part("b", {"--spp", "24", "--samples", "20-23"}) == 0);
    const CapturedErrors errors;
    CHECK(parts.merge({"a", "b"}) == 0);
    CHECK_THAT(
        errors.text(),
        Catch::Contains("this picture has no layers seen.*, glints and gloss, because only samples 0-15 carry them"));
    const Image merged = decodeExr(parts.picture("merged"), "merged");
    CHECK(merged.find("denoised.R") != nullptr);
    CHECK(merged.find("seen.albedo.R") == nullptr);
}

TEST_CASE("A picture of other samples is replaced with a warning, also if its film is gone")
{
    const Parts parts;
    REQUIRE(parts.part("a", {"--spp", "8", "--samples", "0-3"}) == 0);
    fs::remove(parts.film("a"));
    const CapturedErrors errors;
    REQUIRE(parts.part("a", {"--spp", "8", "--samples", "4-7"}) == 0);
    CHECK_THAT(errors.text(), Catch::Contains("first sample: 0 in the picture, 4 now"));
}

TEST_CASE("Films that do not belong together are refused by what differs")
{
    const Parts parts;
    REQUIRE(parts.part("a", {"--film"}) == 0);
    REQUIRE(parts.part("same", {"--film"}) == 0);
    CHECK_THAT(parts.mergeError({"a", "same"}),
               Catch::Contains("samples in common: seed 0 samples 0-1 of the pixels 0,0,"));
    REQUIRE(parts.part("size", {"--film", "--seed", "1", "--res", "20x16"}) == 0);
    CHECK_THAT(parts.mergeError({"a", "size"}), Catch::Contains("different sizes, 24 x 16 and 20 x 16"));
    REQUIRE(parts.part("look", {"--film", "--seed", "1", "--set", "render.extinction_per_m=300"}) == 0);
    CHECK_THAT(parts.mergeError({"a", "look"}),
               Catch::Contains("differ in render.extinction_per_m (") && Catch::Contains("and 300"));
    REQUIRE(parts.part("left", {"--film", "--seed", "1", "--crop", "0,0,4,4"}) == 0);
    REQUIRE(parts.part("right", {"--film", "--seed", "1", "--crop", "8,0,4,4"}) == 0);
    CHECK_THAT(parts.mergeError({"left", "right"}), Catch::Contains("no film has samples of the pixel x = 4, y = 0"));
    fs::copy_file(parts.film("a"), parts.root / "damaged.film");
    fs::resize_file(parts.root / "damaged.film", fs::file_size(parts.root / "damaged.film") - 1);
    const CapturedErrors errors;
    CHECK(parts.run({"merge", (parts.root / "damaged.film").string(), "--out", (parts.root / "merged").string()}) == 3);
    CHECK(parts.run({"merge", parts.job.shot.string(), "--out", (parts.root / "merged").string()}) == 3);
    CHECK_THAT(errors.text(), Catch::Contains("is damaged") && Catch::Contains("expected a film of firn-render"));
}

TEST_CASE("A merged film can be merged again, and only a merged film is replaced by merge")
{
    const Parts parts;
    for (const char* range : {"0-1", "2-3", "4-5"}) REQUIRE(parts.part(range, {"--spp", "6", "--samples", range}) == 0);
    REQUIRE(parts.merge({"0-1", "2-3"}) == 0);
    const fs::path merged = parts.film("merged"), kept = parts.root / "kept";
    fs::create_directory(kept);
    fs::copy_file(merged, kept / merged.filename());
    REQUIRE(parts.merge({"kept", "4-5"}) == 0);
    REQUIRE(parts.part("whole", {"--spp", "6"}) == 0);
    CHECK(parts.picture("merged") == parts.picture("whole"));
    CHECK(parts.run({"info", merged.string()}) == 0);

    const CapturedErrors errors;
    CHECK(parts.run({"merge", parts.film("0-1").string(), "--out", (parts.root / "4-5").string()}) == 2);
    CHECK(parts.run({"merge", parts.film("0-1").string(), "--out", (parts.root / "0-1").string()}) == 2);
    CHECK_THAT(errors.text(), Catch::Contains("it is not a merged film") && Catch::Contains("is one of the films"));
}

TEST_CASE("A picture of more paths is not replaced by merge, unless forced")
{
    const Parts parts;
    REQUIRE(parts.part("0-1", {"--spp", "6", "--samples", "0-1"}) == 0);
    REQUIRE(parts.part("whole", {"--spp", "6"}) == 0);
    const std::vector<std::byte> whole = parts.picture("whole");
    const std::vector<std::string> merge{"merge", parts.film("0-1").string(), "--out", (parts.root / "whole").string()};
    const CapturedErrors errors;
    CHECK(parts.run(merge) == 2);
    CHECK_THAT(errors.text(), Catch::Contains("is a picture with 6 paths per pixel, more than now"));
    CHECK(parts.picture("whole") == whole);
    std::vector<std::string> forced = merge;
    forced.emplace_back("--force");
    CHECK(parts.run(forced) == 0);
    CHECK(parts.picture("whole") != whole);
}

TEST_CASE("A merged film is not replaced by one that lacks its samples, unless forced")
{
    const Parts parts;
    REQUIRE(parts.part("0-1", {"--spp", "6", "--samples", "0-1"}) == 0);
    REQUIRE(parts.part("2-3", {"--spp", "6", "--samples", "2-3"}) == 0);
    const std::string out = (parts.root / "sum").string();
    const auto merge = [&](std::vector<std::string> films) {
        films.insert(films.begin(), "merge");
        films.insert(films.end(), {"--denoiser", "off", "--out", out});
        return parts.run(films);
    };
    const std::string first = parts.film("0-1").string(), second = parts.film("2-3").string();
    REQUIRE(merge({first}) == 0);
    const std::vector<std::byte> film = readFile(parts.film("sum"));
    {
        const CapturedErrors errors;
        CHECK(merge({second}) == 2);
        CHECK_THAT(errors.text(),
                   Catch::Contains("seed 0 samples 0-1 of the pixels 0,0,24,16, which the new film does not "
                                   "have (it has seed 0 samples 2-3 of the pixels 0,0,24,16)"));
    }
    CHECK(readFile(parts.film("sum")) == film);
    CHECK(merge({first, second}) == 0);
    CHECK(merge({second, "--force"}) == 0);
}

TEST_CASE("Films of other settings or of a stopped run are not replaced unless forced, and unfinished ones not merged")
{
    const Parts parts;
    REQUIRE(parts.part("a", {"--film"}) == 0);
    const std::vector<std::byte> film = readFile(parts.film("a"));
    {
        const CapturedErrors errors;
        CHECK(parts.part("a", {"--spp", "4"}) == 2);
        CHECK(parts.part("a", {"--spp", "4", "--resume"}) == 2);
        CHECK_THAT(errors.text(), Catch::Contains("holds finished samples with other settings (--film: given in the "
                                                  "film, not given now; 1 more value differs)"));
        CHECK(readFile(parts.film("a")) == film);
        CHECK(parts.part("a", {"--samples", "0-1", "--noise", "0.1"}) == 2);
        CHECK_THAT(errors.text(), Catch::Contains("--samples needs a fixed number"));
    }
    FilmFile unfinished = readFilm(parts.film("a"));
    unfinished.state.is_complete = false;
    writeFilm(parts.film("a"), unfinished.header, unfinished.state);
    CHECK_THAT(parts.mergeError({"a"}), Catch::Contains("is unfinished"));
    {
        const CapturedErrors errors;
        CHECK(parts.part("a", {"--spp", "4", "--film", "--resume"}) == 2);
        CHECK_THAT(errors.text(), Catch::Contains("holds unfinished samples with other settings (render.spp: 2 in "
                                                  "the film, 4 now)"));
        CHECK(parts.part("a", {"--spp", "4"}) == 2);
        CHECK(parts.part("a", {"--film"}) == 2);
        CHECK_THAT(errors.text(), Catch::Contains("from a run that was stopped: --resume continues it"));
    }
    CHECK(parts.part("a", {"--film", "--resume"}) == 0);
    CHECK(parts.part("a", {"--spp", "4", "--force"}) == 0);
}

TEST_CASE("A finished frame is skipped by --resume, one that is damaged or has other settings is rendered again")
{
    const Farm farm;
    REQUIRE(farm.frames({}) == 0);
    REQUIRE(farm.frames({"--resume"}) == 0);
    CHECK(farm.stats().size() == 2);
    CHECK_FALSE(fs::exists(farm.image(1, ".film")));
    fs::resize_file(farm.image(2, ".exr"), fs::file_size(farm.image(2, ".exr")) - 1);
    const CapturedErrors errors;
    REQUIRE(farm.frames({"--resume"}) == 0);
    CHECK(farm.stats().size() == 3);
    CHECK_THAT(errors.text(), Catch::Contains(".0002.exr is damaged: it has another checksum than render_stats.jsonl "
                                              "lists. --resume renders frame 2 again"));
    REQUIRE(farm.frames({"--resume", "--spp", "3"}) == 0);
    CHECK(farm.stats().size() == 5);
    CHECK_THAT(errors.text(), Catch::Contains("lists 2 pictures with other options"));
    fs::remove(farm.job.out / "render_stats.jsonl");
    REQUIRE(farm.frames({"--resume", "--spp", "3"}) == 0);
    CHECK_THAT(errors.text(),
               Catch::Contains("does not list the pictures of frames 1-2, so --resume renders them again"));
    CHECK(farm.stats().size() == 2);
}

TEST_CASE("A longer shot and other threads change no finished picture, and their parts are merged")
{
    const Farm farm;
    const Arguments longer = {"--set", "frames=1-6", "--set", "solver.threads=1"};
    const auto with = [](Arguments arguments, const Arguments& more) {
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    };
    REQUIRE(farm.frames({}) == 0);
    CHECK(farm.frames(with({"--resume"}, longer)) == 0);
    CHECK(farm.stats().size() == 2);
    CHECK(farm.run({"info", farm.job.out.string()}) == 0);
    Arguments merge = {"merge", "--out", (farm.root / "sum").string(), "--denoiser", "off"};
    for (const char* part : {"0-3", "4-7"}) {
        const fs::path out = farm.root / part;
        const Arguments samples = {"frames",    farm.job.shot.string(),
                                   "--cache",   farm.job.cache.string(),
                                   "--out",     out.string(),
                                   "--frames",  "1",
                                   "--spp",     "8",
                                   "--samples", part};
        REQUIRE(farm.run(part[0] == '0' ? samples : with(samples, longer)) == 0);
        merge.push_back((out / "tiny.0001.film").string());
    }
    CHECK(farm.run(merge) == 0);
}

TEST_CASE("A run that is stopped while it replaces pictures of other values says how to continue it")
{
    const Farm farm;
    REQUIRE(farm.frames({"--frames", "1"}) == 0);
    const Arguments other = {"--frames",   "1",      "--res", "64x48",
                             "--denoiser", "filter", "--set", "camera.focal_length_mm=70"};
    Arguments slow = other;
    slow.insert(slow.end(), {"--spp", "100", "--checkpoint", "1e-6"});
    const RunningProgram program(farm.framesArguments(slow));
    while (program.isRunning() && !fs::exists(farm.image(1, ".film"))) ::usleep(1000);
    REQUIRE(program.end(SIGTERM) == 75);
    CHECK_THAT(textOf(farm.job.out / "firn-render.log"),
               Catch::Contains("0 of 1 frames; run again with --resume --force to continue"));
    Arguments more = other;
    more.insert(more.end(), {"--spp", "100", "--resume"});
    CHECK(farm.frames(more) != 0);
    more.push_back("--force");
    CHECK(farm.frames(more) == 0);
}

TEST_CASE("Statistics that may not be written stop the run before it replaces a picture")
{
    const Farm farm;
    REQUIRE(farm.frames({}) == 0);
    const std::vector<std::byte> before = readFile(farm.image(1, ".exr"));
    std::string command = "LD_PRELOAD=" FIRN_FAIL_IO " FIRN_UNREADABLE=render_stats.jsonl " FIRN_RENDER;
    for (const std::string& argument : farm.framesArguments({"--seed", "9"})) command += " '" + argument + "'";
    const fs::path log = farm.root / "log";
    CHECK(WEXITSTATUS(std::system((command + " 2>'" + log.string() + "'").c_str())) == 3);
    CHECK_THAT(textOf(log), Catch::Contains("cannot read and write " + (farm.job.out / "render_stats.jsonl").string()));
    CHECK(readFile(farm.image(1, ".exr")) == before);
}

TEST_CASE("A film of other values is replaced by --resume --force, as the warning says")
{
    Farm farm;
    REQUIRE(farm.frames({"--frames", "2", "--seed", "9", "--film"}) == 0);
    const CapturedErrors errors;
    CHECK(farm.frames({"--frames", "2", "--seed", "3", "--resume"}) != 0);
    REQUIRE(farm.frames({"--seed", "3", "--film", "--resume", "--force"}) == 0);
    CHECK_THAT(errors.text(), Catch::Contains("--force throws away the samples of the film"));
    const std::vector<std::byte> picture = readFile(farm.image(2, ".exr"));
    farm.job.out = farm.root / "other";
    REQUIRE(farm.frames({"--seed", "3", "--film"}) == 0);
    CHECK(readFile(farm.image(2, ".exr")) == picture);
}

TEST_CASE("A frame that was stopped or killed goes on to the bytes of an uninterrupted run")
{
    Farm farm;
    const Arguments slow = {"--frames", "1", "--res", "64x48", "--spp", "100", "--checkpoint", "1e-6"};
    REQUIRE(RunningProgram(farm.framesArguments(slow)).end() == 0);
    const std::vector<std::byte> whole = readFile(farm.image(1, ".exr"));
    for (const int signal : {SIGTERM, SIGKILL}) {
        farm.job.out = farm.root / std::to_string(signal);
        const RunningProgram program(farm.framesArguments(slow));
        while (program.isRunning() && !fs::exists(farm.image(1, ".film"))) ::usleep(1000);
        REQUIRE(program.end(signal) == (signal == SIGTERM ? 75 : -SIGKILL));
        CHECK(fs::exists(farm.image(1, ".film")));
        CHECK_FALSE(fs::exists(farm.image(1, ".exr")));
        Arguments more = slow;
        more.push_back("--resume");
        REQUIRE(RunningProgram(farm.framesArguments(more)).end() == 0);
        CHECK(readFile(farm.image(1, ".exr")) == whole);
        CHECK_FALSE(fs::exists(farm.image(1, ".film")));
        CHECK_THAT(textOf(farm.job.out / "firn-render.log"), Catch::Contains("frame 1: continues after"));
    }
}

TEST_CASE("check, which writes nothing, ends at once when it is told to stop")
{
    const Parts farm;
    const RunningProgram program({"check", farm.job.shot.string(), "--cache", farm.job.cache.string(), "--spp", "4096",
                                  "--res", "4096x4096", "--light-cache", "--set", "render.cache_photons=1e10"});
    // Filling the light cache takes hours.
    while (program.isRunning() && !program.catches(SIGTERM)) ::usleep(1000);
    REQUIRE(program.isRunning());
    CHECK(program.end(SIGTERM) == 75);
}
