#pragma once

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>

namespace firn {

/// The extension of a file in lower case, such as ".glb".
inline std::string lowerExtension(const std::filesystem::path& file)
{
    std::string extension = file.extension().string();
    std::ranges::transform(extension, extension.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return extension;
}

}  // namespace firn
