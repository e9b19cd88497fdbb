// What info tells of caches, frames and checkpoints, whole and damaged.
#include <catch2/catch.hpp>
#include <fstream>

#include "common/cache/wedge.h"
#include "tests/sim/cli/program.h"
#include "tests/sim/cli/shot.h"

namespace fs = std::filesystem;
using namespace firn;

TEST_CASE("info tells damage and exits with 3")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml"), out = (folder / "out").string();
    REQUIRE(firnSim({"run", shot, "--out", out, "--frames", "1-2"}).code == 0);
    CHECK(firnSim({"info", out + "/snow.0002.vdb"}).output.find("particles") != std::string::npos);
    CHECK(firnSim({"info", out + "/checkpoint.0002.firn"}).output.find("F_E.xx") != std::string::npos);
    std::fstream(out + "/snow.0002.vdb", std::ios::in | std::ios::out).seekp(2000).put('x').put('y');
    const Outcome info = firnSim({"info", out, "--json"});
    CHECK(info.code == 3);
    CHECK(info.output.find("\"whole\": false") != std::string::npos);
    const std::string table = firnSim({"info", out}).output;
    CHECK(table.find("DAMAGED  snow.0002.vdb") != std::string::npos);
    CHECK(table.find("; no frame is missing, but 1 file is damaged\n") != std::string::npos);
    refused({"info", out + "/snow.0002.vdb"}, 3,
            {"snow.0002.vdb: damaged, or not written by Firn; 'firn-sim info " + out + "' says how to restore it\n"});
    fs::copy(out + "/snow.0002.vdb", folder / "alone.vdb");
    refused({"info", (folder / "alone.vdb").string()}, 3, {"damaged, or not written by Firn\n"});
    fs::resize_file(out + "/checkpoint.0002.firn", 100);
    refused({"info", out + "/checkpoint.0002.firn"}, 3, {"damaged"});
    const std::string both = firnSim({"info", out}).output;
    CHECK(both.find("'firn-sim run SCENE --out " + out + " --resume' restores missing and damaged frames\n") !=
          std::string::npos);
    CHECK(both.find("no frame is left to simulate") == std::string::npos);
    CHECK(both.find("  DAMAGED  checkpoint.0002.firn: its content has the checksum ") != std::string::npos);
    fs::remove(out + "/snow.0002.vdb");
    CHECK(firnSim({"info", out}).output.find("no frame is left to simulate") == std::string::npos);
    REQUIRE(firnSim({"run", shot, "--out", out, "--frames", "1-2", "--resume"}).code == 0);
    fs::resize_file(out + "/checkpoint.0001.firn", 100);
    CHECK(firnSim({"info", out}).output.find("no frame is left to simulate, so damaged checkpoints may be deleted\n") !=
          std::string::npos);
}

TEST_CASE("info tells what to do about a file that was changed, and about one that is missing")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml"), out = (folder / "out").string();
    const std::string command = "'firn-sim run SCENE --out " + out + " --resume' writes ";
    REQUIRE(firnSim({"run", shot, "--out", out, "--frames", "1"}).code == 0);
    fs::remove(out + "/resolved.scene");
    const std::string missing = firnSim({"info", out}).output;
    CHECK(missing.find("\n  " + command + "resolved.scene\n") != std::string::npos);
    CHECK(missing.find("was changed") == std::string::npos);
    std::ofstream(out + "/snow.usda", std::ios::app) << "# a note\n";
    const std::string both = firnSim({"info", out}).output;
    CHECK(both.find("\n  snow.usda was changed: move it away, then " + command + "a new one\n") != std::string::npos);
    CHECK(both.find("\n  " + command + "resolved.scene\n") != std::string::npos);
}

TEST_CASE("A dead link in the place of a frame is told by info, as a run tells it")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml"), out = (folder / "out").string();
    REQUIRE(firnSim({"run", shot, "--out", out, "--frames", "1-2"}).code == 0);
    fs::remove(out + "/snow.0002.vdb");
    fs::create_symlink("/nowhere", out + "/snow.0002.vdb");
    const std::string text =
        "snow.0002.vdb is a link to /nowhere, which does not exist: remove the link, or put back what it points to";
    const Outcome info = firnSim({"info", out});
    CHECK(info.code == 3);
    CHECK(info.output.find(text) != std::string::npos);
    CHECK(info.output.find("MISSING") == std::string::npos);
    const Outcome run = firnSim({"run", shot, "--out", out, "--frames", "1-2", "--resume"});
    CHECK(run.code == 3);
    CHECK(run.says(text));
}

