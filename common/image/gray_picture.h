#pragma once
// Grey pictures that are data, such as heights and masks, from .png and .exr files.

#include <filesystem>
#include <string>
#include <vector>

namespace firn {

struct GrayPicture {
    int width = 0, height = 0;
    std::vector<float> values;  // rows from the top left; 0 to 1 from a .png, as they are from an .exr
};

/// Whether the file's name has an extension that readGrayPicture reads.
bool isGrayPicture(const std::filesystem::path& file);

/// Reads a .png of 8 or 16 bits, or the first of `channels` that an .exr has. `source` names the file in messages.
/// Throws Error: File if the file cannot be read; Usage if it has none of the channels, less than 2 or more than 4096
/// pixels on a side, or a value that is not finite.
GrayPicture readGrayPicture(const std::filesystem::path& file, const std::vector<std::string>& channels,
                            const std::string& source);

}  // namespace firn
