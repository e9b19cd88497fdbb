#include "common/io/isolated.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "common/error.h"

namespace firn {

namespace {

constexpr rlim_t cpuLimit_s = 300;
constexpr rlim_t memoryLimit = rlim_t{16} << 30;  // bytes

// The first byte of the child's answer.
constexpr char resultMark = 'R', errorMark = 'E';

/// Of this process, in bytes; 0 if the system does not tell.
rlim_t addressSpace()
{
    rlim_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

void limitMemory()
{
    const rlim_t limit = addressSpace() + memoryLimit;
    const rlimit memory{limit, limit};
    setrlimit(RLIMIT_AS, &memory);
}

void limitChild()
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGINT, SIG_IGN);  // the parent answers to signals of a terminal or a farm
    signal(SIGTERM, SIG_IGN);
    const rlimit noCore{0, 0}, cpu{cpuLimit_s, cpuLimit_s};
    setrlimit(RLIMIT_CORE, &noCore);
    setrlimit(RLIMIT_CPU, &cpu);
    limitMemory();
}

std::string answerOf(const std::function<std::string()>& work)
{
    const auto failure = [](ExitCode code, const std::string& message) {
        return std::string{errorMark, static_cast<char>(code)} + message;
    };
    try {
        return resultMark + work();
    } catch (const Error& e) {
        return failure(e.code(), e.what());
    } catch (const std::exception& e) {
        return failure(ExitCode::File, clampText(e.what()));
    } catch (...) {
        return failure(ExitCode::File, "it cannot be read");
    }
}

void writeAll(int descriptor, const std::string& bytes)
{
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t n = write(descriptor, bytes.data() + done, bytes.size() - done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return;
        done += static_cast<std::size_t>(n);
    }
}

std::string readAll(int descriptor)
{
    std::string bytes;
    std::array<char, 1 << 16> buffer;
    for (;;) {
        const ssize_t n = read(descriptor, buffer.data(), buffer.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return bytes;
        bytes.append(buffer.data(), static_cast<std::size_t>(n));
    }
}

int statusOf(pid_t child)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

std::string deathText(int status)
{
    if (!WIFSIGNALED(status)) return "its reader ended without an answer";
    const int number = WTERMSIG(status);
    if (number == SIGXCPU || number == SIGKILL)
        return "its reader took more than " + std::to_string(cpuLimit_s) + " s of CPU time, or the system stopped it";
    return std::string("its reader crashed (") + strsignal(number) + "); the file is damaged or of an unknown form";
}

}  // namespace

std::string runIsolated(const std::string& source, const std::function<std::string()>& work)
{
    int ends[2];
    if (pipe(ends) != 0) throw Error(ExitCode::Failed, source + ": cannot make a pipe: " + std::strerror(errno));
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        limitChild();
        writeAll(ends[1], answerOf(work));
        _exit(0);
    }
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        throw Error(ExitCode::Failed, source + ": cannot start a process to read it: " + std::strerror(errno));
    }
    std::string answer = readAll(ends[0]);
    close(ends[0]);
    const int status = statusOf(child);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || answer.empty())
        throw Error(ExitCode::File, source + ": " + deathText(status));
    if (answer[0] == errorMark && answer.size() >= 2) throw Error(static_cast<ExitCode>(answer[1]), answer.substr(2));
    return answer.erase(0, 1);
}

}  // namespace firn
