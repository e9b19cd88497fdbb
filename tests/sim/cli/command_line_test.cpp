// What users see when something is wrong: the exit code, and a message that names it.
#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "common/cache/stats.h"
#include "common/io/checked_file.h"
#include "tests/sim/cli/program.h"
#include "tests/sim/cli/shot.h"

namespace fs = std::filesystem;
using namespace firn;

TEST_CASE("Errors in the arguments and the scene exit with 2 and name what is wrong")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml");
    const std::string out = (folder / "out").string();
    refused({"run", shot, "--out", out, "--set", "solver.dxx=0.02"}, 2, {"solver.dxx", "dx"});
    refused({"run", shot, "--out", out, "--set", "solver.dx=\"fine\""}, 2, {"solver.dx"});
    refused({"run", shot, "--out", out, "--frames", "1-7"}, 2, {"--frames 1-7", "1-6"});
    refused({"run", shot, "--out", out, "--frames", "0-3"}, 2, {"1-6"});
    refused({"run", shot, "--out", out, "--frames", "3-1"}, 2, {"3-1"});
    refused({"run", shot, "--out", out, "--frames", "all"}, 2, {"'all'"});
    refused({"run", shot, "--out", out, "--threads", "0"}, 2, {"--threads"});
    refused({"run", shot, "--out", out, "--progress", "loud"}, 2, {"'loud'", "plain"});
    refused({"run", shot, "--out", out, "--fast"}, 2, {"--fast"});
    refused({"run", shot, "--out", out, "--log-file", out + "/stats.jsonl"}, 2,
            {"--log-file", "expected a name such as run.log"});
    refused({"run", shot}, 2, {"--out"});
    refused({"run", "--out", out}, 2, {"SHOT"});
    refused({"melt"}, 2, {"firn-sim: unknown command 'melt'; known names are 'run', "});
    refused({"chek", shot}, 2, {"firn-sim: unknown command 'chek'; did you mean 'check'?\n"});
    refused({}, 2, {"firn-sim: give one of these commands:\n", "  wedge: Simulate variations", "firn-sim --help"});
    std::ofstream(folder / "bad.toml") << "version = 1\nspeed = 3\n";
    refused({"run", (folder / "bad.toml").string(), "--out", out}, 2, {"bad.toml:2", "speed"});
    CHECK_FALSE(fs::exists(out));  // nothing is made for a run that cannot start
}

TEST_CASE("Errors in options say in plain words what is wrong")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml"), out = (folder / "out").string();
    const auto refusedWith = [](const std::vector<std::string>& arguments, const std::string& message) {
        const Outcome outcome = firnSim(arguments);
        CHECK(outcome.error == "firn-sim: " + message + "\n");
        CHECK(outcome.code == 2);
        CHECK(outcome.output.empty());
    };
    refusedWith({"run", shot, "--out", out, "--threads", "abc"},
                "--threads is 'abc', expected a whole number from 1 to 4096");
    refusedWith({"run", shot, "--out", out, "--threads=2.5"},
                "--threads is '2.5', expected a whole number from 1 to 4096");
    refusedWith({"run", shot, "--out", out, "--threads", "-1"},
                "--threads is '-1', expected a whole number from 1 to 4096");
    refusedWith({"run", shot, "--threads", "1", "--threads", "2"}, "--threads is given more than once");
    refusedWith({"run", shot, "--out"}, "--out: the value is missing");
    refusedWith({"run", shot, "--out", "--resume"},
                "--out: the value is missing, '--resume' looks like an option; if it is a file, write ./--resume");
    refusedWith({"run", shot, "--out", out, "--frames", ""}, "--frames: the value is empty");
    refusedWith({"run", shot, "--set", "solver.dx=0.1", "name=x"}, "unexpected argument 'name=x'");
    refusedWith({"run", "--out", out}, "SHOT is required");
    refusedWith({"run", shot, "--out", out, "--log-level", "bad"},
                "--log-level is 'bad', expected debug, info, warning, error or off");
    refusedWith({"run", shot, "--out", out, "--resum"}, "unknown option '--resum'; did you mean '--resume'?");
    refusedWith({"run", "--ot=" + out}, "unknown option '--ot'; did you mean '--out'?");
    for (const std::string& option : {std::string("--out"), "--out=" + out}) {
        refusedWith({option, out, "run", shot},
                    "options of a command stand after its name: firn-sim COMMAND … --out …");
    }
    refusedWith({"--versoin"}, "unknown option '--versoin'; did you mean '--version'?");
    refusedWith({"run", shot, "again"}, "unexpected argument 'again'");
    refusedWith({"report", "a", "b", "c"}, "DIR: at most 2 values are possible");
    refusedWith({"wedge", shot, "--list", "--count"}, "give at most one of --list and --count");
}

