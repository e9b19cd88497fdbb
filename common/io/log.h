#pragma once
// The log of a program: a text file of limited size with a line per event. One log is open at a time.
// A log that cannot be written never stops the program: this is said once on stderr, and then nothing more is logged.

#include <filesystem>
#include <string>

namespace firn {

enum class LogLevel { Debug, Info, Warning, Error, Off };

/// "debug", "info", "warning", "error" or "off". Throws Error(Usage).
LogLevel parseLogLevel(const std::string& text);

/// The largest size of a log file. A full one is renamed from "name.log" to "name.1.log", which is replaced.
constexpr std::size_t logBytes = 1 << 20;

/// From now on events of `level` and above are appended to `path`; an open log is closed. A file that has content but
/// is not a log of Firn stays as it is, and nothing is logged.
void openLog(const std::filesystem::path& path, LogLevel level);

/// Whether an event of this level would be written: for texts that are costly to make.
bool isLogged(LogLevel level);

/// Writes a line with time, level and text. May be called by many threads.
void log(LogLevel level, const std::string& text);

void closeLog();

}  // namespace firn
