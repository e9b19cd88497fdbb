#include "common/io/stop.h"

#include <signal.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <ctime>
#include <initializer_list>

#include "common/error.h"

namespace firn {
namespace {

volatile std::sig_atomic_t stopSignal = 0;
volatile std::sig_atomic_t statusRequested = 0;

/// Some programs signal a process and then its group: within this time that counts as one signal.
constexpr std::int64_t sameSignal_ms = 200;
std::int64_t firstSignal_ms = 0;  // read and written by handlers only

std::int64_t now_ms()
{
    timespec time{};
    ::clock_gettime(CLOCK_MONOTONIC, &time);
    return std::int64_t{time.tv_sec} * 1000 + time.tv_nsec / 1'000'000;
}

extern "C" void onStop(int signal)
{
    if (stopSignal == 0) {
        firstSignal_ms = now_ms();
    } else if (now_ms() - firstSignal_ms > sameSignal_ms) {
        ::signal(signal, SIG_DFL);
        ::raise(signal);  // delivered when this handler returns
    }
    stopSignal = signal;
}

std::string lastLine;  // printed when the program ends at once; does not change while that can happen

extern "C" void onStopAtOnce(int)
{
    if (!lastLine.empty() && ::write(STDERR_FILENO, lastLine.data(), lastLine.size()) < 0) {
        // nobody reads it
    }
    ::_exit(static_cast<int>(ExitCode::Stopped));
}

extern "C" void onStatus(int) { statusRequested = 1; }

void handle(int signal, void (*handler)(int))
{
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
}

/// nohup ignores HUP.
bool isIgnored(int signal)
{
    struct sigaction action {};
    sigaction(signal, nullptr, &action);
    return action.sa_handler == SIG_IGN;
}

void handleStops(void (*handler)(int))
{
    for (const int signal : {SIGINT, SIGTERM}) handle(signal, handler);
    if (!isIgnored(SIGHUP)) handle(SIGHUP, handler);
}

}  // namespace

void installStopSignals()
{
    handleStops(onStop);
    handle(SIGUSR1, onStatus);
    for (const int signal : {SIGPIPE, SIGXFSZ}) handle(signal, SIG_IGN);  // writing fails instead, with a message
}

void stopAtOnce()
{
    handleStops(onStopAtOnce);
    if (stopRequested()) onStopAtOnce(stopSignal);  // the signal came before
}

StopsAtOnce::StopsAtOnce(const std::string& line)
{
    lastLine = "\n" + line + "\n";
    stopAtOnce();
}

StopsAtOnce::~StopsAtOnce() { handleStops(onStop); }

bool stopRequested() { return stopSignal != 0; }

const char* stopSignalName()
{
    switch (stopSignal) {
        case 0:
            return "";
        case SIGINT:
            return "INT";
        case SIGHUP:
            return "HUP";
        default:
            return "TERM";
    }
}

bool takeStatusRequest()
{
    if (statusRequested == 0) return false;
    statusRequested = 0;
    return true;
}

}  // namespace firn
