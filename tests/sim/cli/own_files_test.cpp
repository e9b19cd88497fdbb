// A run replaces only files that a run wrote, whatever the folder holds besides.
#include <sys/stat.h>
#include <sys/wait.h>

#include <array>
#include <catch2/catch.hpp>
#include <csignal>
#include <fstream>
#include <sstream>

#include "common/cache/usda.h"
#include "tests/sim/cli/program.h"
#include "tests/sim/cli/shot.h"

namespace fs = std::filesystem;
using namespace firn;

namespace {

std::vector<std::string> runInto(const fs::path& out, const std::string& shot, const std::vector<std::string>& more)
{
    std::vector<std::string> arguments{"run", shot, "--out", out.string(), "--frames", "1-2"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

}  // namespace

TEST_CASE("A run into the folder of its scene leaves the scene as it is")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "scene.toml");
    for (const char* mode : {"--resume", "--resume", "--force"}) {
        const Outcome outcome = firnSim(runInto(folder.path, shot, {mode}));
        INFO(outcome.error);
        CHECK(outcome.code == 0);
        CHECK(textOf(shot) == ballShot());
    }
    CHECK(firnSim({"info", folder.path.string()}).code == 0);
    // The cache's own copy of the scene is a scene too, and it is not replaced while it is the input.
    const std::string resolved = textOf(folder / "resolved.scene");
    CHECK(resolved.find("dx = 0.02") != std::string::npos);
    CHECK(firnSim(runInto(folder.path, (folder / "resolved.scene").string(), {"--force"})).code == 0);
    CHECK(textOf(folder / "resolved.scene") == resolved);
}

TEST_CASE("A file with a name of the cache's that no run wrote is refused by its name and stays as it is")
{
    const std::string picture = R"({"frame":1,"files":[{"path":"ball.0001.exr","bytes":9,"checksum":"ab"}]})";
    for (const auto& [name, content] :
         std::vector<std::pair<std::string, std::string>>{{"resolved.scene", "fps = 24\n"},
                                                          {"stats.jsonl", picture},
                                                          {"stats.jsonl", "goals\n"},
                                                          {"snow.usda", "#usda 1.0\n"},
                                                          {"snow.0002.vdb", "a volume"},
                                                          {"snow.0009.vdb", ""},
                                                          {"checkpoint.0001.firn", "x"}}) {
        TemporaryFolder folder;
        const std::string shot = writeShot(folder / "ball.toml");
        std::ofstream(folder / name) << content;
        for (const std::vector<std::string>& mode :
             std::vector<std::vector<std::string>>{{}, {"--force"}, {"--resume"}, {"--resume", "--force"}}) {
            const Outcome outcome = firnSim(runInto(folder.path, shot, mode));
            INFO(name << ": " << outcome.error);
            CHECK(outcome.code == 3);
            CHECK(outcome.says(name + " exists"));
            CHECK(textOf(folder / name) == content);
            CHECK(frameChecksums(folder.path).size() == (name.ends_with("vdb") ? 1 : 0));
        }
    }
}

TEST_CASE("A folder with a name of the cache's is refused by its name")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml");
    for (const std::string name : {"snow.0002.vdb", "snow.usda", "resolved.scene", "stats.jsonl"}) {
        fs::create_directories(folder / "out" / name);
        const Outcome outcome = firnSim(runInto(folder / "out", shot, {"--force"}));
        CHECK(outcome.code == 3);
        CHECK(outcome.says(name + " is a folder; expected a regular file: move it away"));
        fs::remove(folder / "out" / name);
    }
}

TEST_CASE("A checkpoint that is cut within its first bytes does not stop --resume")
{
    for (const int bytes : {0, 1, 7}) {
        TemporaryFolder folder;
        const std::string shot = writeShot(folder / "ball.toml");
        REQUIRE(firnSim(runInto(folder / "out", shot, {})).code == 0);
        const auto before = frameChecksums(folder / "out");
        fs::resize_file(folder / "out/checkpoint.0002.firn", static_cast<std::uintmax_t>(bytes));
        const Outcome outcome = firnSim(runInto(folder / "out", shot, {"--resume"}));
        INFO(bytes << ": " << outcome.error);
        CHECK(outcome.code == 0);
        CHECK(frameChecksums(folder / "out") == before);
    }
}

