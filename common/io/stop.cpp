#include "common/io/stop.h"

#include <signal.h>

#include <csignal>
#include <initializer_list>

namespace firn {
namespace {

volatile std::sig_atomic_t stop_signal = 0;
volatile std::sig_atomic_t status_requested = 0;

extern "C" void onStop(int signal)
{
    if (stop_signal != 0) {
        ::signal(signal, SIG_DFL);
        ::raise(signal);  // delivered when this handler returns
    }
    stop_signal = signal;
}

extern "C" void onStatus(int) { status_requested = 1; }

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

bool stopRequested() { return stop_signal != 0; }

const char* stopSignalName() { return stop_signal == 0 ? "" : stop_signal == SIGINT ? "INT" : "TERM"; }

bool takeStatusRequest()
{
    if (status_requested == 0) return false;
    status_requested = 0;
    return true;
}

}  // namespace firn
