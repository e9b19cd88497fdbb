// Damaged and missing files of a cache: what --resume restores, and what it refuses to throw away.
#include <signal.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <map>

#include "common/cache/points_file.h"
#include "common/io/checksum.h"
#include "tests/sim/cli/reference_run.h"

namespace fs = std::filesystem;
using namespace firn;

TEST_CASE("With a damaged checkpoint the one before is used, with a message, to the same bits")
{
    const ReferenceRun reference;
    REQUIRE(firnSim(reference.resume({"--frames", "1-4"})).code == 0);
    fs::resize_file(reference.out + "/checkpoint.0004.firn", 1000);
    const Outcome outcome = firnSim(reference.resume());
    INFO(outcome.error);
    CHECK(outcome.code == 0);
    CHECK(outcome.says("checkpoint.0004.firn is damaged"));
    CHECK(outcome.says("simulating frames 3-4 again to continue"));
    CHECK(outcome.says("continuing after frame 4"));
    CHECK(reference.isSame());
}

TEST_CASE("A finished frame stays where --frames leaves it out and the last checkpoint is gone")
{
    const ReferenceRun reference;
    REQUIRE(firnSim(reference.resume({"--frames", "1-4"})).code == 0);
    const auto written = fs::last_write_time(reference.out + "/snow.0004.vdb");
    fs::remove(reference.out + "/checkpoint.0004.firn");
    SECTION("killed on the way")
    {
        Program program(reference.resume());
        REQUIRE(program.waitFor("simulating frames 3-4 again"));
        program.signal(SIGKILL);
        program.finish();
        CHECK(firnSim({"info", reference.out}).output.find("frames 1-4, ") != std::string::npos);
    }
    SECTION("not killed") {}
    CHECK(firnSim(reference.resume({"--frames", "6"})).code == 0);
    CHECK(fs::last_write_time(reference.out + "/snow.0004.vdb") == written);
    CHECK(firnSim(reference.resume()).code == 0);
    CHECK(reference.isSame());
}

TEST_CASE("Frames that were damaged or removed are restored to the same bits when the run is resumed")
{
    const ReferenceRun reference;
    const auto damage = [&](const std::string& name, char how) {
        const fs::path path = reference.out + "/" + name;
        if (how == 'r') fs::remove(path);
        if (how == 't') fs::resize_file(path, fs::file_size(path) / 2);
        if (how == 'f')
            std::fstream(path, std::ios::in | std::ios::out | std::ios::binary).seekp(3000).put('x').put('y');
    };
    // Of a stopped run and of a complete one; frames with a checkpoint of their own (the last two), after one, and
    // before all of them.
    for (const auto& [last, damaged] : std::vector<std::pair<std::string, std::string>>{
             {"4", "4f"}, {"4", "3f"}, {"4", "1f2t"}, {"4", "1r4f"}, {"6", "6f"}, {"6", "5t6r"}, {"6", "2f3f6f"}}) {
        fs::remove_all(reference.out);
        REQUIRE(firnSim(reference.resume({"--frames", "1-" + last})).code == 0);
        for (std::size_t i = 0; i < damaged.size(); i += 2) {
            damage("snow.000" + damaged.substr(i, 1) + ".vdb", damaged[i + 1]);
        }
        const Outcome outcome = firnSim(reference.resume());
        INFO("1-" << last << " " << damaged << ": " << outcome.error);
        CHECK(outcome.code == 0);
        CHECK(outcome.says("snow.000" + damaged.substr(0, 1) + ".vdb is restored"));
        if (damaged[1] == 'r') CHECK(outcome.says("snow.000" + damaged.substr(0, 1) + ".vdb is missing"));
        CHECK(reference.isSame());
    }
}

