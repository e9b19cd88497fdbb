#include "render/cli/ffmpeg.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

#include "common/error.h"
#include "common/io/find_program.h"
#include "common/io/own_file.h"

namespace firn {

namespace fs = std::filesystem;

std::optional<fs::path> findFfmpeg() { return findProgram("ffmpeg"); }

Ffmpeg::Ffmpeg(const fs::path& program, const fs::path& out, int width, int height, double fps)
{
    char rate[32];
    std::snprintf(rate, sizeof rate, "%.6g", fps);
    const std::string size = std::to_string(width) + "x" + std::to_string(height);
    // Players need 4:2:0, and H.264 in 4:2:0 needs even edges.
    std::vector<std::string> arguments = {program.string(),
                                          "-hide_banner",
                                          "-loglevel",
                                          "error",
                                          "-y",
                                          "-f",
                                          "rawvideo",
                                          "-pix_fmt",
                                          "rgb24",
                                          "-s",
                                          size,
                                          "-r",
                                          rate,
                                          "-i",
                                          "-",
                                          "-an",
                                          "-vf",
                                          "pad=ceil(iw/2)*2:ceil(ih/2)*2",
                                          "-pix_fmt",
                                          "yuv420p",
                                          "-metadata",
                                          "comment=" + markOf("movie"),
                                          "file:" + out.string()};
    std::vector<char*> argv;
    argv.reserve(arguments.size() + 1);
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);

    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        throw Error(ExitCode::Failed, std::string("cannot make a pipe: ") + std::strerror(errno));
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    const int error = ::posix_spawn(&m_pid, program.c_str(), &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[0]);
    m_pipe = ends[1];
    if (error == 0) return;
    ::close(m_pipe);
    throw Error(ExitCode::Failed, program.string() + ": " + std::strerror(error));
}

Ffmpeg::~Ffmpeg() { wait(); }

void Ffmpeg::add(const Rgb8Image& image)
{
    for (std::size_t done = 0; done < image.pixels.size();) {
        const ssize_t written = ::write(m_pipe, image.pixels.data() + done, image.pixels.size() - done);
        if (written > 0) done += static_cast<std::size_t>(written);
        if (written < 0 && errno != EINTR) throw Error(ExitCode::Failed, "ffmpeg ended before the last picture");
    }
}

int Ffmpeg::wait()
{
    if (m_pid < 0) return 0;
    ::close(m_pipe);
    int status = 0;
    while (::waitpid(m_pid, &status, 0) < 0 && errno == EINTR) {
    }
    m_pid = -1;
    return status;
}

void Ffmpeg::finish()
{
    if (wait() != 0) throw Error(ExitCode::Failed, "ffmpeg failed");
}

}  // namespace firn
