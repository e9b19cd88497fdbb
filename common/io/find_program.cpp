#include "common/io/find_program.h"

#include <unistd.h>

#include <cstdlib>
#include <sstream>

namespace firn {
namespace {

namespace fs = std::filesystem;

bool isExecutable(const fs::path& path)
{
    std::error_code error;
    return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

}  // namespace

std::optional<fs::path> findProgram(const std::string& name)
{
    const char* const path = std::getenv("PATH");
    std::istringstream folders(path ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');) {
        const fs::path program = fs::path(folder) / name;
        if (!folder.empty() && isExecutable(program)) return program;
    }
    return std::nullopt;
}

std::optional<fs::path> findOwnProgram(const std::string& name, const std::string& buildFolder)
{
    std::error_code error;
    const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
    for (const fs::path& program : {folder / name, folder.parent_path() / buildFolder / name})
        if (isExecutable(program)) return program;
    return findProgram(name);
}

}  // namespace firn
