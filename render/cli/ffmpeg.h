#pragma once
// ffmpeg as a child process that gets pictures through a pipe.

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>

#include "common/image/png.h"

namespace firn {

/// The program in the PATH; empty if it is not installed.
std::optional<std::filesystem::path> findFfmpeg();

/// One movie. ffmpeg gets pixels, not file names, so it cannot miss a picture or misread a name.
class Ffmpeg {
public:
    /// The extension of `out` decides the format. Throws Error(Failed) when the program cannot be started.
    Ffmpeg(const std::filesystem::path& program, const std::filesystem::path& out, int width, int height, double fps);
    ~Ffmpeg();
    Ffmpeg(const Ffmpeg&) = delete;
    Ffmpeg& operator=(const Ffmpeg&) = delete;

    /// Throws Error(Failed) when ffmpeg has ended.
    void add(const Rgb8Image& image);
    /// Waits for its end. Throws Error(Failed) when it failed; its messages are on stderr.
    void finish();

private:
    int wait();

    int m_pipe = -1;
    pid_t m_pid = -1;
};

}  // namespace firn
