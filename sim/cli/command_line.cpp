#include "sim/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <new>

#include "common/error.h"
#include "sim/cli/check.h"
#include "sim/cli/info.h"
#include "sim/cli/report.h"
#include "sim/cli/run.h"
#include "sim/cli/wedge.h"

namespace firn {
namespace {

constexpr const char* description = R"(Simulates snow into a cache of OpenVDB Points files.

Examples:
  firn-sim check scenes/footsteps.toml                       forecast memory, disk and time; nothing is written
  firn-sim run scenes/footsteps.toml --out cache             simulate every frame
  firn-sim run scenes/footsteps.toml --out cache --resume    go on where an earlier run stopped
  firn-sim run shot.toml --out draft --quality draft --set solver.dx=0.04 --frames 1-24
  firn-sim wedge shot.toml --vary snow.0.preset=powder,wet --vary solver.dx=0.04,0.02 --out wedge
  firn-sim info cache                                        what the cache holds, and whether it is whole
)";

constexpr const char* epilogue = R"(
Exit codes: 0 done; 1 failed; 2 usage or scene error; 3 file or disk; 4 diverged; 75 stopped with a checkpoint.
INT or TERM stop with a checkpoint, a second one at once; USR1 gives a status line and a checkpoint.)";

void addSceneOptions(CLI::App& command, std::filesystem::path& shot, SceneOptions& scene)
{
    command.add_option("SHOT", shot, "Scene file (TOML)")->required();
    command.add_option("--quality", scene.quality, "Scale of the resolution")
        ->check(CLI::IsMember({"draft", "preview", "final"}));
    command.add_option("--set", scene.set, "Set a key of the scene, as in --set solver.dx=0.02; may be repeated")
        ->type_name("KEY=VALUE")
        ->take_all()
        ->expected(1);
    command.add_flag("--allow-outside", scene.allow_outside, "Let the scene refer to files outside of its folder");
}

void addThreads(CLI::App& command, int& threads)
{
    command.add_option("--threads", threads, "Threads; default: SLURM_CPUS_PER_TASK, else what the machine grants")
        ->check(CLI::Range(1, 4096));
}

void addRun(CLI::App& app, RunOptions& options, std::string& progress)
{
    CLI::App& command = *app.add_subcommand("run", "Simulate a shot into a cache folder");
    addSceneOptions(command, options.shot, options.scene);
    command.add_option("--out", options.out, "Cache folder")->type_name("DIR");
    command.add_option("--frames", options.frames, "Frames to write, as in 1-48 or 1-100x2; default: all of the scene");
    command.add_flag("--resume", options.resume, "Go on with the simulation in DIR; starts one when there is none");
    command.add_flag("--force", options.force, "Replace an existing cache; with --resume: although the scene changed");
    addThreads(command, options.threads);
    command.add_option("--checkpoint-every", options.checkpoint_every, "Frames between checkpoints")
        ->check(CLI::Range(1, 100000))
        ->capture_default_str();
    command.add_option("--progress", progress, "auto, plain, alf, json or none")->capture_default_str();
    command.add_flag("--dump-config", options.dump_config, "Print the resolved scene with the origin of each value");
}

void addWedge(CLI::App& app, WedgeOptions& options, std::string& progress)
{
    CLI::App& command = *app.add_subcommand(
        "wedge", "Simulate variations of a shot, each into a folder below DIR; run again, it goes on");
    addSceneOptions(command, options.run.shot, options.run.scene);
    command
        .add_option("--vary", options.vary,
                    "Values of a key, as in --vary solver.dx=0.04,0.02; repeated, every combination. Default: the "
                    "scene's [[take]]")
        ->type_name("KEY=VALUE,...")
        ->take_all()
        ->expected(1);
    command.add_option("--out", options.run.out, "Folder of the takes' cache folders, and of wedge.json")
        ->type_name("DIR");
    command.add_option("--frames", options.run.frames, "Frames to write; default: all of the scene");
    command.add_option("--index", options.index, "Only this take, counted from 1: one job of an array")
        ->check(CLI::Range(1, 1000000));
    command.add_flag("--list", options.list, "Print number, name and settings of each take; simulate nothing");
    command.add_flag("--count", options.count, "Print the number of takes; simulate nothing");
    command.add_flag("--force", options.run.force, "Start every take over, whatever DIR holds");
    addThreads(command, options.run.threads);
    command.add_option("--progress", progress, "auto, plain, alf, json or none")->capture_default_str();
}

int tell(ExitCode code, const std::string& message)
{
    std::cerr << "firn-sim: " << message << std::endl;
    return static_cast<int>(code);
}

}  // namespace

int runCommandLine(int argc, const char* const* argv)
{
    CLI::App app(description, "firn-sim");
    app.set_version_flag("--version", "firn-sim " FIRN_VERSION);
    app.require_subcommand(1);
    app.footer(epilogue);
    RunOptions runOptions;
    std::string progress = "auto";
    addRun(app, runOptions, progress);

    WedgeOptions wedgeOptions;
    addWedge(app, wedgeOptions, progress);

    CheckOptions checkOptions;
    CLI::App& checkCommand = *app.add_subcommand("check", "Validate a shot and forecast memory, disk and time");
    addSceneOptions(checkCommand, checkOptions.shot, checkOptions.scene);
    addThreads(checkCommand, checkOptions.threads);
    checkCommand.add_flag("--json", checkOptions.json, "JSON on stdout");

    InfoOptions infoOptions;
    CLI::App& infoCommand = *app.add_subcommand("info", "What a cache holds, and whether it is whole");
    infoCommand.add_option("PATH", infoOptions.path, "Cache folder, snow.####.vdb or checkpoint.####.firn")->required();
    infoCommand.add_flag("--json", infoOptions.json, "JSON on stdout");

    ReportOptions reportOptions;
    CLI::App& reportCommand = *app.add_subcommand("report", "One HTML page of a simulation, or of two side by side");
    reportCommand.add_option("DIR", reportOptions.folders, "One cache folder, or two")->required()->expected(1, 2);
    reportCommand.add_option("--out", reportOptions.out, "The page; default: DIR/report.html")->type_name("FILE");
    reportCommand.add_option("--previews", reportOptions.previews, "Pictures of each")
        ->check(CLI::Range(0, 200))
        ->capture_default_str();

    try {
        app.parse(argc, argv);
        if (checkCommand.parsed()) return static_cast<int>(check(checkOptions));
        if (reportCommand.parsed()) return static_cast<int>(report(reportOptions));
        if (infoCommand.parsed()) return static_cast<int>(info(infoOptions));
        wedgeOptions.run.progress = runOptions.progress = parseProgressMode(progress);
        if (app.got_subcommand("wedge")) return static_cast<int>(wedge(wedgeOptions));
        return static_cast<int>(run(runOptions));
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : static_cast<int>(ExitCode::Usage);
    } catch (const Error& error) {
        return tell(error.code(), error.what());
    } catch (const std::bad_alloc&) {
        return tell(ExitCode::Failed, "out of memory; a larger solver.dx needs less (firn-sim check tells how much)");
    } catch (const std::exception& error) {
        return tell(ExitCode::Failed, clampText(error.what(), 1000));
    }
}

}  // namespace firn
