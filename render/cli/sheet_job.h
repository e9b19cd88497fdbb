#pragma once
// The work of firn-render sheet: many pictures on one sheet, each with a caption.

#include <filesystem>
#include <string>
#include <vector>

#include "common/error.h"
#include "render/cli/picture_folders.h"

namespace firn {

struct SheetJob {
    std::vector<std::filesystem::path> folders;
    std::filesystem::path out;
    std::string frames;  // "": all, or `count` of them, evenly spaced
    int count = 0;       // greatest number of frames of a folder; 0: 24 with one folder, 6 with several
    int columns = 0;     // 0: by the number of pictures; ignored if each folder is a row
    int width = 320;     // of a picture, pixels
};

/// The sheet of these folders: several folders with several frames are one row each; otherwise there are as many rows
/// as needed. Throws Error(Usage) when none of --frames exists or the sheet would be too large, and Error(File) for
/// pictures that cannot be read.
Rgb8Image contactSheet(const std::vector<PictureFolder>& folders, const SheetJob& job);

/// Writes the sheet to `out` and prints its path.
ExitCode makeSheet(const SheetJob& job);

}  // namespace firn