TEST_CASE("An option that may be repeated takes one value, so the scene may follow it")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml");
    const Outcome outcome = firnSim({"check", "--set", "solver.dx=0.03", "--set", "fps=12", shot});
    INFO(outcome.error);
    CHECK(outcome.code == 0);
    CHECK(outcome.output.find("at 12 fps") != std::string::npos);
    CHECK(outcome.output.find("at dx 0.03 m") != std::string::npos);
}

TEST_CASE("A command whose output is lost exits with 3")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml");
    CHECK(std::system(
              (std::string(FIRN_SIM) + " run " + shot + " --dump-config > /dev/full 2> " + (folder / "said").string())
                  .c_str()) == 3 << 8);
    CHECK(textOf(folder / "said") == "firn-sim: cannot write to standard output: No space left on device\n");
}

TEST_CASE("A command whose output nobody reads ends with 3 and says nothing")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml"), code = (folder / "code").string();
    const std::string command = "{ sleep .3; " + std::string(FIRN_SIM) + " run " + shot + " --dump-config 2> " +
                                (folder / "said").string() + "; echo $? > " + code + "; } | true; sleep 1";
    REQUIRE(std::system(command.c_str()) == 0);
    CHECK(textOf(code) == "3\n");
    CHECK(textOf(folder / "said").empty());
}

TEST_CASE("A scene without a particle is refused")
{
    TemporaryFolder folder;
    std::string text = ballShot();
    text.replace(text.find("0.06"), 4, "1e-4");
    const std::string shot = writeShot(folder / "tiny.toml", text);
    refused({"run", shot, "--out", (folder / "out").string()}, 2, {"tiny.toml"});
    refused({"check", shot}, 2, {"tiny.toml"});
}

TEST_CASE("A scene that no memory can hold is refused before any particle is made, and forecast all the same")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml");
    // 4/3 pi (6 cm)^3 / dx^3 * 8 particles of 220 bytes: 725 GB at dx = 0.13 mm.
    refused({"run", shot, "--out", (folder / "out").string(), "--set", "solver.dx=1.3e-4"}, 2,
            {"ball.toml", " TB of memory for 3.3e+09 particles"});
    const Outcome check = firnSim({"check", shot, "--set", "solver.dx=1.3e-4"});
    CHECK(check.code == 0);
    CHECK(check.output.find("not measured") != std::string::npos);
    CHECK(check.says("warning: this machine cannot run the shot. "));
    CHECK(check.says("(lengths are in metres)"));
}

TEST_CASE("A region given in other units than metres is named before it takes all memory")
{
    TemporaryFolder folder;
    std::string text = ballShot();
    text.replace(text.find("shape = \"sphere\""), text.find("velocity") - text.find("shape = \"sphere\""),
                 "shape = \"box\"\nmin = [0, 0, 0]\nmax = [1000, 100, 1000]\n");
    const std::string shot = writeShot(folder / "huge.toml", text), out = (folder / "out").string();
    // 1000 * 100 * 1000 m^3 / (2 cm)^3 * 8 particles, of 220 bytes each. No run can have more than 2^32.
    const std::vector<std::string> messages{"huge.toml",
                                            "32 PB of memory for 1e+14 particles (no run can have more than 4.3e+09)",
                                            "and this machine has", "solver.dx", "'ball' measures 1000 x 100 x 1000 m"};
    refused({"run", shot, "--out", out}, 2, messages);
    refused({"check", shot}, 2, messages);
}

TEST_CASE("Files that cannot be read or written exit with 3, before any computing")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml");
    refused({"run", (folder / "none.toml").string(), "--out", (folder / "out").string()}, 3, {"none.toml"});
    refused({"run", shot, "--out", shot + "/below"}, 3, {"below", "Not a directory"});
    refused({"run", shot, "--out", "/proc/firn"}, 3, {"/proc/firn"});
    refused({"info", (folder / "none").string()}, 3, {"no such file"});
    refused({"info", folder.path.string()}, 3, {"stats.jsonl"});
    refused({"info", shot}, 3, {"ball.toml"});
}

