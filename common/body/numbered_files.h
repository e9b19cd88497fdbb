#pragma once
// The files of a sequence, one per frame: "cloth.####.obj".

#include <filesystem>
#include <string>

namespace firn {

struct NumberedFiles {
    int first = 0;
    int count = 0;
};

/// Throws Error(File) when there is no file, or when files are missing between the first and the last. The message
/// begins with `source`.
NumberedFiles numberedFiles(const std::filesystem::path& pattern, const std::string& source);

}  // namespace firn