TEST_CASE("A damaged frame of another scene is not replaced by one of this scene")
{
    const ReferenceRun reference;
    REQUIRE(firnSim(reference.resume({"--frames", "1-3"})).code == 0);
    const std::vector<std::string> changed{"--set", "solver.cfl=0.2", "--force"};
    REQUIRE(firnSim(reference.resume(changed)).code == 0);
    fs::resize_file(reference.out + "/snow.0002.vdb", 1000);
    const Outcome outcome = firnSim(reference.resume(changed));
    INFO(outcome.error);
    CHECK(outcome.code == 3);
    CHECK(outcome.says("snow.0002.vdb: stats.jsonl lists the checksum "));
    CHECK(outcome.says("of another scene"));
    CHECK(firnSim({"info", reference.out}).output.find("2 different scenes: the scene changes after frame") !=
          std::string::npos);
    CHECK(fs::file_size(reference.out + "/snow.0002.vdb") == 1000);
    // The scene of the first frames restores it, and leaves the others.
    const std::map<std::string, std::string> before = frameChecksums(reference.out);
    const std::string command =
        "with the scene of frame 1, 'firn-sim run SCENE --out " + reference.out + " --resume --force --frames 2'";
    CHECK(outcome.says(command));
    CHECK(firnSim({"info", reference.out}).output.find(command) != std::string::npos);
    const Outcome restored = firnSim(reference.resume({"--force", "--frames", "2"}));
    INFO(restored.error);
    CHECK(restored.code == 0);
    std::map<std::string, std::string> after = frameChecksums(reference.out);
    CHECK(after.at("snow.0002.vdb") == reference.frames.at("snow.0002.vdb"));
    after["snow.0002.vdb"] = before.at("snow.0002.vdb");
    CHECK(after == before);
    CHECK(firnSim({"info", reference.out}).code == 0);
    // After the change, its own checkpoint restores a frame, and nothing else.
    fs::remove(reference.out + "/snow.0005.vdb");
    CHECK(firnSim({"info", reference.out})
              .output.find("with the scene of frame 5, 'firn-sim run SCENE --out " + reference.out +
                           " --resume --force --frames 5' restores") != std::string::npos);
    CHECK(firnSim(reference.resume(changed)).code == 0);
    CHECK(frameChecksums(reference.out).at("snow.0005.vdb") == before.at("snow.0005.vdb"));
    fs::remove(reference.out + "/snow.0004.vdb");
    const Outcome lost = firnSim(reference.resume(changed));
    CHECK(lost.code == 3);
    CHECK(lost.says("snow.0004.vdb: missing; it cannot be simulated again"));
    CHECK(lost.says("'firn-sim info " + reference.out + "' says how to restore frame 4"));
    CHECK(firnSim({"info", reference.out}).output.find("copy frames from a backup") != std::string::npos);
}

TEST_CASE("A missing frame of the scene that was simulated is restored with that scene, not with a changed one")
{
    const ReferenceRun reference;
    REQUIRE(firnSim(reference.resume()).code == 0);
    const std::vector<std::string> changed{"--set", "solver.cfl=0.2", "--force"};
    const Outcome complete = firnSim(reference.resume(changed));
    CHECK(complete.code == 0);
    CHECK(complete.says("is complete: nothing was left to simulate, so no frame is of the changed scene"));
    fs::remove(reference.out + "/snow.0003.vdb");
    const Outcome refused = firnSim(reference.resume(changed));
    CHECK(refused.code == 3);
    CHECK(refused.says("with the scene of frame 1, 'firn-sim run SCENE --out " + reference.out +
                       " --resume --force --frames 3'"));
    const Outcome restored = firnSim(reference.resume({"--force", "--frames", "3", "--progress", "none"}));
    CHECK(restored.code == 0);
    CHECK(restored.error == "warning: snow.0003.vdb is missing\nsnow.0003.vdb is restored\n");
    CHECK(reference.isSame());
}

TEST_CASE("A damaged checkpoint is told once")
{
    const ReferenceRun reference;
    REQUIRE(firnSim(reference.resume()).code == 0);
    fs::resize_file(reference.out + "/checkpoint.0006.firn", 1000);
    fs::resize_file(reference.out + "/snow.0006.vdb", 1000);
    const Outcome outcome = firnSim(reference.resume());
    CHECK(outcome.code == 0);
    const std::string text = "checkpoint.0006.firn is damaged";
    const std::size_t first = outcome.error.find(text);
    REQUIRE(first != std::string::npos);
    CHECK(outcome.error.find(text, first + 1) == std::string::npos);
    CHECK(reference.isSame());
}

