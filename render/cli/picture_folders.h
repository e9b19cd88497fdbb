#pragma once
// Folders of numbered pictures, several side by side: takes of a shot.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "common/image/png.h"

namespace firn {

/// One sequence "name.####.png" or, where there are none, "name.####.exr".
struct PictureFolder {
    std::filesystem::path path;
    std::string title;                              // what tells it from the others; "" where there are none
    std::vector<std::string> settings;              // of a wedge's take: "hardening=5"
    std::map<int, std::filesystem::path> pictures;  // by frame
    std::map<int, double> time_s;                   // by frame, as far as statistics say
};

/// Each given folder or, where it holds none itself, each of its subfolders that hold pictures: a wedge's in its order
/// and with its settings, else by name. Throws Error(File) for folders without pictures or with several sequences.
std::vector<PictureFolder> pictureFolders(const std::vector<std::filesystem::path>& given);

/// The picture as it is, or an EXR toned as its preview would be. Throws Error(File).
Rgb8Image readPreview(const std::filesystem::path& path);

}  // namespace firn
