// What is wrong with the files that describe a cache, and what is left of one: it is named, with advice that works.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "common/cache/layout.h"
#include "tests/sim/cli/program.h"
#include "tests/sim/cli/reference_run.h"

namespace fs = std::filesystem;
using namespace firn;

TEST_CASE("A stats.jsonl of another cache is named, and not the files beside it")
{
    const ReferenceRun reference;
    REQUIRE(firnSim(reference.resume()).code == 0);
    const std::string other = reference.otherCache("1-6"), stats = reference.out + "/stats.jsonl";
    const std::string own = textOf(stats), resolved = textOf(reference.out + "/resolved.scene");
    fs::copy_file(other + "/stats.jsonl", stats, fs::copy_options::overwrite_existing);
    const std::string message = "stats.jsonl is of another scene than all frames beside it";
    refused(reference.resume(), 3, {message, "from a backup"});
    refused({"run", reference.shot, "--out", reference.out, "--force"}, 3, {message});
    const Outcome info = firnSim({"info", reference.out});
    CHECK(info.code == 3);
    CHECK(info.output.find("DAMAGED  stats.jsonl: is of another scene than all frames") != std::string::npos);
    CHECK(info.output.find("copy the stats.jsonl of this cache from a backup") != std::string::npos);
    CHECK(info.output.find("move the file away") == std::string::npos);
    std::ofstream(stats) << own;
    CHECK(reference.isSame());
    {  // without frames, resolved.scene and the checkpoints tell it
        const fs::path kept = reference.out + "-kept";
        fs::create_directory(kept);
        fs::copy_file(other + "/stats.jsonl", stats, fs::copy_options::overwrite_existing);
        const std::vector<int> frames = CacheLayout{reference.out}.frames();
        const auto moveFrames = [&](const fs::path& from, const fs::path& to) {
            for (const int frame : frames)
                fs::rename(CacheLayout{from}.framePath(frame), CacheLayout{to}.framePath(frame));
        };
        moveFrames(reference.out, kept);
        const std::string cause = "stats.jsonl is of another scene than resolved.scene and checkpoint.";
        refused(reference.resume(), 3, {cause, "from a backup; otherwise choose another --out"});
        const Outcome without = firnSim({"info", reference.out});
        CHECK(without.output.find("move the file away") == std::string::npos);
        CHECK(without.output.find("DAMAGED  stats.jsonl: is of another scene than") != std::string::npos);
        moveFrames(kept, reference.out);
        std::ofstream(stats) << own;
        CHECK(reference.isSame());
    }
    // Where other files agree with each side, neither is blamed.
    for (const char* name : {"stats.jsonl", "resolved.scene"})
        fs::copy_file(fs::path(other) / name, fs::path(reference.out) / name, fs::copy_options::overwrite_existing);
    refused(reference.resume(), 3,
            {message, "resolved.scene agrees with it and checkpoint.", "either it or the frames were copied"});
    std::ofstream(stats) << own;
    std::ofstream(reference.out + "/resolved.scene") << resolved;
    CHECK(reference.isSame());
    // The other way round: all frames are from elsewhere, and moving them away restores the cache.
    const fs::path away = reference.out + "-away";
    fs::create_directory(away);
    for (const int frame : CacheLayout{reference.out}.frames()) {
        const fs::path path = CacheLayout{reference.out}.framePath(frame);
        fs::rename(path, away / path.filename());
        fs::copy_file(CacheLayout{other}.framePath(frame), path);
    }
    const std::string cause = "resolved.scene agrees with it, so the frames were copied from another cache";
    refused(reference.resume(), 3, {message, cause, "move them all away"});
    CHECK(firnSim({"info", reference.out}).output.find(cause) != std::string::npos);
    for (const int frame : CacheLayout{reference.out}.frames()) fs::remove(CacheLayout{reference.out}.framePath(frame));
    CHECK(firnSim(reference.resume()).code == 0);
    CHECK(reference.isSame());
}