TEST_CASE("A dead link in the place of any other file of the cache is told by info, as a run tells it")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml"), out = (folder / "out").string();
    REQUIRE(firnSim({"run", shot, "--out", out, "--frames", "1"}).code == 0);
    for (const std::string name : {"resolved.scene", "snow.usda", "stats.jsonl"}) {
        const std::string text = name + " is a link to /nowhere, which does not exist: remove the link";
        fs::rename(out + "/" + name, folder / "kept");
        fs::create_symlink("/nowhere", out + "/" + name);
        const Outcome info = firnSim({"info", out});
        INFO(info.output << info.error);
        CHECK(info.code == 3);
        CHECK((info.output + info.error).find(text) != std::string::npos);
        CHECK(info.output.find("MISSING") == std::string::npos);
        CHECK(info.output.find("writes " + name) == std::string::npos);
        const Outcome run = firnSim({"run", shot, "--out", out, "--frames", "1", "--resume"});
        INFO(run.error);
        CHECK(run.code == 3);
        CHECK(run.says(text));
        fs::remove(out + "/" + name);
        fs::rename(folder / "kept", out + "/" + name);
    }
    CHECK(firnSim({"info", out}).code == 0);
}

TEST_CASE("info tells that statistics lack lines, and run does not advise --resume then")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml"), out = (folder / "out").string();
    REQUIRE(firnSim({"run", shot, "--out", out, "--frames", "1-5"}).code == 0);
    std::ifstream in(out + "/stats.jsonl");
    std::vector<std::string> lines(5);
    for (std::string& line : lines) std::getline(in, line);
    std::ofstream(out + "/stats.jsonl") << lines[0] << "\n" << lines[2] << "\n" << lines[3] << "\n" << lines[4] << "\n";
    const Outcome gap = firnSim({"info", out});
    CHECK(gap.code == 3);
    CHECK(gap.output.find("stats.jsonl lacks lines; frame 2 without a line in stats.jsonl") != std::string::npos);
    const Outcome run = firnSim({"run", shot, "--out", out, "--frames", "1-5"});
    CHECK(run.code == 2);
    CHECK_FALSE(run.says("--resume"));
    std::ofstream(out + "/stats.jsonl") << lines[1] << "\n" << lines[2] << "\n" << lines[3] << "\n" << lines[4] << "\n";
    CHECK(firnSim({"info", out}).code == 3);
    std::ofstream(out + "/stats.jsonl") << lines[0] << "\n" << lines[1] << "\n" << lines[1] << "\n";
    for (const char* option : {"--resume", "--force"}) {
        refused({"run", shot, "--out", out, option}, 3,
                {"stats.jsonl:3: frame 2 comes after frame 2. The file is damaged", "restore it from a backup"});
    }
    std::ofstream(out + "/stats.jsonl").close();
    const Outcome empty = firnSim({"info", out});
    CHECK(empty.code == 3);
    CHECK(empty.output.find("copy stats.jsonl from a backup") != std::string::npos);
    fs::remove(out + "/stats.jsonl");
    refused({"info", out}, 3, {"has frames 1-5 but no stats.jsonl", "which lists them. Copy the file from a backup"});
}

TEST_CASE("info tells what the regions of snow are, where the resolved scene can be read")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml"), out = (folder / "out").string();
    REQUIRE(firnSim({"run", shot, "--out", out, "--frames", "1", "--set", "snow.ball.preset=slush"}).code == 0);
    const std::string slush = "  snow 'ball'  preset slush, 700 kg/m3, grains of 1.5 mm, wetness 0.6\n";
    CHECK(firnSim({"info", out}).output.find(slush) != std::string::npos);
    const Outcome json = firnSim({"info", out, "--json"});
    CHECK(json.output.find("\"grain_radius_mm\": 1.5") != std::string::npos);
    std::ofstream(fs::path(out) / "resolved.scene", std::ios::app) << "not toml";
    const Outcome broken = firnSim({"info", out});
    CHECK(broken.code == 0);
    CHECK(broken.output.find("snow 'ball'") == std::string::npos);
}

TEST_CASE("info refuses a file of another kind and a wedge's folder")
{
    TemporaryFolder folder;
    std::ofstream(folder / "notes.txt") << "notes";
    refused({"info", (folder / "notes.txt").string()}, 3, {"expected the folder of a cache, a frame (.vdb)"});
    writeWedge(folder.path, {});
    refused({"info", folder.path.string()}, 2, {"holds a wedge: give the folder of one of its takes"});
    std::ofstream(folder / "wedge.json") << "[";
    refused({"info", folder.path.string()}, 3, {"wedge.json: found no list of takes"});
}