TEST_CASE("Help starts with examples, on stdout")
{
    const Outcome help = firnSim({"--help"});
    CHECK(help.code == 0);
    CHECK(help.output.find("Examples:") < help.output.find("Usage:"));
    const std::string report = firnSim({"report", "--help"}).output, run = firnSim({"run", "--help"}).output;
    CHECK(report.find("DIR [DIR2]\n") != std::string::npos);
    CHECK(run.find("default: DIR/firn-sim.log") != std::string::npos);
    CHECK(run.find("draft,preview,final") != std::string::npos);
    for (const std::string& text : {run, report}) CHECK(text.find("\nExit codes: ") != std::string::npos);
    CHECK(run.find("\nCtrl-C (signal INT)") != std::string::npos);
    CHECK(report.find("Ctrl-C") == std::string::npos);
    CHECK(firnSim({"--version"}).output.starts_with("firn-sim " FIRN_VERSION " ("));
}

TEST_CASE("check forecasts a shot and writes nothing")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml");
    const Outcome table = firnSim({"check", shot});
    INFO(table.error);
    REQUIRE(table.code == 0);
    for (const char* word :
         {"particles", "grid", "blocks of 8×8×8 nodes", "memory", "disk", "substeps", "time", "Halving dx"}) {
        CHECK(table.output.find(word) != std::string::npos);
    }
    CHECK(table.output.find("while bodies pack the snow") != std::string::npos);
    const Outcome json = firnSim({"check", shot, "--json"});
    CHECK(json.output.find("\"packed_substeps_per_frame\"") != std::string::npos);
    CHECK(json.output.find("\"particles\"") != std::string::npos);
    // Frames before those that are written are simulated, too; only frames that are written need disk.
    const auto forecast = [&](const std::string& frames) {
        return nlohmann::json::parse(firnSim({"check", shot, "--json", "--frames", frames}).output);
    };
    const auto all = forecast("1-6"), some = forecast("2-4x2"), one = forecast("1-1");
    CHECK(all.at("frames") == 6);
    CHECK(some.at("frames") == 2);
    const auto& region = all.at("regions").at(0);
    CHECK(all.at("regions").size() == 1);
    CHECK(region.at("particles") == all.at("particles"));
    CHECK(region.at("mass_kg").get<double>() > 0);
    CHECK(region.at("min_m").at(1).get<double>() < region.at("max_m").at(1).get<double>());
    CHECK(table.output.find("  snow         'ball' (") != std::string::npos);
    const double allFrames = all.at("disk_bytes").get<double>() - some.at("disk_bytes").get<double>();
    CHECK(allFrames == Approx(4 * all.at("frame_bytes").get<double>()));
    CHECK(some.at("seconds").get<double>() > 0);
    CHECK(one.at("seconds").get<double>() == 0);  // the start is no work
    CHECK(firnSim({"check", shot, "--frames", "2-4x2"}).output.find("  frames       2,4 at 100 fps") !=
          std::string::npos);
    CHECK(firnSim({"check", shot, "--frames", "1-7"})
              .says("--frames 1-7: the scene has the frames 1-6. For a longer shot, change 'frames' "
                    "in the scene or add --set frames=1-7"));
    CHECK(folder.entries() == 1);
}

TEST_CASE("check tells of a moving body that never comes near snow")
{
    const TemporaryFolder folder;
    const std::string shot =
        writeShot(folder / "far.toml", ballShot() +
                                           "\n[[body]]\nname = \"truck\"\nshape = \"box\"\nposition = [50.0, "
                                           "0.5, 0.0]\nvelocity = [0.0, 0.0, 1.0]\n");
    CHECK(firnSim({"check", shot})
              .says("warning: body 'truck' never comes near snow: during the shot it is between (49.5"));
    CHECK_FALSE(firnSim({"check", shot, "--set", "body.truck.position=[0.5, 0.5, 0.0]"}).says("never comes near"));
    CHECK_FALSE(firnSim({"check", shot, "--set", "body.truck.velocity=[0, 0, 0]"}).says("never comes near"));
    std::ofstream(shot, std::ios::app)
        << "[[body]]\nparent = \"truck\"\nshape = \"sphere\"\nposition = [-50.0, 0.0, 0.0]\n";
    CHECK_FALSE(firnSim({"check", shot}).says("never comes near"));
}

TEST_CASE("--dump-config prints the resolved scene, which simulates the same")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml");
    const Outcome dump = firnSim({"run", shot, "--dump-config", "--set", "solver.cfl=0.2"});
    REQUIRE(dump.code == 0);
    CHECK(dump.output.find("--set") != std::string::npos);
    const std::string again = writeShot(folder / "again.toml", dump.output);
    REQUIRE(firnSim({"run", shot, "--out", (folder / "a").string(), "--set", "solver.cfl=0.2"}).code == 0);
    REQUIRE(firnSim({"run", again, "--out", (folder / "b").string()}).code == 0);
    CHECK(frameChecksums(folder / "a") == frameChecksums(folder / "b"));
}

