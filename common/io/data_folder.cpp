#include "common/io/data_folder.h"

namespace firn {

namespace fs = std::filesystem;

fs::path dataFolder()
{
    constexpr int levels = 4;  // PREFIX/lib/firn/INSTRUCTIONS/PROGRAM is the deepest place of a program
    std::error_code error;
    fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
    for (int level = 0; level < levels && folder.has_relative_path(); ++level, folder = folder.parent_path()) {
        if (const fs::path data = folder.parent_path() / "share/firn"; fs::is_directory(data, error)) return data;
    }
    return {};
}

}  // namespace firn
