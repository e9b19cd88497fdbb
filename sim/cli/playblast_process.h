#pragma once
// firn-render playblast as a child process, which draws the frames of a run as they come.

#include <sys/types.h>

#include <filesystem>
#include <string>

#include "sim/cli/options.h"

namespace firn {

class PlayblastProcess {
public:
    /// Without options.playblast there is no process. Throws Error(Usage) if firn-render is not found.
    explicit PlayblastProcess(const RunOptions& options);
    /// Ends a process that finish() has not waited for.
    ~PlayblastProcess();
    PlayblastProcess(const PlayblastProcess&) = delete;
    PlayblastProcess& operator=(const PlayblastProcess&) = delete;

    /// Call when the lock of the cache is held: the process ends some time after that lock is gone. Throws
    /// Error(Failed) if it cannot be started.
    void start();

    /// Waits until the last frames are drawn. Call when the lock is gone. Returns a warning if the process failed,
    /// otherwise "".
    std::string finish();

private:
    const RunOptions& m_options;
    std::filesystem::path m_program;
    pid_t m_process = -1;
};

}  // namespace firn
