#pragma once
// The page of a playblast.

#include <filesystem>
#include <string>
#include <vector>

namespace firn {

struct PlayblastPage {
    std::string title;
    double fps = 24;
    int last_frame = 0;                 // of the scene
    bool is_growing = false;            // frames are still added: the page loads itself again
    std::vector<int> frames;            // that have a picture, ascending
    std::vector<std::string> pictures;  // file names beside the page, one for each frame
    std::string color;                  // what the colour of snow tells
};

/// Writes the page. `cache`: of the statistics that it plots. Throws Error(File) if another file is in its place.
void writePlayblastPage(const std::filesystem::path& path, const PlayblastPage& page,
                        const std::filesystem::path& cache);

/// Throws Error(File) if another file is in the place of the page.
void requirePlayblastPage(const std::filesystem::path& path);

}  // namespace firn
