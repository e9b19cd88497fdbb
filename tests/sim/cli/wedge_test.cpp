// A wedge as users and farms run it: what is simulated, into which folders, and what is refused before anything is.
#include <catch2/catch.hpp>
#include <fstream>

#include "common/cache/lock.h"
#include "common/cache/wedge.h"
#include "common/error.h"
#include "common/io/checked_file.h"
#include "sim/cli/wedge_takes.h"
#include "tests/sim/cli/program.h"
#include "tests/sim/cli/shot.h"

namespace fs = std::filesystem;
using namespace firn;

namespace {

std::vector<std::string> namesOf(const std::vector<Take>& takes)
{
    std::vector<std::string> names;
    names.reserve(takes.size());
    for (const Take& take : takes) names.push_back(take.name);
    return names;
}

/// A wedge of solver.dx that writes frame 1.
Outcome wedgeOf(const std::string& shot, const std::string& out, const std::string& values)
{
    return firnSim({"wedge", shot, "--vary", "solver.dx=" + values, "--out", out, "--frames", "1"});
}

constexpr const char* twoTakes = R"([[take]]
name = "light"
"snow.ball.material.density_kg_m3" = 100
[[take]]
name = "heavy"
"snow.ball.material.density_kg_m3" = 500
"solver.gravity" = [0, -20, 0]
)";

}  // namespace

TEST_CASE("Every combination of the values, the last key varying fastest, each with its own name")
{
    const auto takes = combinations({"solver.dx=0.04,0.02", "snow.0.preset=wet,\"powder\""});
    CHECK(namesOf(takes) == std::vector<std::string>{"dx-0.04_preset-wet", "dx-0.04_preset-powder",
                                                     "dx-0.02_preset-wet", "dx-0.02_preset-powder"});
    CHECK(takes[2].set == std::vector<std::string>{"solver.dx=0.02", "snow.0.preset=wet"});
    // Arrays are one value; where the last words are the same, names take whole keys; the same name twice gets a
    // number.
    CHECK(namesOf(combinations({"snow.0.velocity=[0, 1, 0],[0,1,0]"})) ==
          std::vector<std::string>{"velocity-0-1-0", "velocity-0-1-0_2"});
    CHECK(combinations({"snow.0.seed=1", "snow.1.seed=2"})[0].name == "snow.0.seed-1_snow.1.seed-2");
}

TEST_CASE("No value can name a folder elsewhere")
{
    for (const char* value : {"../../x", "/etc", "\"a/b\"", "..", "", "a\nb", "\"<b>\"", "\xff\xfe", "-rf"}) {
        try {
            for (const Take& take : combinations({"snow.0.preset=" + std::string(value)})) {
                INFO(value << " -> " << take.name);
                CHECK(isTakeName(take.name));
            }
        } catch (const Error& error) {
            CHECK(error.code() == ExitCode::Usage);
        }
    }
    CHECK(isTakeName(combinations({"solver.dx=" + std::string(500, '1')})[0].name));
    for (const char* name : {"", ".", "..", ".x", "a/b", "-x", "a b", "a\nb"}) CHECK_FALSE(isTakeName(name));
}

TEST_CASE("The takes of a scene, its cache folders, and a second run that finds them finished")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml", ballShot() + twoTakes);
    const fs::path out = folder / "out";
    const std::vector<std::string> command{"wedge", shot, "--out", out.string(), "--frames", "1-2"};
    const Outcome outcome = firnSim(command);
    INFO(outcome.error);
    REQUIRE(outcome.code == 0);
    const auto wedge = readWedge(out);
    REQUIRE(wedge);
    CHECK(namesOf(wedge->takes) == std::vector<std::string>{"light", "heavy"});
    CHECK(wedge->takes[1].set.size() == 2);
    // A take is what `run` with its settings simulates.
    REQUIRE(firnSim({"run", shot, "--out", (folder / "alone").string(), "--frames", "1-2", "--set",
                     "snow.ball.material.density_kg_m3=500", "--set", "solver.gravity=[0,-20,0]"})
                .code == 0);
    CHECK(frameChecksums(out / "heavy") == frameChecksums(folder / "alone"));
    CHECK(frameChecksums(out / "light") != frameChecksums(out / "heavy"));

    fs::remove_all(out / "heavy");
    const Outcome again = firnSim(command);
    CHECK(again.code == 0);
    CHECK(again.says("light is complete"));
    CHECK(frameChecksums(out / "heavy") == frameChecksums(folder / "alone"));
}