TEST_CASE("info tells missing files from frames that are not simulated yet")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml"), out = (folder / "out").string();
    const std::string finished = (folder / "finished").string();
    REQUIRE(firnSim({"run", shot, "--out", finished}).code == 0);
    // What a run leaves that was killed after frame 3: its lines tell that the run ends with frame 6.
    REQUIRE(firnSim({"run", shot, "--out", out, "--frames", "1-3"}).code == 0);
    std::ifstream all(finished + "/stats.jsonl");
    std::ofstream some(out + "/stats.jsonl");
    std::string line;
    for (int frame = 1; frame <= 3 && std::getline(all, line); ++frame) some << line << "\n";
    some.close();
    const Outcome unfinished = firnSim({"info", out});
    CHECK(unfinished.code == 0);
    CHECK(unfinished.output.find("frames 1-3, ") != std::string::npos);
    CHECK(unfinished.output.find("; no file is damaged; frames 4-6 not simulated yet\n") != std::string::npos);
    for (const auto& entry : fs::directory_iterator(out))
        if (entry.path().extension() == ".firn") fs::remove(entry.path());
    const Outcome stuck = firnSim({"info", out});
    CHECK(stuck.code == 0);
    CHECK(stuck.output.find("no checkpoint can be read, so --resume simulates the earlier frames again before it "
                            "continues") != std::string::npos);
    fs::remove(finished + "/snow.0002.vdb");
    const Outcome missing = firnSim({"info", finished});
    CHECK(missing.code == 3);
    CHECK(missing.output.find("  MISSING  snow.0002.vdb\n") != std::string::npos);
    CHECK(missing.output.find("frames 1,3-6, ") != std::string::npos);
    CHECK(missing.output.find("; 1 file is missing\n") != std::string::npos);
    for (const char* word : {"DAMAGED", "all frames are there", "complete"}) {
        CHECK(missing.output.find(word) == std::string::npos);
    }
    const Outcome json = firnSim({"info", finished, "--json"});
    CHECK(json.output.find("\"complete\": false") != std::string::npos);
    CHECK(json.output.find("\"missing\": \"2\"") != std::string::npos);
}

TEST_CASE("info tells that lines at the end of the statistics are missing, and that a checkpoint was renamed")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml"), out = (folder / "out").string();
    REQUIRE(firnSim({"run", shot, "--out", out, "--frames", "1-5"}).code == 0);
    const fs::path renamed = folder / "renamed";
    fs::copy(out, renamed);
    fs::rename(renamed / "checkpoint.0005.firn", renamed / "checkpoint.0006.firn");
    const Outcome other = firnSim({"info", renamed.string()});
    CHECK(other.code == 3);
    CHECK(other.output.find("checkpoint.0006.firn: holds frame 5, expected frame 6") != std::string::npos);
    CHECK(other.output.find("may be deleted") == std::string::npos);
    std::ifstream in(out + "/stats.jsonl");
    std::string first, second;
    std::getline(in, first);
    std::getline(in, second);
    in.close();
    std::ofstream(out + "/stats.jsonl") << first << "\n" << second << "\n";  // both checkpoints need more
    const Outcome cut = firnSim({"info", out});
    CHECK(cut.code == 3);
    CHECK(cut.output.find("stats.jsonl lacks lines; frames 3-5 without a line") != std::string::npos);
    CHECK(firnSim({"run", shot, "--out", out, "--frames", "1-5", "--resume"}).code == 3);
}

TEST_CASE("Files of snow that no run of the cache wrote are told by info, and a run does not pass over them")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml"), out = (folder / "out").string();
    REQUIRE(firnSim({"run", shot, "--out", out, "--frames", "1-3"}).code == 0);
    std::string name;
    SECTION("a copy")
    {
        name = "frozen.0002.vdb";
        fs::copy_file(out + "/snow.0001.vdb", out + "/" + name);
    }
    SECTION("text")
    {
        name = "snow.0008.vdb";
        std::ofstream(out + "/" + name) << "mine";
    }
    SECTION("a folder")
    {
        name = "snow.0008.vdb";
        fs::create_directory(out + "/" + name);
    }
    const Outcome info = firnSim({"info", out});
    CHECK(info.code == 3);
    CHECK(info.output.find("DAMAGED  " + name) != std::string::npos);
    CHECK(info.output.find("move the file away") != std::string::npos);
    refused({"run", shot, "--out", out, "--frames", "1-3", "--resume"}, 3, {name});
    fs::remove(out + "/" + name);
    CHECK(firnSim({"info", out}).code == 0);
    CHECK(firnSim({"run", shot, "--out", out, "--frames", "1-3", "--resume"}).code == 0);
}

TEST_CASE("A frame that may not be read does not count as damaged")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml"), out = (folder / "out").string();
    REQUIRE(firnSim({"run", shot, "--out", out, "--frames", "1-2"}).code == 0);
    const Outcome info = firnSim({"info", out}, {{"LD_PRELOAD", FIRN_FAIL_IO}, {"FIRN_UNREADABLE", "snow.0001.vdb"}});
    CHECK(info.code == 3);
    CHECK(info.output.find("UNREADABLE  snow.0001.vdb: cannot read " + out + "/snow.0001.vdb: Permission denied") !=
          std::string::npos);
    CHECK(info.output.find("1 file cannot be read") != std::string::npos);
    CHECK(info.output.find("first make the files readable") != std::string::npos);
    CHECK(info.output.find("DAMAGED") == std::string::npos);
    CHECK(info.output.find("restores") == std::string::npos);
}
