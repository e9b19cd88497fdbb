#include "common/io/data_folder.h"

namespace firn {

namespace fs = std::filesystem;

fs::path dataFolder()
{
    std::error_code error;
    const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
    const bool isInLibrary = folder.parent_path().filename() == "firn";  // lib/firn/INSTRUCTIONS
    const fs::path prefix = isInLibrary ? folder.parent_path().parent_path().parent_path() : folder.parent_path();
    const fs::path data = prefix / "share/firn";
    return fs::is_directory(data, error) ? data : fs::path();
}

}  // namespace firn
