#pragma once
// Errors that reach the user, with the process exit code that farm scripts rely on.

#include <stdexcept>
#include <string>

namespace firn {

enum class ExitCode : int {
    Done = 0,
    Failed = 1,
    Usage = 2,     // command line or scene error
    File = 3,      // file or disk
    Diverged = 4,  // the solver gave up; the last good frame is named
    Differs = 5,   // a comparison found a difference
    Stopped = 75,  // stopped on request, checkpoint written, run again to go on
};

/// What went wrong, in a sentence for the user: where, what was found, what was expected.
class Error : public std::runtime_error {
public:
    Error(ExitCode code, const std::string& message) : std::runtime_error(message), m_code(code) {}
    ExitCode code() const { return m_code; }

private:
    ExitCode m_code;
};

/// Text from a file or a library, fit for an error message: one line of UTF-8, no control characters, about `limit`
/// bytes at most. Bytes that are no UTF-8 become question marks.
std::string clampText(const std::string& text, std::size_t limit = 200);

/// A name of the user's in single quotes, clamped.
std::string quotedName(const std::string& name);

}  // namespace firn