TEST_CASE("A finished cache has every frame, a line for each, two checkpoints, scene and USD layer, and is whole")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml"), out = (folder / "out").string();
    const Outcome outcome = firnSim({"run", shot, "--out", out});
    INFO(outcome.error);
    REQUIRE(outcome.code == 0);
    CHECK(outcome.output.empty());
    CHECK(outcome.says("snow.####.vdb"));
    const StatsFile stats(fs::path(out) / "stats.jsonl");
    REQUIRE(stats.lines().size() == lastFrame);
    for (const StatsLine& line : stats.lines()) {
        for (const char* field : {"time_s", "substeps", "dt_min_s", "dt_max_s", "dt_limit", "particles", "leaves",
                                  "cr_iterations", "cr_failures", "rollbacks", "seconds", "particle_steps_per_s",
                                  "peak_rss_bytes", "mass_kg", "momentum", "max_speed_m_s", "files"}) {
            INFO(field);
            CHECK(line.text.find("\"" + std::string(field) + "\":") != std::string::npos);
        }
        REQUIRE(line.files.size() == 1);
        const auto sums = frameChecksums(out);
        CHECK(sums.at(line.files[0].path.string()) == line.files[0].checksum);
    }
    for (const char* name : {"checkpoint.0005.firn", "checkpoint.0006.firn", "resolved.scene", "snow.usda"}) {
        CHECK(fs::exists(fs::path(out) / name));
    }
    CHECK_FALSE(fs::exists(fs::path(out) / "checkpoint.0004.firn"));
    const Outcome info = firnSim({"info", out});
    CHECK(info.code == 0);
    CHECK(info.output.find("frames 1-6") != std::string::npos);
    CHECK(info.output.find("no file is damaged; all frames are there") != std::string::npos);
}

TEST_CASE("Progress goes to stderr in the form asked for, and a log that is full does not stop the run")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml");
    const auto run = [&](const std::string& mode) {
        return firnSim({"run", shot, "--out", (folder / mode).string(), "--progress", mode, "--frames", "1-2"});
    };
    CHECK(run("alf").says("ALF_PROGRESS 100%"));
    CHECK(run("json").says("\"particle_steps_per_s\":"));
    CHECK(run("plain").says("frame 2/2"));
    CHECK_FALSE(run("none").says("frame 2/2"));
    const std::string command =
        std::string(FIRN_SIM) + " run " + shot + " --frames 1-2 --out " + (folder / "full").string() + " 2>/dev/full";
    CHECK(std::system(command.c_str()) == 0);
}

TEST_CASE("A run leaves a log in the folder of its cache, with the command, its frames and how it ended")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml"), out = (folder / "out").string();
    const auto run = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {"run", shot, "--out", out, "--frames", "1-2", "--progress", "none"});
        return firnSim(more);
    };
    const auto textOf = [](const fs::path& path) {
        const std::vector<std::byte> bytes = readFile(path);
        return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    };
    REQUIRE(run({}).code == 0);
    const std::string first = textOf(out + "/firn-sim.log");
    for (const char* part : {"firn-sim " FIRN_VERSION " (", "): run ", "frame 2/2", "exit code 0"}) {
        INFO(part);
        CHECK(first.find(part) != std::string::npos);
    }
    CHECK(first.find("substep ") == std::string::npos);  // of the level debug
    // A second run appends, here an error.
    CHECK(run({"--log-level", "debug"}).code == 2);
    CHECK(textOf(out + "/firn-sim.log").starts_with(first));
    CHECK(textOf(out + "/firn-sim.log").find("already holds") != std::string::npos);
    CHECK(run({"--force", "--log-level", "debug"}).code == 0);
    CHECK(textOf(out + "/firn-sim.log").find("substep ") != std::string::npos);
    // Another place, and none.
    fs::remove(out + "/firn-sim.log");
    CHECK(run({"--force", "--log-file", (folder / "night.log").string()}).code == 0);
    CHECK(textOf(folder / "night.log").find("frame 2/2") != std::string::npos);
    CHECK(run({"--force", "--log-level", "off"}).code == 0);
    CHECK_FALSE(fs::exists(out + "/firn-sim.log"));
    refused({"check", shot, "--log-level", "loud"}, 2, {"--log-level", "debug"});
}