TEST_CASE("A job array simulates one take per job")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml");
    const std::string out = (folder / "out").string();
    const std::vector<std::string> command{"wedge", shot, "--vary",   "solver.dx=0.02,0.03",
                                           "--out", out,  "--frames", "1"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), command.begin(), command.end());
        return firnSim(more);
    };
    CHECK(with({"--count"}).output == "2\n");
    CHECK(with({"--list"}).output == "1  dx-0.02  solver.dx=0.02\n2  dx-0.03  solver.dx=0.03\n");
    CHECK_FALSE(with({"--list"}).says("warning"));
    CHECK(
        firnSim({"wedge", shot, "--vary", "render.spp=4,8", "--list"})
            .says("firn-sim: warning: takes 'spp-4' and 'spp-8' simulate the same snow: their settings differ only in "
                  "keys that firn-render reads"));
    CHECK_FALSE(fs::exists(out));
    REQUIRE(with({"--index", "2"}).code == 0);
    CHECK_FALSE(fs::exists(fs::path(out) / "dx-0.02"));
    CHECK(fs::exists(fs::path(out) / "dx-0.03" / "snow.0001.vdb"));
    CHECK(with({"--index", "3"}).code == 2);
}

TEST_CASE("Whatever is wrong with any take is told before the first is simulated")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml");
    const std::string out = (folder / "out").string();
    for (const auto& [vary, message] : std::vector<std::pair<std::string, std::string>>{
             {"solver.dx=0.02,-1", "take 'dx--1'"},
             {"solver.dxx=1", "did you mean 'dx'"},
             {"solver.dx=0.02,fast", "take 'dx-fast': the take's setting solver.dx=fast"},
             {"solver.dx=0.02,fast", "'solver.dx' is the text 'fast', expected a number"},
             {"solver.dx=0.02,,0.03", "a value is missing"},
             {"solver.dx", "expected key=value"},
             {"frames=\"1-6\",\"3-6\"", "--frames 1-2"}}) {
        const Outcome outcome = firnSim({"wedge", shot, "--vary", vary, "--out", out, "--frames", "1-2"});
        INFO(outcome.error);
        CHECK(outcome.code == 2);
        CHECK(outcome.says(message));
        CHECK_FALSE(outcome.says("--set solver"));
    }
    CHECK(firnSim({"wedge", shot, "--out", out}).says("[[take]]"));
    CHECK(firnSim({"wedge", shot, "--vary", "solver.dx=0.02"}).says("--out"));
    const Outcome set =
        firnSim({"wedge", shot, "--vary", "solver.dx=0.02,0.03", "--out", out, "--set", "solver.dx=0.04"});
    CHECK(set.code == 2);
    CHECK(set.says("--set solver.dx=0.04: take 'dx-0.02' sets solver.dx too"));
    const Outcome names =
        firnSim({"wedge", shot, "--vary", "snow.0.preset=wet,icy", "--out", out, "--set", "snow.ball.preset=powder"});
    CHECK(names.code == 2);
    CHECK(names.says("--set snow.ball.preset=powder: take 'preset-wet' sets snow.ball.preset too"));
    const Outcome twice =
        firnSim({"wedge", shot, "--vary", "snow.0.preset=wet", "--vary", "snow.ball.preset=icy,powder", "--out", out});
    CHECK(twice.code == 2);
    CHECK(twice.says("sets one key twice: snow.0.preset=wet and snow.ball.preset=icy"));
    CHECK_FALSE(fs::exists(out));
    fs::create_directory(out);
    std::ofstream(fs::path(out) / "render_stats.jsonl") << "{}\n";
    const Outcome pictures = firnSim({"wedge", shot, "--vary", "solver.dx=0.02,0.03", "--out", out});
    CHECK(pictures.code == 2);
    CHECK(pictures.says("holds pictures"));
    fs::remove(fs::path(out) / "render_stats.jsonl");
    const fs::path second = fs::path(out) / "dx-0.03";
    fs::create_symlink("moved", second);
    const auto vary = [&] {
        return firnSim({"wedge", shot, "--vary", "solver.dx=0.02,0.03", "--out", out, "--frames", "1"});
    };
    const Outcome link = vary();
    CHECK(link.code == 3);
    CHECK(link.says(second.string() + " is a link to moved"));
    fs::remove(second);
    std::ofstream(second) << "in the way";
    const Outcome file = vary();
    CHECK(file.code == 3);
    CHECK(file.says(second.string() + " is a file; expected a folder for the take"));
    fs::remove(second);
    fs::create_symlink("gone.json", fs::path(out) / "wedge.json");
    const Outcome list = vary();
    CHECK(list.code == 3);
    CHECK(list.says("wedge.json is a link to gone.json, which does not exist"));
    CHECK(firnSim({"info", out}).says("wedge.json is a link to gone.json, which does not exist"));
    fs::remove(fs::path(out) / "wedge.json");
    fs::create_directory(second);
    std::ofstream(second / "render_stats.jsonl") << "{}\n";
    const Outcome takes = vary();
    CHECK(takes.code == 2);
    CHECK(takes.says(second.string() + " holds pictures: choose another --out"));
    CHECK_FALSE(fs::exists(fs::path(out) / "dx-0.02"));
}

