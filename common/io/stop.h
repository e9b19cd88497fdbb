#pragma once
// Signals that farms send: INT and TERM ask for a clean stop, and a second one, at least .2 s later, ends the program
// at once; USR1 asks for a status line and a checkpoint. PIPE is ignored: a closed output never stops the work. XFSZ is
// ignored too, so that a limit on the size of files becomes an error of writing.

namespace firn {

/// Call once, early in main.
void installStopSignals();

/// From now on, INT and TERM end the program with exit code 75. For work that writes no files.
void stopAtOnce();

/// INT or TERM arrived.
bool stopRequested();

/// "INT" or "TERM"; empty while no stop was requested.
const char* stopSignalName();

/// True once after each USR1.
bool takeStatusRequest();

}  // namespace firn
