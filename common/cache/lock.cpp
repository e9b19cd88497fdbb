#include "common/cache/lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <string>

#include "common/cache/layout.h"
#include "common/error.h"
#include "common/io/own_file.h"

namespace firn {
namespace {

constexpr const char* lockNameText = "A run needs this name for its lock: move it away, or choose another --out";

/// Its first bytes: more than a process number has.
std::string beginOf(int fd)
{
    char text[32];
    const ssize_t count = ::pread(fd, text, sizeof text, 0);
    return {text, static_cast<std::size_t>(std::max<ssize_t>(count, 0))};
}

std::size_t digitsIn(const std::string& text)
{
    const auto isDigit = [](unsigned char c) { return std::isdigit(c) != 0; };
    return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), isDigit) - text.begin());
}

/// The process that the lock file names, for the message only.
std::string holderOf(int fd)
{
    const std::string text = beginOf(fd);
    const std::size_t digits = digitsIn(text);
    return digits == 0 ? "another program" : "process " + text.substr(0, digits);
}

/// Whether the file is empty or holds a process number, as a run leaves it.
bool isLockFile(int fd)
{
    const std::string text = beginOf(fd);
    return text.empty() || text.substr(digitsIn(text)) == "\n";
}

}  // namespace

FolderLock::FolderLock(const std::filesystem::path& folder) : m_folder(folder)
{
    const std::filesystem::path path = CacheLayout{folder}.lockPath();
    m_fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (m_fd < 0 && errno == ELOOP) throw Error(ExitCode::File, path.string() + " is a link. " + lockNameText);
    if (m_fd < 0) {
        throw Error(ExitCode::File, "cannot open " + path.string() + ": " + std::strerror(errno) + ". " +
                                        (errno == EISDIR ? lockNameText : "A run must be able to write it"));
    }
    if (::flock(m_fd, LOCK_EX | LOCK_NB) != 0) {
        const int error = errno;
        const std::string holder = holderOf(m_fd);
        ::close(m_fd);
        if (error == EWOULDBLOCK)
            throw Error(ExitCode::File,
                        folder.string() + " is in use by " + holder + ": wait until it ends, or choose another --out");
        throw Error(ExitCode::File, "cannot lock " + path.string() + ": " + std::strerror(error));
    }
    if (!isLockFile(m_fd)) {
        ::close(m_fd);
        throw Error(ExitCode::File, path.string() + " " + std::string(foreignText) + ". " + lockNameText);
    }
    // Only the message of a refused run uses this, so it does not matter if a full disk prevents writing it.
    const std::string pid = std::to_string(::getpid()) + "\n";
    if (::ftruncate(m_fd, 0) == 0) static_cast<void>(::pwrite(m_fd, pid.data(), pid.size(), 0) == 0);
}

bool FolderLock::isHeld(const std::filesystem::path& folder)
{
    const int fd = ::open(CacheLayout{folder}.lockPath().c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    const bool held = ::flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ::close(fd);
    return held;
}

void FolderLock::requireHeld() const
{
    struct stat held {
    }, found{};
    const std::filesystem::path path = CacheLayout{m_folder}.lockPath();
    const bool isSame = ::fstat(m_fd, &held) == 0 && ::stat(path.c_str(), &found) == 0 && held.st_dev == found.st_dev &&
                        held.st_ino == found.st_ino;
    if (isSame) return;
    throw Error(ExitCode::File, m_folder.string() +
                                    " was moved, or its .firn-lock was removed, while this run wrote into it. Another "
                                    "run may write there now, so this one stops: continue it with --resume where its "
                                    "frames are");
}

FolderLock::~FolderLock() { ::close(m_fd); }

}  // namespace firn