TEST_CASE("run --force tells which frames it removes")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml"), out = (folder / "out").string();
    const auto run = [&](const std::string& frames) {
        return firnSim({"run", shot, "--out", out, "--force", "--frames", frames});
    };
    CHECK_THAT(run("1-2").error, !Catch::Contains("--force replaces"));
    CHECK_THAT(run("2").error, Catch::Contains("--force replaces the cache in " + out +
                                               ": frames 1-2 are removed when the new simulation has its first frame"));
    CHECK_THAT(run("1").error, Catch::Contains(": frame 2 is removed when"));
}

TEST_CASE("A log that cannot be written does not stop the run, and is mentioned once")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml"), out = (folder / "out").string();
    fs::create_directory(out);
    std::ofstream(out + "/firn-sim.log") << "notes of somebody\n";
    for (const std::vector<std::string>& place :
         std::vector<std::vector<std::string>>{{}, {"--log-file", "/dev/full"}, {"--log-file", "/proc/firn/log"}}) {
        std::vector<std::string> arguments{"run", shot, "--out", out, "--frames", "1-2", "--force"};
        arguments.insert(arguments.end(), place.begin(), place.end());
        const Outcome outcome = firnSim(arguments);
        INFO(outcome.error);
        CHECK(outcome.code == 0);
        const std::size_t mention = outcome.error.find("cannot write the log");
        REQUIRE(mention != std::string::npos);
        CHECK(outcome.error.find("cannot write the log", mention + 1) == std::string::npos);
        CHECK(frameChecksums(out).size() == 2);
    }
    CHECK(fs::file_size(out + "/firn-sim.log") == 18);
}

TEST_CASE("check warns of a body that comes down to the ground through snow, and not of one that slides along it")
{
    TemporaryFolder folder;
    const auto remarks = [&](const std::string& keys) {
        const std::string shot = writeShot(folder / "press.toml", R"(version = 1
frames = "1-6"
fps = 24
[[snow]]
shape = "box"
min = [-0.3, 0, -0.3]
max = [0.3, 0.1, 0.3]
[[body]]
name = "ground"
shape = "plane"
[[body]]
name = "board"
shape = "box"
size = [0.2, 0.1, 0.2]
)" + keys + "[solver]\ndx = 0.04\n");
        return firnSim({"check", shot}).error;
    };
    const auto key = [](double time_s, double x, double y) {
        return "[[body.key]]\ntime_s = " + std::to_string(time_s) + "\nposition = [" + std::to_string(x) + ", " +
               std::to_string(y) + ", 0]\n";
    };
    // The board is 5 cm thick below its position.
    CHECK_THAT(remarks(key(0, 0, 0.3) + key(0.2, 0, 0.06)),
               Catch::Contains("body 'board' comes within 1 cm of the body 'ground', less than half a cell"));
    CHECK_THAT(remarks(key(0, 0, 0.3) + key(0.2, 0, 0.09)),
               Catch::Contains("comes within 4 cm of the body 'ground', less than two cells") &&
                   Catch::Contains("may be thrown out"));
    CHECK_THAT(remarks(key(0, 0, 0.3) + key(0.2, 0, 0.11)), Catch::Contains("comes within 6 cm of the body 'ground'"));
    CHECK_THAT(remarks(key(0, 0, 0.3) + key(0.2, 0, 0.05)), Catch::Contains("body 'board' touches the body 'ground'"));
    CHECK_THAT(remarks(key(0, 0, 0.3) + key(0.2, 0, -0.6)), Catch::Contains("Are its position and up_axis right?"));
    CHECK_THAT(remarks(key(0, 0, 0.3) + key(0.2, 0, 0.04)),
               Catch::Contains("body 'board' is up to 1 cm inside the body 'ground'"));
    CHECK_THAT(remarks(key(0, 0, 0.3) + key(0.2, 0, 0.14)), !Catch::Contains("Snow be"));
    CHECK_THAT(remarks(key(0, -2, 0.04) + key(0.2, 0, 0.04)), !Catch::Contains("Snow be"));
    CHECK_THAT(remarks(key(0, 0, 1) + key(0.1, 0, 61)),
               Catch::Contains("body 'board' moves with up to 600 m/s, which takes many substeps. Are its keys, its "
                               "files and its scale right?"));
    // Much shorter than a frame.
    CHECK_THAT(remarks(key(0.1, 0, 0.3) + key(0.102, 0.9, 0.3)), Catch::Contains("moves with up to 450 m/s"));
}