TEST_CASE("Without a readable checkpoint the frames are simulated again to continue, and stay as they are")
{
    const ReferenceRun reference;
    REQUIRE(firnSim(reference.resume({"--frames", "1-3"})).code == 0);
    const bool isRemoved = GENERATE(false, true);
    for (const char* name : {"checkpoint.0002.firn", "checkpoint.0003.firn"}) {
        if (isRemoved) fs::remove(fs::path(reference.out) / name);
        if (!isRemoved) fs::resize_file(fs::path(reference.out) / name, 10);
    }
    const fs::path frame = fs::path(reference.out) / "snow.0002.vdb";
    const auto written = fs::last_write_time(frame);
    SECTION("of another scene: refused")
    {
        const Outcome refused = firnSim(reference.resume({"--set", "solver.cfl=0.2", "--force"}));
        CHECK(refused.code == 2);
        CHECK(refused.says("holds frames 1-3 of another scene"));
        CHECK(refused.says("First simulate one more frame with the scene of the last frame and --resume"));
        CHECK(refused.says("--force without --resume"));
    }
    SECTION("of another kind of machine: refused")
    {
        const fs::path last = reference.out + "/snow.0003.vdb";
        const std::string before = checksum(readFile(last));
        ParticleFrame other = readPointsFile(last);
        other.position_m[0].y() += 1e-6;
        const std::string now = writePointsFile(last, other).checksum;
        std::string stats = textOf(reference.out + "/stats.jsonl");
        stats.replace(stats.rfind(before), before.size(), now);
        std::ofstream(reference.out + "/stats.jsonl") << stats;
        const Outcome refused = firnSim(reference.resume());
        CHECK(refused.code == 3);
        CHECK(refused.says("another checksum than stats.jsonl has"));
        // A damaged checkpoint of frame 2 is restored on the way; --force goes on from it.
        CHECK(refused.says("add --force to replace the frames after the last checkpoint") == !isRemoved);
        if (isRemoved) return;
        CHECK(firnSim(reference.resume({"--force"})).code == 0);
        CHECK(reference.isSame());
        return;
    }
    SECTION("stopped on the way")
    {
        Program program(reference.resume());
        REQUIRE(program.waitFor("simulating frames 1-3 again to continue, because no checkpoint can be used"));
        program.signal(SIGINT);
        const Outcome stopped = program.finish();
        CHECK(stopped.code == 75);
        CHECK(stopped.says("run again with --resume to continue"));
    }
    const Outcome resumed = firnSim(reference.resume());
    INFO(resumed.error);
    CHECK(resumed.code == 0);
    CHECK(resumed.says("continuing after frame"));
    if (resumed.says("continuing after frame 3")) CHECK(fs::last_write_time(frame) == written);
    CHECK(reference.isSame());
}

