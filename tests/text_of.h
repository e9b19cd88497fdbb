#pragma once
// The content of a file, for tests.

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace firn {

/// All bytes of a file; "" if it cannot be read.
inline std::string textOf(const std::filesystem::path& file)
{
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
}

}  // namespace firn