TEST_CASE("Another wedge does not mix with the one in the folder")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml");
    const std::string out = (folder / "out").string();
    REQUIRE(wedgeOf(shot, out, "0.03").code == 0);
    const Outcome other = wedgeOf(shot, out, "0.02");
    CHECK(other.code == 2);
    CHECK(other.says("another wedge"));
    CHECK_FALSE(fs::exists(fs::path(out) / "dx-0.02"));
}

TEST_CASE("A wedge into the folder of a cache is refused, also with --force")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml"), out = (folder / "out").string();
    REQUIRE(firnSim({"run", shot, "--out", out, "--frames", "1"}).code == 0);
    const Outcome outcome = firnSim({"wedge", shot, "--vary", "fps=24", "--out", out, "--force"});
    CHECK(outcome.code == 2);
    CHECK(
        outcome.says(out + " holds a cache. A wedge and a single cache cannot be in one folder: choose another --out"));
    CHECK_FALSE(fs::exists(fs::path(out) / "wedge.json"));
    // A list that was copied into the cache is named by all commands.
    writeWedge(out, {"", {}, {{"one", {}}}});
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"wedge", shot, "--vary", "fps=24", "--out", out},
          {"run", shot, "--out", out},
          {"info", out},
          {"report", out, "--out", (folder / "page.html").string()}})
        refused(command, 2, {"holds a single cache and a wedge.json", "move wedge.json away"});
    fs::remove(fs::path(out) / "wedge.json");
    CHECK(firnSim({"run", shot, "--out", out, "--frames", "1", "--resume"}).code == 0);
}

TEST_CASE("Takes that simulate the same snow are told, and whether their settings differ")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml");
    const auto with = [&](const std::string& vary) { return firnSim({"wedge", shot, "--vary", vary, "--list"}); };
    CHECK(with("solver.dx=0.03,0.030").says("their settings are the same"));
    CHECK(with("render.spp=1,2").says("their settings differ only in keys that firn-render reads"));
    CHECK_FALSE(with("solver.dx=0.03,0.02").says("simulate the same snow"));
}

TEST_CASE("A wedge is extended by further takes, and keeps those that are not simulated again")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml");
    const std::string out = (folder / "out").string();
    const auto wedge = [&](const std::string& values, const std::string& option) {
        return firnSim({"wedge", shot, "--vary", "solver.dx=" + values, "--out", out, "--frames", "1", option}).code;
    };
    REQUIRE(wedge("0.03,0.04", "--threads=1") == 0);
    const auto before = fs::last_write_time(out + "/dx-0.03/snow.0001.vdb");
    std::string list = textOf(out + "/wedge.json");
    std::ofstream(out + "/wedge.json") << list.insert(list.find('{') + 1, "\n  \"comment\": \"approved\",");
    CHECK(wedge("0.03,0.04,0.05", "--threads=1") == 0);
    CHECK(textOf(out + "/wedge.json").find("\"comment\": \"approved\",") != std::string::npos);
    CHECK(fs::last_write_time(out + "/dx-0.03/snow.0001.vdb") == before);
    CHECK(wedge("0.04", "--force") == 0);
    const std::vector<Take> takes = readWedge(out).value().takes;
    REQUIRE(takes.size() == 3);
    CHECK(takes[0] == Take{"dx-0.03", {"solver.dx=0.03"}});
    CHECK(takes[2] == Take{"dx-0.05", {"solver.dx=0.05"}});
}

