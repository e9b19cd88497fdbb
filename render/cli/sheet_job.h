#pragma once
// firn-render sheet: many pictures on one, each with what it is written below.

#include <filesystem>
#include <string>
#include <vector>

#include "common/error.h"
#include "render/cli/picture_folders.h"

namespace firn {

struct SheetJob {
    std::vector<std::filesystem::path> folders;
    std::filesystem::path out;
    std::string frames;  // "" = all, thinned to `count`
    int count = 0;       // most frames of a folder, evenly spaced; 0: 24 of one folder, 6 of each of several
    int columns = 0;     // 0: by the number of pictures; of no use where each folder is a row
    int width = 320;     // of a picture, pixels
};

/// The sheet of these folders: a row per folder where there are several with several frames, else as many rows as it
/// takes. Throws Error: Usage where nothing is left of --frames or the sheet would be too large, File for pictures
/// that cannot be read.
Rgb8Image contactSheet(const std::vector<PictureFolder>& folders, const SheetJob& job);

/// Reads, draws and writes `out`; tells its path on stdout.
ExitCode makeSheet(const SheetJob& job);

}  // namespace firn
