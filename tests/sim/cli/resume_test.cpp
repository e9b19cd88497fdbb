// A simulation is one job: stopped, killed or failing anywhere, running it again continues to the same bits.
#include <signal.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <random>
#include <thread>

#include "tests/sim/cli/reference_run.h"

namespace fs = std::filesystem;
using namespace firn;

TEST_CASE("One, two and seven threads give the same bits")
{
    const ReferenceRun reference;
    for (const char* threads : {"1", "7"}) {
        const fs::path out = reference.folder / threads;
        REQUIRE(firnSim({"run", reference.shot, "--out", out.string(), "--threads", threads}).code == 0);
        CHECK(frameChecksums(out) == reference.frames);
    }
}

TEST_CASE("Killed at random moments and resumed, a run gives the same bits")
{
    const ReferenceRun reference;
    std::mt19937 random(std::random_device{}());
    std::uniform_real_distribution<double> moment(0, reference.seconds);
    for (int kills = 0; kills < 5;) {
        Program program(reference.resume());
        std::this_thread::sleep_for(std::chrono::duration<double>(moment(random)));
        program.signal(SIGKILL);
        const Outcome outcome = program.finish();
        INFO(outcome.error);
        REQUIRE((outcome.code == -SIGKILL || outcome.code == 0));
        kills += outcome.code == -SIGKILL;
        // Whatever has its final name is whole and what it should be.
        for (const auto& [name, sum] : frameChecksums(reference.out)) CHECK(reference.frames.at(name) == sum);
        if (outcome.code == 0) fs::remove_all(reference.out);
    }
    const Outcome last = firnSim(reference.resume());
    INFO(last.error);
    REQUIRE(last.code == 0);
    CHECK(reference.isSame());
    for (const auto& entry : fs::directory_iterator(reference.out)) {
        CHECK(entry.path().filename().string().find("tmp") == std::string::npos);
    }
}

TEST_CASE("Killed before or after any rename and resumed, a run gives the same bits")
{
    const ReferenceRun reference;
    const std::vector<std::string> twoFrames{"--frames", "1-2"};
    struct Calls {
        std::string function;
        int first, step;
    };
    // A file is synced, renamed, and its folder synced: each rename, and each sync that follows one. The first sync is
    // that of the file which proves that the folder can be written to.
    for (const auto& [function, first, step] : {Calls{"rename", 1, 1}, Calls{"fsync", 3, 2}}) {
        int kills = 0;
        for (int call = first;; call += step) {
            fs::remove_all(reference.out);
            const Outcome killed =
                firnSim(reference.resume(twoFrames), {{"LD_PRELOAD", FIRN_FAIL_IO},
                                                      {"FIRN_KILL", "1"},
                                                      {"FIRN_FAIL", function + (" " + std::to_string(call))}});
            if (killed.code == 0) break;
            INFO(function << " " << call << ": " << killed.error);
            REQUIRE(killed.code == -SIGKILL);
            ++kills;
            const Outcome outcome = firnSim(reference.resume(twoFrames));
            INFO(outcome.error);
            REQUIRE(outcome.code == 0);
            for (const auto& [name, sum] : frameChecksums(reference.out)) REQUIRE(reference.frames.at(name) == sum);
            REQUIRE(frameChecksums(reference.out).size() == 2);
            REQUIRE(firnSim({"info", reference.out}).output.find("no file is damaged; all frames are there") !=
                    std::string::npos);
        }
        CHECK(kills == 9);  // the scene, and for two frames snow, checkpoint, stats and USD layer
    }
}

TEST_CASE("INT and TERM write a checkpoint within the frame and exit with 75; resumed, the bits are the same")
{
    const ReferenceRun reference;
    for (const int signal : {SIGINT, SIGTERM}) {
        Program program(reference.resume());
        REQUIRE(program.waitFor(signal == SIGINT ? "frame 2/6" : "frame 4/6"));
        program.signal(signal);
        const Outcome outcome = program.finish();
        INFO(outcome.error);
        CHECK(outcome.code == 75);
        CHECK(outcome.says("--resume"));
    }
    const Outcome last = firnSim(reference.resume());
    CHECK(last.code == 0);
    CHECK(last.says("continuing after frame"));
    CHECK(reference.isSame());
}