TEST_CASE("A wedge warns of folders of caches that its list has lost")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml");
    const std::string out = (folder / "out").string();
    const auto wedge = [&](const std::string& values) {
        return firnSim({"wedge", shot, "--vary", "solver.dx=" + values, "--out", out, "--frames", "1"});
    };
    REQUIRE(wedge("0.03,0.04").code == 0);
    fs::create_directory(out + "/notes");
    fs::remove(wedgePath(out));
    const Outcome after = wedge("0.04");
    CHECK(after.code == 0);
    CHECK(after.says("warning: " + out + "/dx-0.03 holds a cache, but no take of this name is listed in wedge.json"));
    CHECK(!after.says("dx-0.04 holds a cache"));
    CHECK(!after.says("notes"));
    CHECK(!wedge("0.03").says("holds a cache"));
}

TEST_CASE("A take that cannot be continued is refused with advice that wedge can follow")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml"), out = (folder / "out").string();
    REQUIRE(firnSim({"run", shot, "--frames", "1", "--out", out + "/dx-0.03"}).code == 0);
    const Outcome other = wedgeOf(shot, out, "0.03");
    CHECK(other.code == 2);
    CHECK(other.says(
        "choose another --out; or, if only this take has changed, move its folder away, and wedge.json only if the "
        "wedge then refuses it"));
    CHECK_FALSE(other.says("--force"));
    for (const char* name : {"stats.jsonl", "checkpoint.0001.firn"}) fs::remove(out + "/dx-0.03/" + name);
    const Outcome lost = wedgeOf(shot, out, "0.03");
    CHECK(lost.code == 3);
    CHECK(lost.says(
        "choose another --out; or, if only this take has changed, move its folder away, and wedge.json only if the "
        "wedge then refuses it"));
    fs::rename(out + "/dx-0.03", out + "/old");
    CHECK(wedgeOf(shot, out, "0.03").code == 0);
}

TEST_CASE("A take with statistics of another take is refused for that reason")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml"), out = (folder / "out").string();
    REQUIRE(wedgeOf(shot, out, "0.03,0.04").code == 0);
    fs::copy_file(out + "/dx-0.04/stats.jsonl", out + "/dx-0.03/stats.jsonl", fs::copy_options::overwrite_existing);
    const Outcome outcome = wedgeOf(shot, out, "0.03,0.04");
    CHECK(outcome.code == 3);
    CHECK(
        outcome.says("take 'dx-0.03': " + out + "/dx-0.03/stats.jsonl is of another scene than all frames beside it"));
}

TEST_CASE("No take is simulated into the folder of another wedge")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml"), out = (folder / "out").string();
    REQUIRE(wedgeOf(shot, out + "/dx-0.03", "0.04").code == 0);
    const Outcome outcome = wedgeOf(shot, out, "0.03");
    CHECK(outcome.code == 2);
    CHECK(outcome.says("take 'dx-0.03': " + out + "/dx-0.03 holds a wedge"));
    CHECK_FALSE(fs::exists(wedgePath(out)));
}

TEST_CASE("A wedge and a run that is in its first frame do not share a folder")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml"), out = (folder / "out").string();
    fs::create_directory(out);
    {
        const FolderLock run(out);
        const Outcome wedge = wedgeOf(shot, out, "0.03");
        CHECK(wedge.code == 2);
        CHECK(wedge.says("holds a cache"));
    }
    CHECK_FALSE(fs::exists(fs::path(out) / "wedge.json"));
    REQUIRE(wedgeOf(shot, out, "0.03").code == 0);
    CHECK(firnSim({"run", shot, "--out", out}).says("holds a wedge"));
}

TEST_CASE("A take whose cache is of another simulation is told before the first take is simulated")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml"), out = (folder / "out").string();
    REQUIRE(firnSim({"run", shot, "--frames", "1", "--out", out + "/dx-0.04"}).code == 0);
    const Outcome wedge = wedgeOf(shot, out, "0.03,0.04");
    CHECK(wedge.code == 2);
    CHECK(wedge.says("take 'dx-0.04': the scene differs from the one simulated in"));
    CHECK_FALSE(fs::exists(out + "/dx-0.03"));
    CHECK_FALSE(fs::exists(out + "/wedge.json"));
}