TEST_CASE("A last line of statistics that is cut is written again once it is deleted")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml");
    REQUIRE(firnSim(runInto(folder / "out", shot, {})).code == 0);
    const std::string whole = textOf(folder / "out/stats.jsonl");
    fs::resize_file(folder / "out/stats.jsonl", whole.size() - 50);
    const Outcome refused = firnSim(runInto(folder / "out", shot, {"--resume"}));
    CHECK(refused.code == 3);
    CHECK(refused.says("The last line is cut: delete it"));
    const Outcome info = firnSim({"info", (folder / "out").string()});
    CHECK(info.code == 3);
    CHECK(info.says("The last line is cut: delete it"));
    fs::resize_file(folder / "out/stats.jsonl", whole.find('\n') + 1);
    CHECK(firnSim(runInto(folder / "out", shot, {"--resume"})).code == 0);
    CHECK(textOf(folder / "out/stats.jsonl") == whole);
}

TEST_CASE("A run into a wedge's folder is refused")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml"), out = (folder / "out").string();
    REQUIRE(firnSim({"wedge", shot, "--out", out, "--vary", "fps=24", "--frames", "1"}).code == 0);
    const Outcome outcome = firnSim({"run", shot, "--out", out, "--force"});
    CHECK(outcome.code == 2);
    CHECK(outcome.says(out + " holds a wedge. A wedge and a single cache cannot be in one folder"));
    CHECK_FALSE(fs::exists(folder / "out/stats.jsonl"));
}

TEST_CASE("A volume put among the frames of a cache is not replaced when the run continues")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml");
    REQUIRE(firnSim(runInto(folder / "out", shot, {})).code == 0);
    std::ofstream(folder / "out/snow.0004.vdb") << "a volume";
    const Outcome outcome = firnSim({"run", shot, "--out", (folder / "out").string(), "--resume"});
    CHECK(outcome.code == 3);
    CHECK(outcome.says("snow.0004.vdb exists"));
    CHECK(textOf(folder / "out/snow.0004.vdb") == "a volume");
}

TEST_CASE("A file in a cache with a name of the cache's that no run wrote is neither replaced nor removed")
{
    const std::string picture = R"({"goals":3})";
    const std::string edited = usdaText({{1, "snow.0001.vdb"}, {2, "snow.0002.vdb"}}, 24) + "def Camera \"mine\" {}\n";
    for (const auto& [name, content] :
         std::vector<std::pair<std::string, std::string>>{{"checkpoint.0099.firn", "my notes"},
                                                          {"stats.jsonl", picture},
                                                          {"stats.jsonl", "goals\n"},
                                                          {"snow.usda", "#usda 1.0\n"},
                                                          {"snow.usda", edited},
                                                          {".firn-lock", "my notes\n"},
                                                          {".firn-lock", "12"}}) {
        TemporaryFolder folder;
        const std::string shot = writeShot(folder / "ball.toml");
        REQUIRE(firnSim(runInto(folder / "out", shot, {})).code == 0);
        std::ofstream(folder / "out" / name) << content;
        for (const char* mode : {"--resume", "--force"}) {
            const Outcome outcome = firnSim({"run", shot, "--out", (folder / "out").string(), mode});
            INFO(name << " " << mode << ": " << outcome.error);
            CHECK(outcome.code == 3);
            CHECK(outcome.says(name + " exists"));
            CHECK(textOf(folder / "out" / name) == content);
            CHECK(frameChecksums(folder / "out").size() == 2);
            if (name == "snow.usda" || name == "stats.jsonl") {
                CHECK(firnSim({"info", (folder / "out").string()}).code == 3);
            }
        }
    }
}