TEST_CASE("USR1 gives a status line and a checkpoint, and the run continues to the same bits")
{
    const ReferenceRun reference;
    Program program(reference.resume({"--checkpoint-every", "100"}));
    REQUIRE(program.waitFor("frame 3/6"));
    program.signal(SIGUSR1);
    REQUIRE(program.waitFor("substep "));
    const Outcome outcome = program.finish();
    CHECK(outcome.code == 0);
    CHECK(reference.isSame());
}

TEST_CASE("Whichever write, sync or rename fails: exit 3, and the run continues from there to the same bits")
{
    const ReferenceRun reference;
    for (const std::string function : {"write", "fsync", "rename", "short"}) {
        fs::remove_all(reference.out);
        int failures = 0;
        // Each run fails a little later than the last; the next continues from there. A run that resumes needs
        // fewer calls than `call` in the end and is done.
        for (int call = 1;; call += 3) {
            const Outcome outcome = firnSim(reference.resume(), {{"LD_PRELOAD", FIRN_FAIL_IO},
                                                                 {"FIRN_FAIL", function + " " + std::to_string(call)}});
            INFO(function << " " << call << ": " << outcome.error);
            if (outcome.code == 0) break;
            ++failures;
            REQUIRE(outcome.code == 3);
            REQUIRE(outcome.says("cannot "));
            REQUIRE(outcome.says(reference.out));
            const bool isFull = function == "write" || function == "short";  // with the error of a full disk
            REQUIRE(outcome.says("Free disk space, then repeat the command with --resume") == isFull);
        }
        CHECK(failures > 3);
        CHECK(firnSim(reference.resume()).code == 0);
        CHECK(reference.isSame());
    }
}

TEST_CASE("Where --force meets a full disk, the advice tells whether the old cache is still there")
{
    const ReferenceRun reference;
    REQUIRE(firnSim(reference.resume()).code == 0);
    const std::vector<std::string> force{
        "run", reference.shot, "--out", reference.out, "--force", "--set", "solver.cfl=0.2", "--threads", "2"};
    const auto full = [&](int write) {
        Outcome outcome =
            firnSim(force, {{"LD_PRELOAD", FIRN_FAIL_IO}, {"FIRN_FAIL", "write " + std::to_string(write)}});
        REQUIRE(outcome.code == 3);
        return outcome;
    };
    CHECK(full(1).says("then repeat the command: it replaces the old cache, which is still there"));
    CHECK(full(2).says("This was a test before the old cache is removed, and it is not removed. Free disk space"));
    CHECK(reference.isSame());
    int write = 3;
    // Once the old cache is removed and before the first new frame is listed, nothing says that the old one is there.
    while (fs::exists(reference.out + "/snow.0006.vdb")) {
        const Outcome outcome = full(write++);
        INFO(outcome.error);
        CHECK(outcome.says("which is still there") == fs::exists(reference.out + "/snow.0006.vdb"));
    }
    while (!full(write).says("repeat the command with --resume in the place of --force")) ++write;
    const Outcome continued = firnSim(reference.resume({"--set", "solver.cfl=0.2"}));
    INFO(continued.error);
    CHECK(continued.code == 0);
    CHECK(frameChecksums(reference.out) == frameChecksums(reference.otherCache("1-6")));
}

TEST_CASE("A scene that cannot be simulated costs no old cache, also with --force")
{
    const ReferenceRun reference;
    REQUIRE(firnSim(reference.resume()).code == 0);
    for (const char* setting : {"solver.dx=50", "body.ground.position=[0,9,0]", "snow.ball.radius_m=9e5"}) {
        const Outcome refused = firnSim({"run", reference.shot, "--out", reference.out, "--force", "--set", setting});
        INFO(setting << ": " << refused.error);
        CHECK(refused.code == 2);
        CHECK(reference.isSame());
        CHECK(firnSim(reference.resume()).says("complete"));
    }
}

TEST_CASE("A run that cannot write its first frame costs no old cache, also with --force")
{
    const ReferenceRun reference;
    REQUIRE(firnSim(reference.resume()).code == 0);
    // In units of 512 or 1024 bytes. Larger than the points file and smaller than the checkpoint, or smaller than both.
    const auto checkpoint = fs::file_size(reference.out + "/checkpoint.000" + std::to_string(lastFrame) + ".firn");
    for (const auto limit : {static_cast<std::uintmax_t>(1), checkpoint / 2048}) {
        const std::string command = "ulimit -f " + std::to_string(limit) + "; " + std::string(FIRN_SIM) + " run " +
                                    reference.shot + " --force --out " + reference.out + " 2>/dev/null";
        const int status = std::system(command.c_str());
        CHECK(WIFEXITED(status));
        CHECK(WEXITSTATUS(status) == 3);
        CHECK(reference.isSame());
    }
    CHECK(firnSim(reference.resume()).says("complete"));
}