TEST_CASE("--force is advised only where it replaces the files")
{
    const ReferenceRun reference;
    REQUIRE(firnSim(reference.resume()).code == 0);
    const fs::path part = reference.out + "-part";
    fs::create_directory(part);
    const std::string file = GENERATE("snow.0002.vdb", "checkpoint.0006.firn");
    fs::copy_file(fs::path(reference.out) / file, part / file);
    for (const char* option : {"--progress=none", "--resume"}) {
        const Outcome changed =
            firnSim({"run", reference.shot, "--out", part.string(), "--set", "solver.cfl=0.2", option});
        CHECK(changed.code != 0);
        CHECK(changed.says("choose another --out"));
        CHECK_FALSE(changed.says("--force"));
        const Outcome same = firnSim({"run", reference.shot, "--out", part.string(), option});
        CHECK(same.says("--force"));
    }
    refused({"run", reference.shot, "--out", part.string(), "--set", "solver.cfl=0.2", "--force"}, 3,
            {"no stats.jsonl tells whether it is of this cache"});
    const Outcome info = firnSim({"info", part.string()});
    CHECK(info.code == 3);
    CHECK(info.says(file == "snow.0002.vdb" ? "has frame 2 but no stats.jsonl" : "has checkpoints of frame 6"));
    CHECK(firnSim({"run", reference.shot, "--out", part.string(), "--force"}).code == 0);
}

TEST_CASE("Lines that were lost or damaged at the beginning of stats.jsonl are told as such")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml"), out = (folder / "out").string();
    REQUIRE(firnSim({"run", shot, "--out", out, "--frames", "1-3"}).code == 0);
    const std::string stats = textOf(out + "/stats.jsonl");
    std::ofstream(out + "/stats.jsonl") << stats.substr(stats.find('\n') + 1);
    refused({"run", shot, "--out", out, "--resume"}, 3, {"stats.jsonl has no line of frame 1: copy it from a backup"});
    std::string changed = stats;
    changed.replace(changed.find("frame"), 5, "fr_me");
    std::ofstream(out + "/stats.jsonl") << changed;
    refused({"run", shot, "--out", out, "--resume"}, 3, {"stats.jsonl:1: ", "restore it from a backup"});
    refused({"info", out}, 3, {"stats.jsonl:1: ", "restore it from a backup"});
    std::ofstream(out + "/stats.jsonl") << stats.substr(0, 300);
    refused({"run", shot, "--out", out, "--resume"}, 3, {"stats.jsonl:1: "});
}

TEST_CASE("A run whose last line and all checkpoints are lost goes on to the same bits, as info says")
{
    const ReferenceRun reference;
    REQUIRE(firnSim(reference.resume()).code == 0);
    const std::string stats = textOf(reference.out + "/stats.jsonl");
    std::ofstream(reference.out + "/stats.jsonl") << stats.substr(0, stats.rfind('\n', stats.size() - 2) + 1);
    for (const int frame : CacheLayout{reference.out}.checkpoints())
        fs::resize_file(CacheLayout{reference.out}.checkpointPath(frame), 1000);
    const Outcome info = firnSim({"info", reference.out});
    CHECK(info.code == 3);
    CHECK(info.output.find("so --resume simulates the earlier frames again before it continues") != std::string::npos);
    CHECK(info.output.find("may be deleted") == std::string::npos);
    const Outcome resumed = firnSim(reference.resume());
    INFO(resumed.error);
    CHECK(resumed.code == 0);
    CHECK(reference.isSame());
}

TEST_CASE("Files that are no frames do not show that stats.jsonl is of another cache")
{
    const ReferenceRun reference;
    REQUIRE(firnSim(reference.resume()).code == 0);
    const CacheLayout layout{reference.out};
    const std::vector<int> frames = layout.frames();
    for (const int frame : frames) std::ofstream(layout.framePath(frame)) << "<html>404 Not Found</html>";
    const Outcome info = firnSim({"info", reference.out});
    CHECK(info.code == 3);
    CHECK(info.output.find("DAMAGED  stats.jsonl") == std::string::npos);
    CHECK(info.output.find("snow.0001.vdb: exists, and nothing shows that Firn wrote it; move") != std::string::npos);
    for (const int frame : frames) fs::remove(layout.framePath(frame));
    CHECK(firnSim(reference.resume()).code == 0);
    CHECK(reference.isSame());
}

