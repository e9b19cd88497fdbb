#include "render/cli/program.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <new>
#include <vector>

#include "common/error.h"
#include "render/cli/compare_command.h"
#include "render/cli/frames_command.h"
#include "render/cli/info_command.h"
#include "render/cli/movie_command.h"
#include "render/cli/sheet_command.h"

namespace firn {

namespace {

constexpr const char* examples =
    R"(firn-render: path traces caches of snow to EXR.

Examples:
  firn-render frames shot.toml --cache out/sim --out out/exr
  firn-render frames shot.toml --cache out/sim --out out/exr --frames 1-48x2 --spp 16 --res 480x270
  firn-render info out/exr
  firn-render compare baseline/exr out/exr --fail-flip 0.02
  firn-render sheet out/exr --out out/sheet.png
  firn-render movie out/exr --out out/shot.mp4)";

/// Lists subcommands by the first line of their descriptions; their own --help has the rest.
class BriefFormatter : public CLI::Formatter {
public:
    std::string make_subcommand(const CLI::App* sub) const override
    {
        const std::string description = sub->get_description();
        return "  " + sub->get_name() + ": " + description.substr(0, description.find('\n')) + "\n";
    }
};

int fail(const char* message, ExitCode code)
{
    std::fprintf(stderr, "firn-render: %s\n", message);
    return static_cast<int>(code);
}

int run(const std::vector<Command>& commands)
{
    try {
        for (const Command& command : commands) {
            if (*command.app) return command.run();
        }
        return fail("no command", ExitCode::Usage);
    } catch (const Error& error) {
        return fail(error.what(), error.code());
    } catch (const std::bad_alloc&) {
        return fail("out of memory: a smaller --res, or a larger render.voxel_m, needs less", ExitCode::Failed);
    } catch (const std::exception& error) {
        return fail(clampText(error.what()).c_str(), ExitCode::Failed);
    }
}

}  // namespace

int runRenderProgram(int argc, const char* const* argv)
{
    CLI::App app(examples, "firn-render");
    app.formatter(std::make_shared<BriefFormatter>());
    app.set_version_flag("--version", "firn-render " FIRN_VERSION);
    app.require_subcommand(1);
    const std::vector<Command> commands = {framesCommand(app), infoCommand(app), compareCommand(app), sheetCommand(app),
                                           movieCommand(app)};
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? static_cast<int>(ExitCode::Done) : static_cast<int>(ExitCode::Usage);
    }
    return run(commands);
}

}  // namespace firn
