// Files in a cache folder that were copied from elsewhere: they are named, and nothing is lost.
#include <signal.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "common/cache/layout.h"
#include "tests/sim/cli/program.h"
#include "tests/sim/cli/reference_run.h"

namespace fs = std::filesystem;
using namespace firn;

namespace {

/// Continues the cache of frames 1-3 with the changed scene, and stops it within frame 4.
void beginFrameOfChangedScene(const ReferenceRun& reference)
{
    Program program(reference.resume({"--set", "solver.cfl=0.2", "--force"}));
    REQUIRE(program.waitFor("continuing after frame 3"));
    program.signal(SIGINT);
    REQUIRE(program.finish().code == 75);
}

}  // namespace

TEST_CASE("A frame of another cache that would be removed is named instead")
{
    const ReferenceRun reference;
    REQUIRE(firnSim(reference.resume({"--frames", "1-3"})).code == 0);
    const std::string other = reference.otherCache("1-3");
    const fs::path copied = reference.out + "/snow.0005.vdb";
    fs::copy_file(other + "/snow.0003.vdb", copied);
    const Outcome refused = firnSim(reference.resume());
    CHECK(refused.code == 3);
    CHECK(refused.says("snow.0005.vdb is of another scene, and no run of this cache wrote it"));
    CHECK(fs::file_size(copied) == fs::file_size(other + "/snow.0003.vdb"));
    fs::remove(copied);
    CHECK(firnSim(reference.resume()).code == 0);
    CHECK(reference.isSame());
}

TEST_CASE("Files that were copied from elsewhere and that the run would remove are named instead")
{
    const ReferenceRun reference;
    REQUIRE(firnSim(reference.resume({"--frames", "1-3"})).code == 0);
    const std::string other = reference.otherCache("1-3");
    std::string from = other + "/checkpoint.0003.firn", to = "checkpoint.0003.firn", message;
    SECTION("a checkpoint of another scene")
    {
        fs::rename(reference.out + "/" + to, reference.out + "/mine");
        message = "is of another scene than the frames in stats.jsonl";
    }
    SECTION("an earlier one")
    {
        to = "checkpoint.0001.firn";
        message = "holds frame 3, expected frame 1";
    }
    SECTION("a checkpoint of another frame")
    {
        to = "checkpoint.0005.firn";
        message = "holds frame 3, expected frame 5";
    }
    SECTION("a frame of the cache under another number")
    {
        from = reference.out + "/snow.0002.vdb";
        to = "snow.0005.vdb";
        message = "holds frame 2, expected frame 5: the file was copied or renamed";
    }
    fs::copy_file(from, reference.out + "/" + to);
    const std::string content = textOf(from);
    const Outcome refused = firnSim(reference.resume());
    CHECK(refused.code == 3);
    CHECK(refused.says(to + " " + message));
    CHECK(textOf(reference.out + "/" + to) == content);
    if (to.starts_with("checkpoint")) CHECK(firnSim({"info", reference.out}).code == 3);
    fs::remove(reference.out + "/" + to);
    CHECK(firnSim(reference.resume()).code == 0);
    CHECK(reference.isSame());
}

TEST_CASE("Where all checkpoints are of another cache, that is the reason that is told")
{
    const ReferenceRun reference;
    REQUIRE(firnSim(reference.resume({"--frames", "1-3"})).code == 0);
    const std::string other = reference.otherCache("1-6");
    for (const int frame : {2, 3}) fs::remove(reference.out + "/checkpoint.000" + std::to_string(frame) + ".firn");
    for (const int frame : {5, 6}) {
        const std::string name = "/checkpoint.000" + std::to_string(frame) + ".firn";
        fs::copy_file(other + name, reference.out + name);
    }
    const Outcome refused = firnSim(reference.resume());
    CHECK(refused.code == 3);
    CHECK(refused.says("they were copied or renamed. Move them away, then --resume simulates the frames again"));
    const Outcome info = firnSim({"info", reference.out});
    CHECK(info.code == 3);
    CHECK(info.output.find("checkpoint.0006.firn: is of another scene") != std::string::npos);
    for (const int frame : {5, 6}) fs::remove(reference.out + "/checkpoint.000" + std::to_string(frame) + ".firn");
    CHECK(firnSim(reference.resume()).code == 0);
    CHECK(reference.isSame());
}

