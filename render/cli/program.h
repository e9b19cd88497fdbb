#pragma once
// firn-render from its command line: one file per subcommand, each a Command.

#include <functional>

namespace CLI {
class App;
}

namespace firn {

struct Command {
    CLI::App* app;             // says whether it was asked for
    std::function<int()> run;  // after parsing; returns the exit code, throws Error
};

/// The whole program but for signals. Data goes to stdout, messages to stderr; returns the exit code.
int runRenderProgram(int argc, const char* const* argv);

}  // namespace firn
