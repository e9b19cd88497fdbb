#include "common/io/stop.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <functional>
#include <string>

using namespace firn;

namespace {

/// The status of a child process that runs `body` and exits with its result.
int statusOfChild(const std::function<int()>& body)
{
    const pid_t child = fork();
    if (child == 0) _exit(body());
    int status = 0;
    waitpid(child, &status, 0);
    return status;
}

}  // namespace

TEST_CASE("The first INT, TERM or HUP asks for a stop, and the program continues")
{
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        const int status = statusOfChild([signal] {
            installStopSignals();
            if (stopRequested()) return 1;
            raise(signal);
            return stopRequested() ? 42 : 2;
        });
        CHECK(WIFEXITED(status));
        CHECK(WEXITSTATUS(status) == 42);
    }
}

TEST_CASE("HUP stays ignored under nohup")
{
    const int status = statusOfChild([] {
        signal(SIGHUP, SIG_IGN);
        installStopSignals();
        raise(SIGHUP);
        return stopRequested() ? 2 : 42;
    });
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 42);
}

TEST_CASE("The second INT or TERM ends the program at once by that signal")
{
    const int status = statusOfChild([] {
        installStopSignals();
        raise(SIGINT);
        usleep(250'000);
        raise(SIGTERM);
        return 0;
    });
    CHECK(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == SIGTERM);
}

TEST_CASE("Work that has nothing to keep ends at the first TERM, with a line and exit code 75; later work goes on")
{
    int lines[2];
    REQUIRE(pipe(lines) == 0);
    const int status = statusOfChild([&] {
        dup2(lines[1], STDERR_FILENO);
        installStopSignals();
        const StopsAtOnce stops("stopped while frame 3 was prepared");
        raise(SIGTERM);
        return 1;
    });
    close(lines[1]);
    char text[80] = {};
    CHECK(read(lines[0], text, sizeof text - 1) > 0);
    close(lines[0]);
    CHECK(std::string(text) == "\nstopped while frame 3 was prepared\n");
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 75);
    const int later = statusOfChild([] {
        installStopSignals();
        {
            const StopsAtOnce stops("");
        }
        raise(SIGTERM);
        return stopRequested() ? 42 : 2;
    });
    CHECK(WIFEXITED(later));
    CHECK(WEXITSTATUS(later) == 42);
}

TEST_CASE("A signal that arrives twice at once, as timeout sends it, asks for one stop")
{
    const int status = statusOfChild([] {
        installStopSignals();
        raise(SIGTERM);
        raise(SIGTERM);
        return stopRequested() ? 42 : 2;
    });
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 42);
}

TEST_CASE("USR1 is reported once and a closed pipe is survived")
{
    const int status = statusOfChild([] {
        installStopSignals();
        if (takeStatusRequest()) return 1;
        raise(SIGUSR1);
        raise(SIGPIPE);
        if (!takeStatusRequest() || takeStatusRequest()) return 2;
        return stopRequested() ? 3 : 42;
    });
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 42);
}
