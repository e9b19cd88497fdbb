#include "common/io/checked_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>

#include "common/error.h"
#include "common/io/checksum.h"

namespace firn {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view temporaryPrefix = ".firn-tmp-";
constexpr std::size_t chunkBytes = static_cast<std::size_t>(4) << 20;

[[noreturn]] void fail(const std::string& what, const fs::path& path, int error)
{
    const std::string message = "cannot " + what + " " + path.string() + ": " + std::strerror(error);
    if (error == ENOSPC || error == EDQUOT) throw DiskFull(ExitCode::File, message);
    throw Error(ExitCode::File, message);
}

/// An open file that is closed by the destructor; `close` reports errors, which the destructor cannot.
class Descriptor {
public:
    explicit Descriptor(int fd) : m_fd(fd) {}
    Descriptor(Descriptor&& other) noexcept : m_fd(other.m_fd) { other.m_fd = -1; }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor()
    {
        if (m_fd >= 0) ::close(m_fd);
    }
    operator int() const { return m_fd; }
    int close() { return ::close(std::exchange(m_fd, -1)); }

private:
    int m_fd;
};

/// Unlinks the temporary file unless it was renamed. Holds its lock, which tells removeTemporaries that its writer
/// lives.
struct Temporary {
    fs::path path;
    std::optional<Descriptor> lock;
    ~Temporary()
    {
        if (!path.empty()) ::unlink(path.c_str());
    }
};

/// Whether the file is locked now and still has its name: removeTemporaries may come between open and lock.
bool lockTemporary(int fd)
{
    struct stat status {};
    if (::flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return false;
    return ::fstat(fd, &status) == 0 && status.st_nlink > 0;
}

fs::path folderOf(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

/// A name in the folder of `path` that no other writer uses.
fs::path temporaryName(const fs::path& path)
{
    static std::atomic<unsigned> counter{0};
    return folderOf(path) / (std::string(temporaryPrefix) + std::to_string(::getpid()) + "-" +
                             std::to_string(counter++) + "-" + path.filename().string());
}

/// A new empty file in the folder of `path`.
Descriptor createTemporary(const fs::path& path, Temporary& temporary)
{
    for (int attempt = 0; attempt < 100; ++attempt) {
        const fs::path candidate = temporaryName(path);
        const int fd = ::open(candidate.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0) {
            Descriptor file(fd);
            if (!lockTemporary(file)) continue;
            temporary.path = candidate;
            temporary.lock.emplace(::fcntl(file, F_DUPFD_CLOEXEC, 0));
            return file;
        }
        if (errno != EEXIST) fail("write", path, errno);
    }
    fail("write", path, EEXIST);
}

void writeAll(int fd, std::span<const std::byte> bytes, const fs::path& path)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(fd, bytes.data(), std::min(bytes.size(), chunkBytes));
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail("write", path, errno);
        if (written == 0) fail("write", path, ENOSPC);
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

void syncFolder(const fs::path& folder)
{
    Descriptor fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (fd < 0) fail("open folder", folder, errno);
    // Some network file systems cannot sync a folder and return EINVAL.
    if (::fsync(fd) != 0 && errno != EINVAL) fail("sync folder", folder, errno);
}

/// Whether createTemporary makes such names: ".firn-tmp-PROCESS-NUMBER-...".
bool isTemporaryName(const std::string& name)
{
    if (!name.starts_with(temporaryPrefix)) return false;
    long process = 0;
    int length = 0;
    const char* rest = name.c_str() + temporaryPrefix.size();
    return std::sscanf(rest, "%9ld-%*9u-%n", &process, &length) == 1 && length > 0;
}

/// Unlinks a temporary file that no process has locked.
void removeIfAbandoned(const fs::path& path)
{
    const Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (fd < 0) return;
    if (::flock(fd, LOCK_EX | LOCK_NB) == 0) ::unlink(path.c_str());
}

struct MovedFile {
    fs::path from, to;
};

/// Renames the files back, the last one first. The end of an error message: which ones could not be put back.
std::string putBack(const std::vector<MovedFile>& moved)
{
    std::string lost;
    for (auto file = moved.rbegin(); file != moved.rend(); ++file) {
        if (::rename(file->to.c_str(), file->from.c_str()) != 0) lost += " " + file->from.string();
    }
    return lost.empty() ? ". No file was removed" : ". These files could not be put back:" + lost;
}

/// A synced and measured file in the folder of `path`.
void writeTemporary(const fs::path& path, std::span<const std::byte> bytes, Temporary& temporary)
{
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
        throw Error(ExitCode::File, "cannot write " + path.string() + ": it exists and is not a regular file");
    }
    Descriptor fd = createTemporary(path, temporary);
    writeAll(fd, bytes, path);
    if (::fsync(fd) != 0) fail("sync", path, errno);
    if (::fstat(fd, &status) != 0) fail("measure", path, errno);
    if (static_cast<std::uint64_t>(status.st_size) != bytes.size()) {
        throw Error(ExitCode::File, "cannot write " + path.string() + ": " + std::to_string(status.st_size) + " of " +
                                        std::to_string(bytes.size()) + " bytes were written");
    }
    if (fd.close() != 0) fail("close", path, errno);
}

}  // namespace

WrittenFile writeFileChecked(const fs::path& path, std::span<const std::byte> bytes,
                             const std::function<void()>& mayReplace)
{
    Temporary temporary;
    writeTemporary(path, bytes, temporary);
    if (mayReplace) mayReplace();
    std::error_code error;
    if (fs::is_symlink(path, error) && !fs::exists(path, error))
        throw Error(ExitCode::File,
                    path.string() + " is a link to " + fs::read_symlink(path, error).string() +
                        ", which does not exist. The new file would replace the link: move the link away");
    if (::rename(temporary.path.c_str(), path.c_str()) != 0) fail("rename to", path, errno);
    temporary.path.clear();
    syncFolder(folderOf(path));
    return {path, bytes.size(), checksum(bytes)};
}

WrittenFile writeFileChecked(const fs::path& path, std::string_view text, const std::function<void()>& mayReplace)
{
    return writeFileChecked(path, std::as_bytes(std::span(text)), mayReplace);
}

void tryToWriteFile(const fs::path& path, std::span<const std::byte> bytes)
{
    Temporary temporary;
    writeTemporary(path, bytes, temporary);
}

fs::path setAside(const fs::path& path)
{
    int number = 1;
    const auto name = [&] { return fs::path(path.string() + "." + std::to_string(number)); };
    while (fs::exists(fs::symlink_status(name()))) ++number;
    if (::rename(path.c_str(), name().c_str()) != 0) fail("rename", path, errno);
    return name();
}

void removeFilesTogether(const std::vector<fs::path>& paths)
{
    std::vector<MovedFile> moved;
    for (const fs::path& path : paths) {
        const fs::path aside = temporaryName(path);
        if (::rename(path.c_str(), aside.c_str()) == 0) {
            moved.push_back({path, aside});
        } else if (const int error = errno; error != ENOENT) {
            throw Error(ExitCode::File,
                        "cannot remove " + path.string() + ": " + std::strerror(error) + putBack(moved));
        }
    }
    for (const MovedFile& file : moved) ::unlink(file.to.c_str());
}

std::vector<std::byte> readFile(const fs::path& path, std::uint64_t limit)
{
    Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));  // a pipe is refused, not waited for
    if (const int error = errno; fd < 0) {
        if (error == ENOENT) requireNoDeadLink(path);
        fail("read", path, error);
    }
    struct stat status {};
    if (::fstat(fd, &status) != 0) fail("read", path, errno);
    if (S_ISDIR(status.st_mode)) fail("read", path, EISDIR);
    if (!S_ISREG(status.st_mode)) throw Error(ExitCode::File, "cannot read " + path.string() + ": not a regular file");
    if (static_cast<std::uint64_t>(status.st_size) > limit) {
        throw Error(ExitCode::File, "cannot read " + path.string() + ": " + std::to_string(status.st_size) +
                                        " bytes, expected at most " + std::to_string(limit));
    }
    std::vector<std::byte> bytes(static_cast<std::size_t>(status.st_size));
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t count = ::read(fd, bytes.data() + done, std::min(bytes.size() - done, chunkBytes));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail("read", path, errno);
        if (count == 0) break;
        done += static_cast<std::size_t>(count);
    }
    if (done != bytes.size())
        throw Error(ExitCode::File, "cannot read " + path.string() + ": it became shorter while it was read");
    return bytes;
}