TEST_CASE("A checkpoint of another cache that follows the last frame is not used, and no line is added")
{
    const ReferenceRun reference;
    REQUIRE(firnSim(reference.resume({"--frames", "1-3"})).code == 0);
    const std::string set = "solver.cfl=0.2", other = reference.otherCache("1-4");
    const std::string name = "/checkpoint.0004.firn", stats = textOf(reference.out + "/stats.jsonl");
    const bool withFrame = GENERATE(false, true);
    fs::copy_file(other + name, reference.out + name);
    if (withFrame) fs::copy_file(other + "/snow.0004.vdb", reference.out + "/snow.0004.vdb");
    const std::string foreign = "checkpoint.0004.firn is of another scene than the frames in stats.jsonl";

    const Outcome info = firnSim({"info", reference.out});
    CHECK(info.code == 3);
    CHECK(info.output.find("DAMAGED  checkpoint.0004.firn: is of another scene") != std::string::npos);
    CHECK(info.output.find("may be deleted") == std::string::npos);
    const Outcome ofThis = firnSim(reference.resume());
    CHECK(ofThis.code == 3);
    CHECK(ofThis.says(foreign));
    CHECK(ofThis.says("move the file away"));
    const Outcome ofOther = firnSim(reference.resume({"--set", set}));
    CHECK(ofOther.code == 2);
    CHECK(ofOther.says(foreign));
    CHECK(ofOther.says("solver.cfl: 0.3 in the cache, 0.2 now"));
    const Outcome forced = firnSim(reference.resume({"--set", set, "--force"}));
    CHECK(forced.code == 3);
    CHECK(forced.says(foreign));
    CHECK(textOf(reference.out + "/stats.jsonl") == stats);
    CHECK(textOf(reference.out + name) == textOf(other + name));

    fs::remove(reference.out + name);
    if (withFrame) {
        CHECK(firnSim(reference.resume()).says("snow.0004.vdb is of another scene"));
        fs::remove(reference.out + "/snow.0004.vdb");
    }
    CHECK(firnSim(reference.resume()).code == 0);
    CHECK(reference.isSame());
}

TEST_CASE("A changed scene that was stopped before its first line is continued from its own checkpoint")
{
    const ReferenceRun reference;
    const std::vector<std::string> changed{"--set", "solver.cfl=0.2"}, forced{"--set", "solver.cfl=0.2", "--force"};
    const std::string expected = reference.out + "-expected";
    REQUIRE(firnSim(reference.resume({"--frames", "1-3"})).code == 0);
    fs::copy(reference.out, expected);
    REQUIRE(
        firnSim({"run", reference.shot, "--out", expected, "--resume", "--force", "--set", "solver.cfl=0.2"}).code ==
        0);
    SECTION("in the frame") { beginFrameOfChangedScene(reference); }
    SECTION("after the checkpoint")
    {
        const std::string stats = textOf(reference.out + "/stats.jsonl");
        std::vector<std::string> oneMore = forced;
        oneMore.insert(oneMore.end(), {"--frames", "1-4"});
        REQUIRE(firnSim(reference.resume(oneMore)).code == 0);
        std::ofstream(reference.out + "/stats.jsonl") << stats;
    }
    CHECK(firnSim({"info", reference.out}).code == 0);
    const Outcome resumed = firnSim(reference.resume(changed));
    INFO(resumed.error);
    CHECK(resumed.code == 0);
    CHECK_FALSE(resumed.says("is of another scene"));
    CHECK(frameChecksums(reference.out) == frameChecksums(expected));
    CHECK(firnSim({"info", reference.out}).code == 0);
}

TEST_CASE("A frame that was begun with a changed scene is not finished with another one")
{
    const ReferenceRun reference;
    REQUIRE(firnSim(reference.resume({"--frames", "1-3", "--checkpoint-every", "100"})).code == 0);
    beginFrameOfChangedScene(reference);
    const std::vector<std::string> third{"--set", "solver.cfl=0.25", "--force", "--frames", "1-4"};
    const std::string message = "checkpoint.0003.firn is of a run of another scene that was stopped within frame 4";
    SECTION("the one before it would replace frames")
    {
        const Outcome outcome = firnSim(reference.resume(third));
        CHECK(outcome.code == 2);
        CHECK(outcome.says(message));
        CHECK(
            outcome.says("the newest checkpoint that can be used is that of frame 1, of another scene. This run would "
                         "replace frames 2-3"));
        const Outcome back = firnSim(reference.resume());
        CHECK(back.code == 0);
        CHECK(back.says("simulating frames 1-3 again to continue"));
        CHECK(reference.isSame());
    }
    SECTION("there is none before it")
    {
        fs::remove(reference.out + "/checkpoint.0001.firn");
        const Outcome outcome = firnSim(reference.resume(third));
        CHECK(outcome.code == 2);
        CHECK(outcome.says(message));
        CHECK(outcome.says("holds frames 1-3 of another scene"));
        CHECK(outcome.says("solver.cfl: 0.2 in the cache, 0.25 now") == false);  // of the run that was stopped
        CHECK(firnSim(reference.resume()).code == 0);
        CHECK(reference.isSame());
    }
}

