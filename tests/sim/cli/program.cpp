#include "tests/sim/cli/program.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <thread>

#include "common/io/checked_file.h"
#include "common/io/checksum.h"
#include "common/io/frame_range.h"

namespace firn {
namespace {

double seconds(const timeval& time)
{
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

void redirect(int fd, const std::filesystem::path& path)
{
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
    dup2(file, fd);
    close(file);
}

}  // namespace

Program::Program(const std::vector<std::string>& arguments, const std::map<std::string, std::string>& environment)
{
    std::vector<const char*> argv{FIRN_SIM};
    for (const std::string& argument : arguments) argv.push_back(argument.c_str());
    argv.push_back(nullptr);
    m_pid = fork();
    if (m_pid != 0) return;
    for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
    redirect(STDOUT_FILENO, m_streams / "output");
    redirect(STDERR_FILENO, m_streams / "error");
    execv(FIRN_SIM, const_cast<char* const*>(argv.data()));
    _exit(127);
}

Program::~Program()
{
    if (!m_ended) {
        signal(SIGKILL);
        finish();
    }
}

void Program::signal(int number) const { kill(m_pid, number); }

std::string Program::stream(const std::string& name) const { return textOf(m_streams / name); }

bool Program::waitFor(const std::string& text)
{
    while (!m_ended) {
        if (stream("error").find(text) != std::string::npos) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        rusage usage{};
        if (wait4(m_pid, &m_status, WNOHANG, &usage) == m_pid) {
            m_ended = true;
            m_cpu_s = seconds(usage.ru_utime) + seconds(usage.ru_stime);
        }
    }
    return stream("error").find(text) != std::string::npos;
}

Outcome Program::finish()
{
    if (!m_ended) {
        rusage usage{};
        wait4(m_pid, &m_status, 0, &usage);
        m_ended = true;
        m_cpu_s = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    }
    const int code = WIFEXITED(m_status) ? WEXITSTATUS(m_status) : -WTERMSIG(m_status);
    return {code, stream("output"), stream("error"), m_cpu_s};
}

Outcome firnSim(const std::vector<std::string>& arguments, const std::map<std::string, std::string>& environment)
{
    return Program(arguments, environment).finish();
}

std::map<std::string, std::string> frameChecksums(const std::filesystem::path& folder)
{
    std::map<std::string, std::string> sums;
    for (const int frame : existingFrames(folder / "snow.####.vdb")) {
        const auto path = framePath(folder / "snow.####.vdb", frame);
        sums[path.filename().string()] = checksum(readFile(path));
    }
    return sums;
}

void refused(const std::vector<std::string>& arguments, int code, const std::vector<std::string>& messages)
{
    const Outcome outcome = firnSim(arguments);
    INFO(outcome.error);
    CHECK(outcome.code == code);
    for (const std::string& message : messages) {
        INFO(message);
        CHECK(outcome.says(message));
    }
    CHECK(outcome.cpu_s < quick_s);
}

}  // namespace firn