TEST_CASE("A take that has changed is simulated anew as the advice says, and the others are kept")
{
    TemporaryFolder folder;
    const std::string out = (folder / "out").string();
    const auto wedge = [&](const std::string& dx) {
        const std::string takes = "\n[[take]]\nname = \"a\"\n\"solver.dx\" = " + dx + "\n\n[[take]]\nname = \"b\"\n";
        const std::string shot = writeShot(folder / "ball.toml", ballShot() + takes);
        return firnSim({"wedge", shot, "--frames", "1", "--out", out});
    };
    REQUIRE(wedge("0.03").code == 0);
    const auto before = fs::last_write_time(out + "/b/snow.0001.vdb");
    REQUIRE(wedge("0.04").says(
        "choose another --out; or, if only this take has changed, move its folder away, and wedge.json only if the "
        "wedge then refuses it"));
    fs::rename(out + "/a", folder / "a");
    CHECK(wedge("0.04").says(
        "holds another wedge (see its wedge.json): choose another --out, or, if wedge.json is from"));
    // The list of another folder: --force would simulate the finished take anew.
    writeFileChecked(out + "/wedge.json",
                     R"({"format": "firn wedge 1", "quality": "", "set": [], "takes": [{"name": "c", "set": []}]})");
    const Outcome foreign = wedge("0.04");
    CHECK(
        foreign.says("if wedge.json is from another folder, move it away and repeat the command. It has frames of take "
                     "'b', which wedge.json does not list: if it is moved away, the command keeps finished caches"));
    fs::rename(out + "/wedge.json", folder / "wedge.json");
    CHECK(wedge("0.04").code == 0);
    CHECK(fs::last_write_time(out + "/b/snow.0001.vdb") == before);
}

TEST_CASE("Takes are listed and counted also in a folder that holds a cache")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml"), out = (folder / "out").string();
    REQUIRE(firnSim({"run", shot, "--out", out, "--frames", "1"}).code == 0);
    const auto wedgeIn = [&](const std::string& option) {
        const std::string command =
            "cd '" + out + "' && " FIRN_SIM " wedge " + shot + " --vary fps=24,25 " + option + " >output 2>&1";
        return WEXITSTATUS(std::system(command.c_str()));
    };
    CHECK(wedgeIn("--list") == 0);
    CHECK(wedgeIn("--count") == 0);
    CHECK(wedgeIn("") == 2);
    std::ifstream text(out + "/output");
    CHECK(std::string(std::istreambuf_iterator<char>(text), {}).find("--out DIR is required") != std::string::npos);
}

TEST_CASE("A damaged frame of a take is restored by the wedge's command, as all advice says")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml"), out = (folder / "out").string(), take = out + "/dx-0.03";
    REQUIRE(wedgeOf(shot, out, "0.03").code == 0);
    const auto snow = readFile(take + "/snow.0001.vdb");
    fs::remove(take + "/snow.0001.vdb");
    const std::string command = "the same 'firn-sim wedge ... --out " + out + "' as before ";
    CHECK(firnSim({"info", take}).output.find("  " + command + "restores missing and damaged frames\n") !=
          std::string::npos);
    CHECK(firnSim({"report", take, "--out", (folder / "page.html").string()})
              .says("; 'firn-sim info " + take + "' says how to restore them"));
    const Outcome run = firnSim({"run", shot, "--out", take, "--resume"});
    CHECK(run.code == 2);
    CHECK(run.says("this is a take of the wedge in " + out + ": repeat its 'firn-sim wedge' command"));
    CHECK(wedgeOf(shot, out, "0.03").code == 0);
    CHECK(readFile(take + "/snow.0001.vdb") == snow);
    // A folder beside the takes is no take.
    REQUIRE(firnSim({"run", shot, "--out", out + "/other", "--frames", "1"}).code == 0);
    fs::remove(out + "/other/snow.0001.vdb");
    CHECK(firnSim({"info", out + "/other"}).output.find("'firn-sim run SCENE --out") != std::string::npos);
}