TEST_CASE("A run goes back to the first scene after a frame of another one was begun")
{
    const ReferenceRun reference;
    REQUIRE(firnSim(reference.resume({"--frames", "1-3"})).code == 0);
    beginFrameOfChangedScene(reference);
    const Outcome back = firnSim(reference.resume());
    CHECK(back.code == 0);
    CHECK(back.says("was stopped within frame 4, and is not used"));
    CHECK(reference.isSame());
}

TEST_CASE("Frames without a line are not removed and not called good")
{
    const ReferenceRun reference;
    REQUIRE(firnSim(reference.resume({"--frames", "1-3"})).code == 0);
    const std::string set = "solver.cfl=0.2", other = reference.otherCache("1-6");
    SECTION("of the run's own scene")
    {
        for (const char* name : {"/snow.0005.vdb", "/snow.0006.vdb"})
            fs::copy_file((reference.folder / "reference").string() + name, reference.out + name);
        for (const char* frames : {"1-3", "1-6"})
            refused(
                reference.resume({"--frames", frames}), 3,
                {"snow.0005.vdb has no line in stats.jsonl, so nothing tells whether a run of this cache wrote it"});
    }
    SECTION("of the scene that --force continues with")
    {
        for (const char* name : {"/snow.0005.vdb", "/snow.0006.vdb"}) fs::copy_file(other + name, reference.out + name);
        refused(reference.resume({"--set", set, "--force"}), 3, {"snow.0005.vdb is of another scene"});
    }
    const Outcome info = firnSim({"info", reference.out});
    CHECK(info.code == 3);
    CHECK(info.output.find("DAMAGED  snow.0005.vdb") != std::string::npos);
    CHECK(info.output.find("DAMAGED  snow.0006.vdb") != std::string::npos);
    CHECK(info.output.find("all frames are there") == std::string::npos);
    CHECK(fs::exists(reference.out + "/snow.0006.vdb"));
}

TEST_CASE("The frame after the last line is of this cache or of the scene that a killed run began")
{
    const ReferenceRun reference;
    REQUIRE(firnSim(reference.resume({"--frames", "1-3"})).code == 0);
    const std::string set = "solver.cfl=0.2", other = reference.otherCache("1-4");
    fs::copy_file(other + "/snow.0004.vdb", reference.out + "/snow.0004.vdb");
    const Outcome foreign = firnSim({"info", reference.out});
    CHECK(foreign.code == 3);
    CHECK(foreign.output.find("DAMAGED  snow.0004.vdb: is of another scene") != std::string::npos);
    // As a run leaves it that was killed before it wrote the checkpoint.
    fs::copy_file(other + "/resolved.scene", reference.out + "/resolved.scene", fs::copy_options::overwrite_existing);
    CHECK(firnSim({"info", reference.out}).code == 0);
}

TEST_CASE("A checkpoint of the same scene is told from one of a cache in which the scene changed")
{
    const ReferenceRun reference;
    const std::string other = reference.out + "-other";
    REQUIRE(firnSim({"run", reference.shot, "--out", other, "--frames", "1-2", "--set", "solver.cfl=0.2"}).code == 0);
    REQUIRE(firnSim({"run", reference.shot, "--out", other, "--frames", "1-4", "--resume", "--force"}).code == 0);
    REQUIRE(firnSim(reference.resume({"--frames", "1-3"})).code == 0);
    fs::copy_file(other + "/checkpoint.0004.firn", reference.out + "/checkpoint.0004.firn");
    refused(reference.resume(), 3, {"checkpoint.0004.firn is of another scene than the frames in stats.jsonl"});
    fs::remove(reference.out + "/checkpoint.0004.firn");
    CHECK(firnSim(reference.resume()).code == 0);
    CHECK(reference.isSame());
}