void requireNoDeadLink(const fs::path& path)
{
    std::error_code error;
    const fs::path target = fs::read_symlink(path, error);
    if (error || fs::exists(path, error)) return;
    if (error == std::errc::too_many_symbolic_link_levels)
        throw Error(ExitCode::File, path.string() + " is a link that leads back to itself: remove it");
    throw Error(ExitCode::File, path.string() + " is a link to " + target.string() +
                                    ", which does not exist: remove the link, or put back what it points to");
}

void requireReadable(const fs::path& path)
{
    requireNoDeadLink(path);
    if (::access(path.c_str(), R_OK) != 0 && errno == EACCES) fail("read", path, EACCES);
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status) || fs::is_regular_file(status)) return;
    const std::string kind = fs::is_directory(status) ? "a folder" : "a pipe, a socket or a device";
    throw Error(ExitCode::File, path.string() + " is " + kind + "; expected a regular file: move it away");
}

bool beginsWith(const fs::path& path, std::string_view text)
{
    requireReadable(path);
    std::string start(text.size(), '\0');
    std::ifstream in(path, std::ios::binary);
    in.read(start.data(), static_cast<std::streamsize>(start.size()));
    return in && start == text;
}

void prepareFolder(const fs::path& folder)
{
    std::error_code error;
    if (fs::exists(folder, error) && !fs::is_directory(folder, error))
        throw Error(ExitCode::File, folder.string() + " is a file, but a folder is needed");
    requireNoDeadLink(folder);
    fs::create_directories(folder, error);
    if (error) fail("make folder", folder, error.value());
    if (::access(folder.c_str(), W_OK | X_OK) != 0) fail("write into the folder", folder, errno);
    Temporary temporary;
    Descriptor fd = createTemporary(folder / "probe", temporary);
    // A full disk often still has room for an empty file, so the probe has content.
    const std::string content(4096, '\n');
    writeAll(fd, std::as_bytes(std::span(content)), folder);
    if (::fsync(fd) != 0) fail("write into the folder", folder, errno);
    removeTemporaries(folder);
}

void removeTemporaries(const fs::path& folder)
{
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        if (isTemporaryName(entry.path().filename().string())) removeIfAbandoned(entry.path());
    }
}

}  // namespace firn
