#pragma once
// Files with one line per record, to which several processes may append.

#include <filesystem>
#include <string>

namespace firn {

/// Appends `line` and a newline in one write, so that lines of several processes do not mix. After a last line without
/// an end, which a crash has cut, a new line begins. Throws Error(File).
void appendLine(const std::filesystem::path& path, const std::string& line);

/// Throws Error(File) if the file exists but may not be read or appended to.
void requireAppendable(const std::filesystem::path& path);

}  // namespace firn