TEST_CASE("A resolved scene of another cache, or one that was changed, does not tell what the snow is")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml"), out = (folder / "out").string();
    const std::string other = (folder / "other").string();
    REQUIRE(firnSim({"run", shot, "--out", out, "--frames", "1-2"}).code == 0);
    REQUIRE(firnSim({"run", shot, "--out", other, "--frames", "1", "--set", "snow.ball.preset=slush"}).code == 0);
    CHECK(firnSim({"info", out}).output.find("  snow 'ball'") != std::string::npos);
    std::string note;
    SECTION("another one")
    {
        fs::copy_file(other + "/resolved.scene", out + "/resolved.scene", fs::copy_options::overwrite_existing);
        note = "is of another scene than the frames";
    }
    SECTION("a shorter one")
    {
        fs::resize_file(out + "/resolved.scene", fs::file_size(out + "/resolved.scene") - 40);
        note = "was changed after the run wrote it";
    }
    const Outcome info = firnSim({"info", out});
    CHECK(info.output.find("  note: resolved.scene " + note + ", so it does not tell") != std::string::npos);
    CHECK(info.output.find("  snow 'ball'") == std::string::npos);
    CHECK(firnSim({"run", shot, "--out", out, "--frames", "1-2", "--resume"}).says(note + ", and is written anew"));
    CHECK(firnSim({"info", out}).output.find("  snow 'ball'") != std::string::npos);
}

TEST_CASE("The scene of a run may be that of its cache, and nobody says that it is written anew")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml"), out = (folder / "out").string();
    REQUIRE(firnSim({"run", shot, "--out", out, "--frames", "1"}).code == 0);
    const std::vector<std::string> again{
        "run", out + "/resolved.scene", "--set", "solver.cfl=0.2", "--out", out, "--frames", "1"};
    const auto with = [&](const char* option) {
        std::vector<std::string> arguments = again;
        arguments.emplace_back(option);
        return firnSim(arguments);
    };
    REQUIRE(with("--force").code == 0);
    const Outcome resumed = with("--resume");
    INFO(resumed.error);
    CHECK(resumed.code == 0);
    CHECK_FALSE(resumed.says("written anew"));
}

TEST_CASE("A USD layer that lacks frames is told by info, and --resume writes it anew")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml"), out = (folder / "out").string();
    REQUIRE(firnSim({"run", shot, "--out", out, "--frames", "1-2"}).code == 0);
    const std::string early = textOf(out + "/snow.usda");
    REQUIRE(firnSim({"run", shot, "--out", out, "--frames", "1-3", "--resume"}).code == 0);
    const std::string whole = textOf(out + "/snow.usda");
    CHECK(firnSim({"info", out}).output.find("note:") == std::string::npos);
    std::ofstream(out + "/snow.usda") << early;
    CHECK(firnSim({"info", out}).output.find("note: snow.usda lists frames 1-2, and the cache has frames 1-3") !=
          std::string::npos);
    CHECK(firnSim({"run", shot, "--out", out, "--frames", "1-3", "--resume"}).says("did not list the frames"));
    CHECK(textOf(out + "/snow.usda") == whole);
}

TEST_CASE("What is left of a cache is named as it is")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml"), out = (folder / "out").string();
    REQUIRE(firnSim({"run", shot, "--out", out, "--frames", "1-3"}).code == 0);
    SECTION("a checkpoint alone")
    {
        for (const char* name :
             {"/stats.jsonl", "/snow.0001.vdb", "/snow.0002.vdb", "/snow.0003.vdb", "/checkpoint.0002.firn"})
            fs::remove(out + name);
        refused({"run", shot, "--out", out}, 2, {"already holds a checkpoint of frame 3 and no stats.jsonl"});
    }
    SECTION("frames without checkpoints, one of them damaged")
    {
        for (const char* name : {"/checkpoint.0002.firn", "/checkpoint.0003.firn"}) fs::remove(out + name);
        fs::resize_file(out + "/snow.0002.vdb", 1000);
        CHECK(firnSim({"run", shot, "--out", out, "--resume", "--frames", "1-3"}).says("snow.0002.vdb is restored"));
        CHECK(firnSim({"info", out}).code == 0);
    }
    SECTION("a file that has the name of a checkpoint")
    {
        std::ofstream(out + "/checkpoint.0008.firn") << "my notes on this shot";
        const Outcome info = firnSim({"info", out});
        CHECK(info.code == 3);
        CHECK(info.output.find("move the file away") != std::string::npos);
        CHECK(info.output.find("may be deleted") == std::string::npos);
    }
    SECTION("a folder in the place of the lock")
    {
        fs::remove(out + "/.firn-lock");
        fs::create_directory(out + "/.firn-lock");
        refused({"run", shot, "--out", out, "--resume"}, 3, {".firn-lock: Is a directory. A run needs this name"});
    }
}
