#include "render/cli/append_line.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "common/error.h"

namespace firn {

void appendLine(const std::filesystem::path& path, const std::string& line)
{
    const std::string text = line + "\n";
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
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

}  // namespace firn