TEST_CASE("In a cache of two scenes, what can be restored is restored, and the rest is named")
{
    const ReferenceRun reference;
    const std::vector<std::string> changed{"--set", "solver.cfl=0.2", "--force"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), changed.begin(), changed.end());
        return reference.resume(more);
    };
    REQUIRE(firnSim(reference.resume({"--frames", "1-2"})).code == 0);
    REQUIRE(firnSim(with({"--frames", "1-5"})).code == 0);
    const std::string second = textOf(reference.out + "/snow.0002.vdb");
    for (const char* name : {"/snow.0002.vdb", "/snow.0003.vdb"}) fs::remove(reference.out + name);
    const std::string info = firnSim({"info", reference.out}).output;
    CHECK(info.find("with the scene of frame 1, 'firn-sim run SCENE --out " + reference.out +
                    " --resume --force --frames 2' restores") != std::string::npos);
    CHECK(info.find("--resume cannot make frame 3 again") != std::string::npos);

    const Outcome both = firnSim(with({"--frames", "1-5"}));
    CHECK(both.code == 3);
    CHECK(both.says("snow.0002.vdb: missing; frame 3 is missing or damaged too; they cannot be simulated again"));
    CHECK(both.says("--frames 2' restores frame 2; 'firn-sim info " + reference.out + "' says how to restore frame 3"));

    const Outcome restored = firnSim(reference.resume({"--force", "--frames", "2"}));
    CHECK(restored.code == 0);
    CHECK(restored.says("snow.0003.vdb: missing; it cannot be simulated again, because frame 3 is of another scene"));
    CHECK(textOf(reference.out + "/snow.0002.vdb") == second);

    const std::string lost = "snow.0003.vdb: missing; it cannot be simulated again";
    const Outcome wanted = firnSim(with({}));
    CHECK(wanted.code == 3);
    CHECK(wanted.says(lost));
    CHECK(fs::exists(reference.out + "/snow.0006.vdb"));
    const Outcome again = firnSim(with({}));
    CHECK(again.code == 3);
    CHECK(again.says("has nothing else left to simulate"));
    CHECK_FALSE(again.says("is complete"));
    const Outcome unwanted = firnSim(with({"--frames", "6"}));
    CHECK(unwanted.code == 0);
    CHECK(unwanted.says(lost));
    for (const char* name : {"/checkpoint.0005.firn", "/checkpoint.0006.firn"}) fs::remove(reference.out + name);
    const Outcome whole = firnSim(with({"--frames", "6"}));
    CHECK(whole.code == 0);
    CHECK(whole.says("has nothing else left to simulate"));
    CHECK_FALSE(whole.says("is complete"));
}

TEST_CASE("With a changed scene, no finished frame is replaced where the last checkpoints are gone")
{
    const ReferenceRun reference;
    REQUIRE(firnSim(reference.resume({"--frames", "1-4", "--checkpoint-every", "100"})).code == 0);
    fs::remove(reference.out + "/checkpoint.0004.firn");
    const std::map<std::string, std::string> before = frameChecksums(reference.out);
    const std::vector<std::string> changed{"--set", "solver.cfl=0.2", "--force"};
    const Outcome refused = firnSim(reference.resume(changed));
    CHECK(refused.code == 2);
    CHECK(
        refused.says("the newest checkpoint that can be used is that of frame 1, of another scene. This run would "
                     "replace frames 2-4"));
    CHECK(frameChecksums(reference.out) == before);
    // As the message says.
    REQUIRE(firnSim(reference.resume({"--frames", "1-5"})).code == 0);
    CHECK(firnSim(reference.resume(changed)).code == 0);
    for (const auto& [name, sum] : before) CHECK(frameChecksums(reference.out).at(name) == sum);
}

TEST_CASE("A changed scene that needs other values of its snow names the checkpoint")
{
    const ReferenceRun reference;
    REQUIRE(firnSim(reference.resume({"--frames", "1-3", "--set", "snow.ball.preset=powder"})).code == 0);
    const Outcome refused = firnSim(reference.resume({"--set", "snow.ball.preset=packing", "--force"}));
    CHECK(refused.code == 2);
    CHECK(refused.says("checkpoint.0003.firn cannot be continued with the changed scene"));
    CHECK(refused.says("undo the change, or choose another --out"));
    CHECK(firnSim(reference.resume({"--set", "snow.ball.preset=powder"})).code == 0);
}

TEST_CASE("A frame of the second scene is restored from the checkpoint before it")
{
    const ReferenceRun reference;
    const std::vector<std::string> changed{"--set", "solver.cfl=0.2", "--force"};
    REQUIRE(firnSim(reference.resume({"--frames", "1-2"})).code == 0);
    REQUIRE(firnSim(reference.resume(changed)).code == 0);
    const std::map<std::string, std::string> before = frameChecksums(reference.out);
    for (const char* name : {"/snow.0006.vdb", "/checkpoint.0006.firn"}) fs::remove(reference.out + name);
    CHECK(firnSim({"info", reference.out})
              .output.find("with the scene of frame 5, 'firn-sim run SCENE --out " + reference.out +
                           " --resume --force --frames 6' restores") != std::string::npos);
    CHECK(firnSim(reference.resume(changed)).code == 0);
    CHECK(frameChecksums(reference.out) == before);
}

