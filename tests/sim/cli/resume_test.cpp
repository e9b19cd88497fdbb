// A simulation is one job: stopped, killed or failing anywhere, running it again continues to the same bits.
#include <signal.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <fstream>
#include <random>
#include <thread>

#include "common/cache/stats.h"
#include "common/io/checked_file.h"
#include "tests/sim/cli/program.h"
#include "tests/sim/cli/shot.h"

namespace fs = std::filesystem;
using namespace firn;

namespace {

/// The shot, and what an undisturbed run makes of it.
struct Reference {
    TemporaryFolder folder;
    std::string shot = writeShot(folder / "ball.toml");
    std::string out = (folder / "out").string();
    std::map<std::string, std::string> frames;
    double seconds = 0;

    Reference()
    {
        const auto start = std::chrono::steady_clock::now();
        const Outcome outcome = firnSim({"run", shot, "--out", (folder / "reference").string(), "--threads", "2"});
        INFO(outcome.error);
        REQUIRE(outcome.code == 0);
        seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        frames = frameChecksums(folder / "reference");
        REQUIRE(frames.size() == lastFrame);
    }

    std::vector<std::string> resume(const std::vector<std::string>& more = {}) const
    {
        std::vector<std::string> arguments{"run", shot, "--out", out, "--resume", "--threads", "2"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    }
    bool isSame() const { return frameChecksums(out) == frames && firnSim({"info", out}).code == 0; }
};

}  // namespace

TEST_CASE("One, two and seven threads give the same bits")
{
    const Reference reference;
    for (const char* threads : {"1", "7"}) {
        const fs::path out = reference.folder / threads;
        REQUIRE(firnSim({"run", reference.shot, "--out", out.string(), "--threads", threads}).code == 0);
        CHECK(frameChecksums(out) == reference.frames);
    }
}

TEST_CASE("Killed at random moments and resumed, a run gives the same bits")
{
    const Reference reference;
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
    const Reference reference;
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
    const Reference reference;
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
    const Reference reference;
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
    const Reference reference;
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
        }
        CHECK(failures > 3);
        CHECK(firnSim(reference.resume()).code == 0);
        CHECK(reference.isSame());
    }
}

TEST_CASE("With a damaged checkpoint the one before is used, with a message, to the same bits")
{
    const Reference reference;
    REQUIRE(firnSim(reference.resume({"--frames", "1-4"})).code == 0);
    fs::resize_file(reference.out + "/checkpoint.0004.firn", 1000);
    const Outcome outcome = firnSim(reference.resume());
    INFO(outcome.error);
    CHECK(outcome.code == 0);
    CHECK(outcome.says("checkpoint.0004.firn is damaged"));
    CHECK(outcome.says("continuing after frame 3"));
    CHECK(reference.isSame());
}

TEST_CASE("Frames that were damaged or removed are restored to the same bits when the run is resumed")
{
    const Reference reference;
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
    const Reference reference;
    REQUIRE(firnSim(reference.resume({"--frames", "1-3"})).code == 0);
    const std::vector<std::string> changed{"--set", "solver.cfl=0.2", "--force"};
    REQUIRE(firnSim(reference.resume(changed)).code == 0);
    fs::resize_file(reference.out + "/snow.0002.vdb", 1000);
    const Outcome outcome = firnSim(reference.resume(changed));
    INFO(outcome.error);
    CHECK(outcome.code == 3);
    CHECK(outcome.says("snow.0002.vdb: checksum"));
    CHECK(outcome.says("of another scene"));
    CHECK(firnSim({"info", reference.out}).output.find("2 different scenes") != std::string::npos);
    CHECK(fs::file_size(reference.out + "/snow.0002.vdb") == 1000);
}

TEST_CASE("Without a readable checkpoint frames are not thrown away unasked")
{
    const Reference reference;
    REQUIRE(firnSim(reference.resume({"--frames", "1-2"})).code == 0);
    for (const char* name : {"checkpoint.0001.firn", "checkpoint.0002.firn"}) {
        fs::resize_file(fs::path(reference.out) / name, 10);
    }
    const Outcome refused = firnSim(reference.resume());
    CHECK(refused.code == 3);
    CHECK(refused.says("--force without --resume"));
    CHECK(firnSim(reference.resume({"--force"})).code == 3);
    CHECK(firnSim({"run", reference.shot, "--out", reference.out, "--force"}).code == 0);
    CHECK(reference.isSame());
}

