#pragma once
// Folders of numbered pictures, such as those of the takes of a shot.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "common/image/png.h"

namespace firn {

/// One sequence "name.####.png", with name.####.exr where the PNG is missing, or "name.####.exr".
struct PictureFolder {
    std::filesystem::path path;
    std::string title;                  // what distinguishes it from the other folders; "" if it is the only one
    std::vector<std::string> settings;  // of a take of a wedge: "hardening=5"; of its first picture, if that tells them
    std::string take;                   // takeText() by wedge.json; "" if the folder is not of a wedge
    std::map<int, std::filesystem::path> pictures;  // by frame
    std::map<int, double> time_s;                   // by frame, as far as statistics say
};

/// Each given folder or, if it holds no pictures itself, each of its subfolders that hold pictures: those of a wedge in
/// its order and with its settings, others by name. Throws Error(File) for folders without pictures or with several
/// sequences.
std::vector<PictureFolder> pictureFolders(const std::vector<std::filesystem::path>& given);

/// Warns of pictures that are not those that the folder's statistics list, of those that were copied or renamed (the
/// EXR of the name says that it is of another frame), of missing ones, of those of another take than wedge.json says,
/// and of those that were made with other values than the first.
void warnOfOthers(const PictureFolder& folder);

/// Warns of takes of a wedge whose pictures differ in values that the takes do not change.
void warnOfUnlikeTakes(const std::vector<PictureFolder>& folders);

/// Reads a PNG, or an EXR with the tones of its preview, and denoised if it has that layer. Throws Error(File).
Rgb8Image readPreview(const std::filesystem::path& path);

}  // namespace firn
