#pragma once
// firn-sim as its users run it: a process with arguments, an exit code and two streams.

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tests/sanitized.h"
#include "tests/temporary_folder.h"
#include "tests/text_of.h"

namespace firn {

struct Outcome {
    int code = -1;  // exit code, or minus the signal that ended it
    std::string output;
    std::string error;
    double cpu_s = 0;  // processor time, user and system

    bool says(const std::string& text) const { return error.find(text) != std::string::npos; }
};

/// A firn-sim that is running.
class Program {
public:
    explicit Program(const std::vector<std::string>& arguments,
                     const std::map<std::string, std::string>& environment = {});
    ~Program();
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    void signal(int number) const;
    /// Waits until stderr holds `text`; false when the program ended first.
    bool waitFor(const std::string& text);
    Outcome finish();
    pid_t pid() const { return m_pid; }

private:
    std::string stream(const std::string& name) const;

    TemporaryFolder m_streams;
    pid_t m_pid = -1;
    int m_status = 0;
    double m_cpu_s = 0;
    bool m_ended = false;
};

Outcome firnSim(const std::vector<std::string>& arguments, const std::map<std::string, std::string>& environment = {});

/// Runs `arguments` and checks code and message; refusals take no noticeable time.
void refused(const std::vector<std::string>& arguments, int code, const std::vector<std::string>& messages);

/// Checksums of the frames in a cache folder, by file name.
std::map<std::string, std::string> frameChecksums(const std::filesystem::path& folder);

}  // namespace firn
