// Preloaded (LD_PRELOAD) into a program under test: the k-th call of one function fails.
// FIRN_UNREADABLE="name": files whose paths end so may not be read.
// FIRN_FAIL="write 3" | "fsync 1" | "rename 1" | "close 2" | "short 1" (a write that takes half and then fails).
// With FIRN_KILL set the program is killed at that call instead, as kill -9 does.

#include <dlfcn.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace {

template <class F>
F* next(const char* name)
{
    return reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
}

/// Counts the calls of `name`; true for the one that is to fail.
bool isFailing(const char* name)
{
    static int calls = 0;
    char chosen[16] = "";
    int number = 0;
    const char* plan = std::getenv("FIRN_FAIL");
    if (!plan || std::sscanf(plan, "%15s %d", chosen, &number) != 2) return false;
    if (std::strcmp(chosen, name) != 0 || ++calls != number) return false;
    if (std::getenv("FIRN_KILL")) kill(getpid(), SIGKILL);
    return true;
}

int fail(int error)
{
    errno = error;
    return -1;
}

}  // namespace

extern "C" ssize_t write(int fd, const void* data, size_t count)
{
    static auto* real = next<ssize_t(int, const void*, size_t)>("write");
    static bool full = false;
    if (fd <= 2) return real(fd, data, count);
    if (full || isFailing("write")) return fail(ENOSPC);
    if (isFailing("short")) {
        full = true;
        return real(fd, data, count / 2);
    }
    return real(fd, data, count);
}

extern "C" int fsync(int fd)
{
    static auto* real = next<int(int)>("fsync");
    return isFailing("fsync") ? fail(EIO) : real(fd);
}

extern "C" int close(int fd)
{
    static auto* real = next<int(int)>("close");
    if (fd <= 2 || !isFailing("close")) return real(fd);
    real(fd);
    return fail(EIO);
}

extern "C" int access(const char* path, int mode) noexcept
{
    static auto* real = next<int(const char*, int)>("access");
    const char* unreadable = std::getenv("FIRN_UNREADABLE");
    const bool isChosen = unreadable && std::string_view(path).ends_with(unreadable);
    return isChosen && (mode & R_OK) != 0 ? fail(EACCES) : real(path, mode);
}

extern "C" int rename(const char* from, const char* to) noexcept
{
    static auto* real = next<int(const char*, const char*)>("rename");
    return isFailing("rename") ? fail(EACCES) : real(from, to);
}