TEST_CASE("A link in the place of the lock is refused, and no file is made where it leads")
{
    const TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml");
    std::filesystem::create_directory(folder / "out");
    std::filesystem::create_symlink("../elsewhere", folder / "out/.firn-lock");
    const Outcome outcome = firnSim(runInto(folder / "out", shot, {}));
    INFO(outcome.error);
    CHECK(outcome.code == 3);
    CHECK(outcome.says(".firn-lock is a link. A run needs this name"));
    CHECK_FALSE(std::filesystem::exists(folder / "elsewhere"));
}

TEST_CASE("A file in the place of a listed frame that is of no run of the cache is neither replaced nor removed")
{
    const TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml"), out = (folder / "out").string();
    const std::string other = (folder / "other").string();
    REQUIRE(firnSim({"run", shot, "--out", out}).code == 0);
    REQUIRE(firnSim({"run", shot, "--out", other, "--set", "solver.cfl=0.2"}).code == 0);
    const auto copy = [](const std::string& from, const std::string& to) {
        fs::copy_file(from, to, fs::copy_options::overwrite_existing);
    };
    const std::string good = textOf(out + "/snow.0001.vdb");
    std::ofstream(folder / "notes") << "my own file\n";
    for (const auto& [source, place, why] : std::vector<std::array<std::string, 3>>{
             {other + "/snow.0001.vdb", "snow.0001.vdb", " is of another scene"},
             {other + "/snow.0001.vdb", "snow.0009.vdb", " is of another scene"},
             {out + "/snow.0002.vdb", "snow.0001.vdb", " holds frame 2, expected frame 1"},
             {out + "/snow.0002.vdb", "snow.0009.vdb", " holds frame 2, expected frame 9"},
             {other + "/checkpoint.0006.firn", "checkpoint.0009.firn", " holds frame 6, expected frame 9"},
             {other + "/checkpoint.0006.firn", "checkpoint.0002.firn", " holds frame 6, expected frame 2"},
             {(folder / "notes").string(), "snow.0001.vdb", " exists, and nothing shows that Firn wrote it"}}) {
        const std::string kept = textOf(source);
        copy(source, (folder / "kept").string());
        copy((folder / "kept").string(), out + "/" + place);
        for (const char* mode : {"--resume", "--force"}) {
            const Outcome outcome = firnSim({"run", shot, "--out", out, mode});
            if (place.starts_with("checkpoint") && mode == std::string("--resume")) {
                CHECK(outcome.code == 0);  // nothing is left to simulate
                CHECK(outcome.says(place + why));
                CHECK(outcome.says(", and is not used"));
                continue;
            }
            INFO(source << " as " << place << " " << mode << ": " << outcome.error);
            CHECK(outcome.code == 3);
            CHECK(outcome.says(place + why));
            CHECK(outcome.says("move the file away"));
            CHECK(textOf(out + "/" + place) == kept);
        }
        const Outcome info = firnSim({"info", out});
        CHECK(info.code == 3);
        CHECK(info.output.find(place + ":" + why) != std::string::npos);
        CHECK(info.output.find("move the file away before you continue") != std::string::npos);
        fs::remove(out + "/" + place);
        std::ofstream(out + "/snow.0001.vdb", std::ios::binary) << good;
    }
    const std::string parked = (folder / "parked").string();  // no run has written here
    fs::create_directory(parked);
    copy(other + "/snow.0001.vdb", parked + "/snow.0002.vdb");
    const Outcome outcome = firnSim({"run", shot, "--out", parked, "--force"});
    CHECK(outcome.code == 3);
    CHECK(outcome.says("snow.0002.vdb is of another scene"));
    for (const std::string& rest : {std::string(), good.substr(0, 5), good.substr(0, 500), std::string(2000, '\0')}) {
        std::ofstream(out + "/snow.0001.vdb", std::ios::binary) << rest;  // as a crash may leave it
        CHECK(firnSim({"run", shot, "--out", out, "--resume"}).code == 0);
        CHECK(textOf(out + "/snow.0001.vdb") == good);
    }
}

