#include "sim/cli/playblast_process.h"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "common/error.h"
#include "common/io/find_program.h"

namespace firn {

namespace {

std::vector<std::string> argumentsOf(const RunOptions& options, const std::filesystem::path& program)
{
    std::vector<std::string> arguments{
        program.string(),           "playblast", options.shot.string(), "--cache", options.out.string(), "--out",
        options.playblast.string(), "--follow",  "--threads",           "1",       "--progress",         "none"};
    if (!options.scene.quality.empty()) arguments.insert(arguments.end(), {"--quality", options.scene.quality});
    for (const std::string& set : options.scene.set) arguments.insert(arguments.end(), {"--set", set});
    if (options.scene.allow_outside) arguments.emplace_back("--allow-outside");
    return arguments;
}

/// The exit code, or 128 and the signal that ended the process, as shells have it.
int codeOf(pid_t process)
{
    int status = 0;
    while (::waitpid(process, &status, 0) < 0)
        if (errno != EINTR) return static_cast<int>(ExitCode::Failed);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

PlayblastProcess::PlayblastProcess(const RunOptions& options) : m_options(options)
{
    if (options.playblast.empty()) return;
    const auto program = findOwnProgram("firn-render", "render");
    if (!program)
        throw Error(ExitCode::Usage,
                    "--playblast needs the program firn-render, which is neither beside firn-sim nor in "
                    "PATH");
    m_program = *program;
}

PlayblastProcess::~PlayblastProcess()
{
    if (m_process < 0) return;
    ::kill(m_process, SIGTERM);
    codeOf(m_process);
}

void PlayblastProcess::start()
{
    if (m_program.empty()) return;
    std::vector<std::string> arguments = argumentsOf(m_options, m_program);
    std::vector<char*> argv;
    argv.reserve(arguments.size() + 1);
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    if (const int error = ::posix_spawn(&m_process, m_program.c_str(), nullptr, nullptr, argv.data(), environ))
        throw Error(ExitCode::Failed, "cannot start " + m_program.string() + ": " + std::strerror(error));
}

std::string PlayblastProcess::finish()
{
    if (m_process < 0) return "";
    const int code = codeOf(m_process);
    m_process = -1;
    if (code == static_cast<int>(ExitCode::Done) || code == static_cast<int>(ExitCode::Stopped)) return "";
    return "the playblast in " + m_options.playblast.string() + " is not complete: firn-render ended with exit code " +
           std::to_string(code) + ". The cache is not affected";
}

}  // namespace firn