TEST_CASE("A third scene does not remove the checkpoint that a damaged frame of the second one needs")
{
    const ReferenceRun reference;
    const std::vector<std::string> second{"--set", "solver.cfl=0.2", "--force"};
    REQUIRE(firnSim(reference.resume({"--frames", "1-2"})).code == 0);
    REQUIRE(firnSim(reference.resume(second)).code == 0);
    const std::map<std::string, std::string> before = frameChecksums(reference.out);
    fs::remove(reference.out + "/snow.0006.vdb");
    const Outcome refused = firnSim(reference.resume({"--set", "solver.cfl=0.3", "--set", "frames=1-8", "--force"}));
    INFO(refused.error);
    CHECK(refused.code == 3);
    CHECK(refused.says("Do so first: this run would remove the checkpoint that is needed to restore frame 6"));
    CHECK(firnSim(reference.resume(second)).code == 0);
    CHECK(frameChecksums(reference.out) == before);
    CHECK(firnSim(reference.resume({"--set", "solver.cfl=0.3", "--set", "frames=1-8", "--force"})).code == 0);
}

TEST_CASE("Frames that --frames left out, in a cache of two scenes")
{
    const ReferenceRun reference;
    const std::vector<std::string> changed{"--set", "solver.cfl=0.2", "--force"};
    REQUIRE(firnSim(reference.resume({"--frames", "1-4x3"})).code == 0);
    REQUIRE(firnSim(reference.resume({"--set", "solver.cfl=0.2", "--force", "--frames", "6"})).code == 0);
    const std::string info = firnSim({"info", reference.out}).output;
    CHECK(info.find("--frames left out frames 2-3,5\n") != std::string::npos);
    CHECK(info.find("--resume --force --frames 2-3' writes") != std::string::npos);
    const Outcome resumed = firnSim(reference.resume(changed));
    CHECK(resumed.code == 0);
    CHECK(resumed.says("left out frames 2-3,5, which cannot be written now: frame 1 is of another scene"));
    const Outcome chosen = firnSim(reference.resume({"--set", "solver.cfl=0.2", "--force", "--frames", "3"}));
    CHECK(chosen.code == 3);
    CHECK(chosen.says("with the scene of frame 1, 'firn-sim run SCENE --out " + reference.out +
                      " --resume --force --frames 3' writes frame 3"));
    CHECK(firnSim(reference.resume({"--force", "--frames", "2-3"})).code == 0);
    for (const char* name : {"snow.0002.vdb", "snow.0003.vdb"})
        CHECK(frameChecksums(reference.out).at(name) == reference.frames.at(name));
}

TEST_CASE("A cache with all its frames is complete without checkpoints, and its damaged frames are restored")
{
    const ReferenceRun reference;
    REQUIRE(firnSim(reference.resume()).code == 0);
    std::map<fs::path, std::string> checkpoints;
    for (const auto& entry : fs::directory_iterator(reference.out)) {
        if (!entry.path().filename().string().starts_with("checkpoint.")) continue;
        checkpoints[entry.path()] = textOf(entry.path());
        fs::remove(entry.path());
    }
    for (const char* name : {"resolved.scene", "snow.usda"}) {  // they come back too
        fs::remove(fs::path(reference.out) / name);
        const Outcome info = firnSim({"info", reference.out});
        CHECK(info.code == 3);
        CHECK(info.output.find(std::string("MISSING  ") + name) != std::string::npos);
        CHECK(firnSim(reference.resume()).code == 0);
        CHECK(reference.isSame());
    }
    const Outcome plain = firnSim({"run", reference.shot, "--out", reference.out});
    CHECK(plain.code == 2);
    CHECK(plain.says("already holds this simulation"));
    CHECK(plain.says("--resume restores frames that are damaged or missing and continues with further frames"));
    const Outcome complete = firnSim(reference.resume());
    CHECK(complete.code == 0);
    CHECK(complete.says("complete"));
    CHECK(reference.isSame());
    fs::resize_file(reference.out + "/snow.0002.vdb", 1000);
    CHECK(firnSim(reference.resume()).code == 0);
    CHECK(reference.isSame());
    // A simulation that restores frames restores the checkpoints too.
    for (const auto& [name, bytes] : checkpoints) {
        std::ofstream(name, std::ios::binary) << bytes.substr(0, bytes.size() - 1) << static_cast<char>(~bytes.back());
    }
    fs::resize_file(reference.out + "/snow.0002.vdb", 1000);
    CHECK(firnSim(reference.resume()).code == 0);
    CHECK(reference.isSame());
    for (const auto& [name, bytes] : checkpoints) {
        const auto particlesOf = [](const std::string& text) { return text.substr(text.size() - 100000, 99900); };
        CHECK((particlesOf(textOf(name)) == particlesOf(bytes)));  // the header has times of the clock
    }
    for (const auto& [name, bytes] : checkpoints) fs::remove(name);
    // Of another scene nothing is taken.
    const Outcome other = firnSim(reference.resume({"--set", "solver.cfl=0.2"}));
    INFO(other.error);
    CHECK(other.code == 2);
    CHECK(other.says("holds frames 1-6 of another scene, and no checkpoint can be used"));
    CHECK(reference.isSame());
}

