#include "common/io/folder_turn.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "common/error.h"

namespace firn {

FolderTurn::FolderTurn(const std::filesystem::path& folder)
    : m_fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC))
{
    if (m_fd < 0)
        throw Error(ExitCode::File,
                    "cannot open folder " + folder.string() + ": " + std::strerror(errno) +
                        (errno == ENOENT ? ". It was moved or removed while this program used it" : ""));
    while (::flock(m_fd, LOCK_EX) != 0 && errno == EINTR) {
    }
}

FolderTurn::~FolderTurn() { ::close(m_fd); }

}  // namespace firn