TEST_CASE("A cache with all its frames is complete without checkpoints, and its damaged frames are restored")
{
    const Reference reference;
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
    CHECK(other.code == 3);
    CHECK(other.says("no checkpoint can be read"));
    CHECK(reference.isSame());
}

TEST_CASE("Without statistics, or without a line of them, frames are not thrown away unasked")
{
    const Reference reference;
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
        CHECK(refused.says("holds frames 1-4 that cannot be continued, because stats.jsonl has no line of frame " +
                           std::string(kept.empty() ? "1" : "2")));
        CHECK(fs::exists(reference.out + "/snow.0004.vdb"));
        CHECK(firnSim(reference.resume({"--force"})).code == 3);
        CHECK(firnSim({"run", reference.shot, "--out", reference.out, "--force"}).code == 0);
        CHECK(reference.isSame());
    }
}

TEST_CASE("Frames after the last undamaged checkpoint stay where the frames that are asked for are there")
{
    const Reference reference;
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
    const Reference reference;
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

TEST_CASE("A scene that cannot be simulated costs no old cache, also with --force")
{
    const Reference reference;
    REQUIRE(firnSim(reference.resume()).code == 0);
    for (const char* setting : {"solver.dx=50", "body.ground.position=[0,9,0]", "snow.ball.radius_m=9e5"}) {
        const Outcome refused = firnSim({"run", reference.shot, "--out", reference.out, "--force", "--set", setting});
        INFO(setting << ": " << refused.error);
        CHECK(refused.code == 2);
        CHECK(reference.isSame());
        CHECK(firnSim(reference.resume()).says("complete"));
    }
}

TEST_CASE("An existing cache is refused, resumed or replaced as the user says")
{
    const Reference reference;
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

TEST_CASE("A scene that changed is not resumed without --force, and each difference is named")
{
    const Reference reference;
    REQUIRE(firnSim(reference.resume({"--frames", "1-3"})).code == 0);
    const std::vector<std::string> changed{
        "--set", "solver.gravity=[0.0, -5.0, 0.0]", "--set", "solver.cfl=0.2", "--set", "snow.ball.seed=2"};
    const Outcome refused = firnSim(reference.resume(changed));
    CHECK(refused.code == 2);
    CHECK(refused.says("solver.gravity: "));
    CHECK(refused.says("snow.ball.seed: 1 in the cache, 2 now"));
    CHECK(refused.says("solver.cfl: 0.3 in the cache, 0.2 now"));
    CHECK(refused.cpu_s < 1);
    std::vector<std::string> forced = changed;
    forced.emplace_back("--force");
    CHECK(firnSim(reference.resume(forced)).code == 0);
    CHECK(frameChecksums(reference.out).at("snow.0003.vdb") == reference.frames.at("snow.0003.vdb"));
    CHECK(frameChecksums(reference.out).at("snow.0006.vdb") != reference.frames.at("snow.0006.vdb"));
}

TEST_CASE("What does not change the simulation does not keep it from being resumed")
{
    const Reference reference;
    REQUIRE(firnSim(reference.resume({"--frames", "1-3"})).code == 0);
    CHECK(firnSim(reference.resume({"--set", "render.spp=7", "--threads", "1"})).code == 2);  // --threads twice
    CHECK(firnSim(reference.resume({"--set", "render.spp=7"})).code == 0);
    CHECK(reference.isSame());
}

TEST_CASE("Frames left out are simulated but not written, and cannot be asked for later")
{
    const Reference reference;
    REQUIRE(firnSim(reference.resume({"--frames", "2-6x2"})).code == 0);
    const auto frames = frameChecksums(reference.out);
    CHECK(frames.size() == 3);
    for (const auto& [name, sum] : frames) CHECK(reference.frames.at(name) == sum);
    const Outcome refused = firnSim(reference.resume());
    CHECK(refused.code == 2);
    CHECK(refused.says("frame 1 was simulated"));
}

TEST_CASE("A second run into the same folder is refused at once, naming the first")
{
    const Reference reference;
    Program first(reference.resume());
    REQUIRE(first.waitFor("frame 1/6"));
    first.signal(SIGSTOP);  // it holds the folder while it sleeps
    const Outcome second = firnSim(reference.resume());
    first.signal(SIGCONT);
    CHECK(second.code == 3);
    CHECK(second.says("in use by process " + std::to_string(first.pid())));
    CHECK(second.cpu_s < 1);
    CHECK(first.finish().code == 0);
    CHECK(reference.isSame());
}