TEST_CASE("An existing cache is refused, resumed or replaced as the user says")
{
    const ReferenceRun reference;
    const std::vector<std::string> plain{"run", reference.shot, "--out", reference.out};
    REQUIRE(firnSim(reference.resume({"--frames", "1-3"})).code == 0);
    const Outcome half = firnSim(plain);
    CHECK(half.code == 2);
    CHECK(half.says("incomplete cache of this simulation (frames 1-3): --resume"));
    REQUIRE(firnSim(reference.resume()).code == 0);

    const auto written = fs::last_write_time(reference.out + "/stats.jsonl");
    const Outcome again = firnSim(reference.resume());
    CHECK(again.code == 0);
    CHECK(again.says("complete"));
    CHECK(fs::last_write_time(reference.out + "/stats.jsonl") == written);
    CHECK(firnSim(plain).code == 2);
    CHECK(firnSim({"run", reference.shot, "--out", reference.out, "--force"}).code == 0);
    CHECK(reference.isSame());
}

TEST_CASE("Whichever file of the old cache cannot be removed, run --force removes none")
{
    const ReferenceRun reference;
    REQUIRE(firnSim(reference.resume()).code == 0);
    int failures = 0;
    for (int call = 1;; call += 2) {
        const Outcome outcome =
            firnSim({"run", reference.shot, "--out", reference.out, "--force"},
                    {{"LD_PRELOAD", FIRN_FAIL_IO}, {"FIRN_FAIL", "rename " + std::to_string(call)}});
        if (!outcome.says("cannot remove")) break;
        ++failures;
        CHECK(outcome.code == 3);
        CHECK(outcome.says("No file was removed"));
        CHECK(reference.isSame());
    }
    CHECK(failures > 3);
}

TEST_CASE("A scene that changed is not resumed without --force, and each difference is named")
{
    const ReferenceRun reference;
    REQUIRE(firnSim(reference.resume({"--frames", "1-3"})).code == 0);
    const std::vector<std::string> changed{
        "--set", "solver.gravity=[0.0, -5.0, 0.0]", "--set", "solver.cfl=0.2", "--set", "snow.ball.seed=2"};
    const Outcome refused = firnSim(reference.resume(changed));
    CHECK(refused.code == 2);
    CHECK(refused.says("solver.gravity: "));
    CHECK(refused.says("snow.ball.seed: 1 in the cache, 2 now"));
    CHECK(refused.says("solver.cfl: 0.3 in the cache, 0.2 now"));
    CHECK(refused.cpu_s < quick_s);
    std::vector<std::string> forced = changed;
    forced.emplace_back("--force");
    CHECK(firnSim(reference.resume(forced)).code == 0);
    CHECK(frameChecksums(reference.out).at("snow.0003.vdb") == reference.frames.at("snow.0003.vdb"));
    CHECK(frameChecksums(reference.out).at("snow.0006.vdb") != reference.frames.at("snow.0006.vdb"));
}

TEST_CASE("A run whose folder is moved and made again stops, and both caches stay whole")
{
    const ReferenceRun reference;
    Program program({"run", reference.shot, "--out", reference.out, "--threads", "2"});
    REQUIRE(program.waitFor("frame 2/6"));
    program.signal(SIGSTOP);
    const std::string moved = reference.out + "-moved";
    fs::rename(reference.out, moved);
    REQUIRE(firnSim({"run", reference.shot, "--out", reference.out, "--frames", "1-2"}).code == 0);
    const auto before = frameChecksums(reference.out);
    program.signal(SIGCONT);
    const Outcome stopped = program.finish();
    CHECK(stopped.code == 3);
    CHECK(stopped.says(reference.out + " was moved, or its .firn-lock was removed"));
    CHECK(frameChecksums(reference.out) == before);
    CHECK(firnSim({"run", reference.shot, "--out", moved, "--resume"}).code == 0);
    CHECK(frameChecksums(moved) == reference.frames);
}

