// The program in the folder of programs: it starts the one for this machine's instructions, which is in
// ../lib/firn/INSTRUCTIONS/FIRN_PROGRAM, with the same arguments and in the same process. It is compiled for any
// x86-64.
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

constexpr int usageError = 2;
constexpr int failed = 1;

int refuse(int code, const char* text)
{
    std::fprintf(stderr, FIRN_PROGRAM ": %s\n", text);
    return code;
}

bool hasAvx2() { return __builtin_cpu_supports("x86-64-v3"); }
bool hasAvx512() { return __builtin_cpu_supports("x86-64-v4"); }

std::string folderOfProgram()
{
    char path[PATH_MAX];
    const ssize_t size = ::readlink("/proc/self/exe", path, sizeof path);
    const std::string text(path, size > 0 ? static_cast<std::size_t>(size) : 0);
    return text.substr(0, text.find_last_of('/'));
}

}  // namespace

/// FIRN_INSTRUCTIONS=AVX2 chooses AVX2 where both are possible: a farm of several kinds of machines then gives the same
/// bits on each.
int main(int, char** argv)
{
    __builtin_cpu_init();
    if (!hasAvx2()) return refuse(failed, "this machine has no AVX2 instructions, which Firn needs");
    bool wide = hasAvx512();
    const char* const wanted = std::getenv("FIRN_INSTRUCTIONS");
    if (wanted != nullptr && *wanted != '\0') {
        const bool isWide = std::strcmp(wanted, "AVX-512") == 0;
        if (!isWide && std::strcmp(wanted, "AVX2") != 0)
            return refuse(usageError, "the environment variable FIRN_INSTRUCTIONS is neither AVX2 nor AVX-512");
        if (isWide && !wide)
            return refuse(usageError, "FIRN_INSTRUCTIONS is AVX-512, and this machine has no such instructions");
        wide = isWide;
    }
    const std::string program =
        folderOfProgram() + "/../lib/firn/" + (wide ? "x86-64-v4" : "x86-64-v3") + "/" FIRN_PROGRAM;
    ::execv(program.c_str(), argv);
    std::perror((FIRN_PROGRAM ": cannot start " + program).c_str());
    return failed;
}
