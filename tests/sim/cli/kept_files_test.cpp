// What users change or exchange in a cache is kept and named.

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "common/cache/points_file.h"
#include "common/io/checked_file.h"
#include "common/io/checksum.h"
#include "tests/sim/cli/reference_run.h"

namespace fs = std::filesystem;
using namespace firn;

namespace {

/// Another whole frame in the place of one, as a run of the same scene with another history would have written it.
void exchange(const fs::path& path)
{
    ParticleFrame frame = readPointsFile(path);
    frame.position_m[0].y() += 0.001;
    writePointsFile(path, frame);
}

}  // namespace

TEST_CASE("An undamaged frame that is not the listed one is named and not replaced")
{
    const ReferenceRun reference;
    REQUIRE(firnSim(reference.resume({"--frames", "1-3"})).code == 0);
    const std::string frame = reference.out + "/snow.0002.vdb";
    exchange(frame);
    const std::string content = textOf(frame);
    const std::string why = "snow.0002.vdb is an undamaged frame and has another checksum than stats.jsonl lists";
    for (const auto& more : {std::vector<std::string>{}, {"--force"}}) {
        const Outcome refused = firnSim(reference.resume(more));
        CHECK(refused.code == 3);
        CHECK(refused.says(why));
        CHECK(textOf(frame) == content);
    }
    const Outcome info = firnSim({"info", reference.out});
    CHECK(info.code == 3);
    CHECK(info.output.find("snow.0002.vdb: is an undamaged frame and has another checksum") != std::string::npos);
    fs::remove(frame);
    CHECK(firnSim(reference.resume()).code == 0);
    CHECK(reference.isSame());
}

TEST_CASE("Where a frame that is made again is not the listed one, --force is not advised in vain")
{
    const ReferenceRun reference;
    REQUIRE(firnSim(reference.resume({"--frames", "1-3"})).code == 0);
    const fs::path frame = reference.out + "/snow.0001.vdb";
    std::string stats = textOf(reference.out + "/stats.jsonl");
    const std::string listed = checksum(readFile(frame));
    stats.replace(stats.find(listed), 2, listed.starts_with("00") ? "11" : "00");
    std::ofstream(reference.out + "/stats.jsonl") << stats;
    fs::remove(frame);
    const Outcome refused = firnSim(reference.resume());
    CHECK(refused.code == 3);
    CHECK(refused.says("snow.0001.vdb is damaged or missing, and simulating it again gives another checksum"));
    CHECK_FALSE(refused.says("add --force"));
}

TEST_CASE("Where all frames are undamaged and not the listed ones, stats.jsonl is named")
{
    const ReferenceRun reference;
    REQUIRE(firnSim(reference.resume({"--frames", "1-3"})).code == 0);
    for (const char* name : {"/snow.0001.vdb", "/snow.0002.vdb", "/snow.0003.vdb"}) exchange(reference.out + name);
    const Outcome info = firnSim({"info", reference.out});
    CHECK(info.code == 3);
    CHECK(info.output.find("stats.jsonl: lists other files than all frames beside it: it was copied from another "
                           "cache") != std::string::npos);
    CHECK(info.output.find("snow.0001.vdb") == std::string::npos);
    CHECK(info.output.find("copy the stats.jsonl of this cache from a backup") != std::string::npos);
}

TEST_CASE("A resolved scene that was edited is kept under another name")
{
    const ReferenceRun reference;
    REQUIRE(firnSim(reference.resume({"--frames", "1-2"})).code == 0);
    const std::string scene = reference.out + "/resolved.scene";
    std::string edited;
    for (const char* kept : {".1", ".2"}) {
        std::ofstream(scene, std::ios::app) << "# approved\n";
        edited = textOf(scene);
        const Outcome outcome = firnSim(reference.resume({"--frames", kept[1] == '1' ? "1-4" : "1-6"}));
        CHECK(outcome.code == 0);
        CHECK(outcome.says("resolved.scene was changed after the run wrote it; what it held is in " + scene + kept));
        CHECK(textOf(scene + kept) == edited);
        CHECK(textOf(scene).find("# approved") == std::string::npos);
    }
    CHECK(reference.isSame());
    CHECK_FALSE(firnSim(reference.resume()).says("was changed"));
    std::ofstream(scene, std::ios::app) << "# approved\n";
    CHECK(firnSim({"run", reference.shot, "--out", reference.out, "--force", "--threads", "2"}).code == 0);
    CHECK(textOf(scene + ".3") == edited);
}

TEST_CASE("A cache is not continued with another first frame")
{
    const ReferenceRun reference;
    REQUIRE(firnSim(reference.resume({"--frames", "1-3"})).code == 0);
    const std::string stats = textOf(reference.out + "/stats.jsonl");
    for (const char* frames : {"0-6", "2-6"}) {
        for (const auto& more : {std::vector<std::string>{}, {"--force"}}) {
            std::vector<std::string> arguments = reference.resume({"--set", std::string("frames=\"") + frames + "\""});
            arguments.insert(arguments.end(), more.begin(), more.end());
            const Outcome refused = firnSim(arguments);
            CHECK(refused.code == 2);
            CHECK(
                refused.says("they begin with frame 1, and the scene begins with frame " + std::string(1, frames[0])));
            CHECK(textOf(reference.out + "/stats.jsonl") == stats);
        }
    }
    CHECK(firnSim(reference.resume()).code == 0);
    CHECK(reference.isSame());
}

TEST_CASE("A frame without a line that differs from the frame of the run is kept under another name")
{
    const ReferenceRun reference;
    std::vector<std::string> more;
    std::string name = "snow.0004.vdb", told = " had no line in stats.jsonl and is not what this run simulates";
    SECTION("the next frame") { REQUIRE(firnSim(reference.resume({"--frames", "1-3"})).code == 0); }
    SECTION("the first frame")
    {
        fs::create_directory(reference.out);
        name = "snow.0001.vdb";
    }
    SECTION("a frame that was left out") { REQUIRE(firnSim(reference.resume({"--frames", "1-3,5"})).code == 0); }
    SECTION("a frame after those that are simulated again")
    {
        REQUIRE(firnSim(reference.resume({"--frames", "1-3"})).code == 0);
        fs::remove(reference.out + "/checkpoint.0003.firn");
        more = {"--force"};
        told = " has no line in stats.jsonl";
    }
    const std::string path = reference.out + "/" + name;
    fs::copy_file(reference.folder / "reference" / name, path);
    exchange(path);
    const std::string content = textOf(path);
    const Outcome outcome = firnSim(reference.resume(more));
    INFO(outcome.error);
    CHECK(outcome.code == 0);
    CHECK(outcome.says(path + told));
    CHECK(outcome.says("it is kept in " + path + ".1"));
    CHECK(textOf(path + ".1") == content);
    CHECK(reference.isSame());
}

TEST_CASE("A frame without a line that is the frame of the run is no longer told of")
{
    const ReferenceRun reference;
    REQUIRE(firnSim(reference.resume({"--frames", "1-3"})).code == 0);
    fs::copy_file(reference.folder / "reference/snow.0004.vdb", reference.out + "/snow.0004.vdb");
    const Outcome outcome = firnSim(reference.resume());
    CHECK(outcome.code == 0);
    CHECK_FALSE(outcome.says("snow.0004.vdb"));
    CHECK_FALSE(fs::exists(reference.out + "/snow.0004.vdb.1"));
    CHECK(reference.isSame());
}