TEST_CASE("What does not change the simulation does not keep it from being resumed")
{
    const ReferenceRun reference;
    REQUIRE(firnSim(reference.resume({"--frames", "1-3"})).code == 0);
    CHECK(firnSim(reference.resume({"--set", "render.spp=7", "--threads", "1"})).code == 2);  // --threads twice
    CHECK(firnSim(reference.resume({"--set", "render.spp=7"})).code == 0);
    CHECK(reference.isSame());
}

TEST_CASE("Frames left out are simulated but not written, and written when they are asked for later")
{
    const ReferenceRun reference;
    const std::string range = GENERATE("2-6x2", "1,4");
    REQUIRE(firnSim(reference.resume({"--frames", range})).code == 0);
    const auto frames = frameChecksums(reference.out);
    CHECK(frames.size() == (range == "1,4" ? 2 : 3));
    for (const auto& [name, sum] : frames) CHECK(reference.frames.at(name) == sum);
    const std::string info = firnSim({"info", reference.out}).output;
    CHECK(info.find(range == "1,4" ? "  --frames left out frames 2-3; " : "  --frames left out frames 1,3,5; ") !=
          std::string::npos);
    SECTION("") {}
    SECTION("without checkpoints")
    {
        for (const int frame : {3, 4, 5, 6})
            fs::remove(reference.out + "/checkpoint.000" + std::to_string(frame) + ".firn");
        if (range == "1,4") return;  // nothing tells how to go on
    }
    SECTION("some of them")
    {
        const Outcome some = firnSim(reference.resume({"--frames", "3"}));
        CHECK(some.code == 0);
        CHECK(some.says("snow.0003.vdb is written"));
        CHECK(frameChecksums(reference.out).size() == frames.size() + 1);
    }
    const Outcome resumed = firnSim(reference.resume());
    INFO(resumed.error);
    CHECK(resumed.code == 0);
    CHECK(resumed.says("that the earlier --frames left out"));
    CHECK(reference.isSame());
    CHECK(firnSim(reference.resume()).says("is complete"));
}

TEST_CASE("A file in the place of a frame that was left out is not replaced")
{
    const ReferenceRun reference;
    REQUIRE(firnSim(reference.resume({"--frames", "2-6x2"})).code == 0);
    const std::string place = reference.out + "/snow.0003.vdb";
    fs::copy_file(reference.out + "/snow.0002.vdb", place);
    const Outcome refused = firnSim(reference.resume());
    CHECK(refused.code == 3);
    CHECK(refused.says("snow.0003.vdb holds frame 2, expected frame 3: the file was copied"));
    CHECK(textOf(place) == textOf(reference.out + "/snow.0002.vdb"));
    fs::remove(place);
    CHECK(firnSim(reference.resume()).code == 0);
    CHECK(reference.isSame());
}

TEST_CASE("A second run into the same folder is refused at once, naming the first")
{
    const ReferenceRun reference;
    Program first(reference.resume());
    REQUIRE(first.waitFor("frame 1/6"));
    first.signal(SIGSTOP);  // it holds the folder while it sleeps
    const Outcome second = firnSim(reference.resume());
    first.signal(SIGCONT);
    CHECK(second.code == 3);
    CHECK(second.says("in use by process " + std::to_string(first.pid())));
    CHECK(second.cpu_s < quick_s);
    CHECK(first.finish().code == 0);
    CHECK(reference.isSame());
}

TEST_CASE("A cache with all its frames is complete, whatever became of its last checkpoint")
{
    const ReferenceRun reference;
    REQUIRE(firnSim(reference.resume({"--checkpoint-every", "3"})).code == 0);
    const fs::path last = fs::path(reference.out) / "checkpoint.0006.firn";
    REQUIRE(fs::exists(last));
    const auto before = fs::last_write_time(fs::path(reference.out) / "snow.0006.vdb");
    SECTION("missing") { fs::remove(last); }
    SECTION("damaged") { fs::resize_file(last, fs::file_size(last) / 2); }
    const Outcome again = firnSim(reference.resume());
    CHECK(again.code == 0);
    CHECK(again.says("is complete"));
    CHECK(fs::last_write_time(fs::path(reference.out) / "snow.0006.vdb") == before);
    CHECK(reference.isSame());
}
