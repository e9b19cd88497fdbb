#pragma once
// ffmpeg as a process that is given pictures.

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>

#include "common/image/png.h"

namespace firn {

/// The program on the PATH; nothing where it is not installed.
std::optional<std::filesystem::path> findFfmpeg();

/// One movie: pictures go through a pipe, so no name of theirs is ever read by ffmpeg, and none can be missing to it.
class Ffmpeg {
public:
    /// `out`: its extension says the format. Throws Error(Failed) when the program cannot be started.
    Ffmpeg(const std::filesystem::path& program, const std::filesystem::path& out, int width, int height, double fps);
    ~Ffmpeg();
    Ffmpeg(const Ffmpeg&) = delete;
    Ffmpeg& operator=(const Ffmpeg&) = delete;

    /// Throws Error(Failed) when ffmpeg has ended.
    void add(const Rgb8Image& image);
    /// Waits for its end. Throws Error(Failed) unless it ended well; what it had to say is on stderr.
    void finish();

private:
    int wait();

    int m_pipe = -1;
    pid_t m_pid = -1;
};

}  // namespace firn
