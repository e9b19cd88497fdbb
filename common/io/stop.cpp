#include "common/io/stop.h"

#include <signal.h>
#include <unistd.h>

#include <csignal>
#include <initializer_list>

#include "common/error.h"

namespace firn {
namespace {

volatile std::sig_atomic_t stopSignal = 0;
volatile std::sig_atomic_t statusRequested = 0;

extern "C" void onStop(int signal)
{
    if (stopSignal != 0) {
        ::signal(signal, SIG_DFL);
        ::raise(signal);  // delivered when this handler returns
    }
    stopSignal = signal;
}

extern "C" void onStopAtOnce(int) { ::_exit(static_cast<int>(ExitCode::Stopped)); }

extern "C" void onStatus(int) { statusRequested = 1; }

void handle(int signal, void (*handler)(int))
{
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
}

}  // namespace

void installStopSignals()
{
    for (const int signal : {SIGINT, SIGTERM}) handle(signal, onStop);
    handle(SIGUSR1, onStatus);
    handle(SIGPIPE, SIG_IGN);
}

void stopAtOnce()
{
    for (const int signal : {SIGINT, SIGTERM}) handle(signal, onStopAtOnce);
}

bool stopRequested() { return stopSignal != 0; }

const char* stopSignalName() { return stopSignal == 0 ? "" : stopSignal == SIGINT ? "INT" : "TERM"; }

bool takeStatusRequest()
{
    if (statusRequested == 0) return false;
    statusRequested = 0;
    return true;
}

}  // namespace firn
