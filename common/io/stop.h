#pragma once
// Signals that farms send: INT, TERM and HUP ask for a clean stop, and a second one, at least .2 s later, ends the
// program at once. HUP is ignored if it was ignored at the start (nohup). USR1 asks for a status line and a checkpoint.
// PIPE is ignored: a closed output never stops the work. XFSZ is ignored too, so that a limit on the size of files
// becomes an error of writing.

#include <string>

namespace firn {

/// Call once, early in main.
void installStopSignals();

/// From now on, INT, TERM and HUP end the program with exit code 75. For work that writes no files.
void stopAtOnce();

/// While it lives, INT, TERM and HUP print a line and end the program with exit code 75. For work of many seconds that
/// has nothing to keep. There may be one at a time.
class StopsAtOnce {
public:
    explicit StopsAtOnce(const std::string& line);
    StopsAtOnce(const StopsAtOnce&) = delete;
    StopsAtOnce& operator=(const StopsAtOnce&) = delete;
    ~StopsAtOnce();
};

/// INT, TERM or HUP arrived.
bool stopRequested();

/// "INT", "TERM" or "HUP"; empty while no stop was requested.
const char* stopSignalName();

/// True once after each USR1.
bool takeStatusRequest();

}  // namespace firn
