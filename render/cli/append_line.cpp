#include "render/cli/append_line.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "common/error.h"
#include "common/io/checked_file.h"

namespace firn {

namespace {

/// Whether the last line of a file has no end: a full disk or a crash cut it.
bool isCut(int file)
{
    char last = '\n';
    const off_t size = ::lseek(file, 0, SEEK_END);
    return size > 0 && ::pread(file, &last, 1, size - 1) == 1 && last != '\n';
}

}  // namespace

void appendLine(const std::filesystem::path& path, const std::string& line)
{
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    const std::string text = (file >= 0 && isCut(file) ? "\n" : "") + line + "\n";
    int error = file < 0 ? errno : 0;
    if (file >= 0) {
        const ssize_t written = ::write(file, text.data(), text.size());
        if (written < 0) {
            error = errno;
        } else if (static_cast<std::size_t>(written) != text.size()) {
            error = ENOSPC;
        }
        if (::close(file) != 0 && error == 0) error = errno;
    }
    if (error) throw Error(ExitCode::File, "cannot write " + path.string() + ": " + std::strerror(error));
}

void requireAppendable(const std::filesystem::path& path)
{
    requireNoDeadLink(path);
    if (::access(path.c_str(), F_OK) != 0 || ::access(path.c_str(), R_OK | W_OK) == 0) return;
    throw Error(ExitCode::File, "cannot read and write " + path.string() + ": " + std::strerror(errno));
}

}  // namespace firn
