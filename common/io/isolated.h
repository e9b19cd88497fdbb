#pragma once
// Work on files of other programs, in a process of its own: a library that crashes on a damaged file, runs forever or
// takes all memory ends that process, and the caller gets an error.

#include <functional>
#include <string>

namespace firn {

/// Calls `work` in a child process and returns the bytes that it returns. What it throws is thrown here as Error:
/// an Error keeps its exit code and message, anything else becomes Error(File). `source` begins the messages about a
/// child that dies or that needs more than 5 minutes of CPU time or 16 GB of further memory.
std::string runIsolated(const std::string& source, const std::function<std::string()>& work);

}  // namespace firn