TEST_CASE("Without statistics, or without a line of them, frames are not thrown away unasked")
{
    const ReferenceRun reference;
    const auto lines = [&](const std::vector<std::size_t>& kept) {
        std::vector<std::string> all;
        std::ifstream in(reference.out + "/stats.jsonl");
        for (std::string line; std::getline(in, line);) all.push_back(line);
        std::ofstream out(reference.out + "/stats.jsonl");
        for (const std::size_t k : kept) out << all.at(k) << '\n';
    };
    for (const std::vector<std::size_t>& kept : std::vector<std::vector<std::size_t>>{{}, {0, 2, 3}}) {
        fs::remove_all(reference.out);
        REQUIRE(firnSim(reference.resume({"--frames", "1-4"})).code == 0);
        lines(kept);
        const Outcome refused = firnSim(reference.resume({"--frames", "1-2"}));
        INFO(refused.error);
        CHECK(refused.code == 3);
        const std::string reason =
            kept.empty() ? "there is no stats.jsonl that lists them: copy it"
                         : "stats.jsonl has no line of frame 2, which the checkpoints need: copy stats.jsonl";
        CHECK(refused.says("holds frames 1-4 that cannot be continued, because " + reason +
                           " from a backup; otherwise choose"));
        CHECK(fs::exists(reference.out + "/snow.0004.vdb"));
        CHECK(firnSim(reference.resume({"--force"})).code == 3);
        CHECK(firnSim({"run", reference.shot, "--out", reference.out, "--force"}).code == 0);
        CHECK(reference.isSame());
    }
}

TEST_CASE("Frames after the last undamaged checkpoint stay where the frames that are asked for are there")
{
    const ReferenceRun reference;
    REQUIRE(firnSim(reference.resume()).code == 0);
    fs::resize_file(reference.out + "/checkpoint.000" + std::to_string(lastFrame) + ".firn", 1000);
    const Outcome outcome = firnSim(reference.resume({"--frames", "1-2"}));
    INFO(outcome.error);
    CHECK(outcome.code == 0);
    CHECK(outcome.says("complete"));
    CHECK(frameChecksums(reference.out) == reference.frames);
    CHECK(firnSim(reference.resume()).code == 0);
    CHECK(reference.isSame());
}

TEST_CASE("Frames and checkpoints of another simulation are not thrown away unasked")
{
    const ReferenceRun reference;
    const fs::path out = reference.out, other = reference.folder / "other";
    REQUIRE(firnSim({"run", reference.shot, "--out", other.string(), "--set", "solver.cfl=0.2"}).code == 0);
    for (const std::string name : {"snow.0003.vdb", "snow.0001.vdb", "snow.0099.vdb", "checkpoint.0006.firn"}) {
        fs::remove_all(out);
        fs::create_directory(out);
        const std::string from = name == "snow.0099.vdb" ? "snow.0003.vdb" : name;
        fs::copy_file(other / from, out / name);
        const Outcome refused = firnSim(reference.resume());
        INFO(name << ": " << refused.error);
        CHECK(refused.code == 3);
        CHECK(refused.says("that cannot be continued"));
        CHECK(fs::file_size(out / name) == fs::file_size(other / from));
    }
}