TEST_CASE("A file that is put into the folder during a run is neither replaced nor removed")
{
    const std::string edited = usdaText({}, 24) + "def Camera \"mine\" {}\n";
    for (const auto& [name, content] : std::vector<std::pair<std::string, std::string>>{{"snow.usda", edited},
                                                                                        {"snow.0004.vdb", "a volume"},
                                                                                        {"checkpoint.0005.firn", "x"},
                                                                                        {"checkpoint.0000.firn", "x"},
                                                                                        {"stats.jsonl", "goals\n"}}) {
        TemporaryFolder folder;
        const std::string shot = writeShot(folder / "ball.toml");
        // So fine that a frame takes a tenth of a second: the run is not at its end when it is stopped.
        Program program({"run", shot, "--out", (folder / "out").string(), "--set", "solver.dx=0.007"});
        REQUIRE(program.waitFor("frame 2/6"));
        program.signal(SIGSTOP);
        std::ofstream(folder / "out" / name) << content;
        program.signal(SIGCONT);
        const Outcome outcome = program.finish();
        INFO(name << ": " << outcome.error);
        const bool isNeeded = name != "snow.usda" && name != "checkpoint.0000.firn";
        CHECK(outcome.code == (isNeeded ? 3 : 0));
        if (name != "checkpoint.0000.firn") CHECK(outcome.says(name));
        CHECK(textOf(folder / "out" / name) == content);
    }
}

TEST_CASE("A cache of an earlier version, which calls its scene scene.toml, is continued and reported")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml");
    const fs::path out = folder / "out";
    REQUIRE(firnSim(runInto(out, shot, {})).code == 0);
    fs::rename(out / "resolved.scene", out / "scene.toml");
    const std::string scene = textOf(out / "scene.toml");
    CHECK(firnSim({"report", out.string()}).code == 0);
    CHECK(textOf(out / "report.html").find("dx = 0.02") != std::string::npos);
    const Outcome outcome = firnSim({"run", shot, "--out", out.string(), "--resume"});
    INFO(outcome.error);
    CHECK(outcome.code == 0);
    CHECK(frameChecksums(out).size() == lastFrame);
    CHECK(textOf(out / "scene.toml") == scene);
}

TEST_CASE("A pipe under a name of the cache is refused at once; one under the log's name stops nothing")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml");
    for (const char* name : {"snow.0001.vdb", "stats.jsonl", "checkpoint.0001.firn"}) {
        const std::string out = (folder / name).string();
        fs::create_directory(out);
        REQUIRE(::mkfifo((out + "/" + name).c_str(), 0600) == 0);
        refused({"run", shot, "--out", out}, 3, {name});
    }
    const fs::path out = folder / "log";
    fs::create_directory(out);
    REQUIRE(::mkfifo((out / "firn-sim.log").c_str(), 0600) == 0);
    CHECK(firnSim({"run", shot, "--out", out.string(), "--frames", "1"}).code == 0);
}

TEST_CASE("A limit on the size of files ends a run with a message")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml"), out = (folder / "out").string();
    const std::string command =
        "ulimit -f 1; " + std::string(FIRN_SIM) + " run " + shot + " --frames 1-2 --out " + out + " 2>/dev/null";
    const int status = std::system(command.c_str());
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 3);
}

TEST_CASE("The USD layer of a cache is known where nothing else is left of it")
{
    const TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml");
    REQUIRE(firnSim(runInto(folder / "out", shot, {})).code == 0);
    for (const char* name : {"resolved.scene", "stats.jsonl", "checkpoint.0001.firn", "checkpoint.0002.firn"})
        fs::remove(folder / "out" / name);
    CHECK(firnSim(runInto(folder / "out", shot, {"--force"})).code == 0);
}
