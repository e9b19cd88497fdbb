#pragma once
// A frame in the making, or its finished sums, as a file: to go on after an interruption, and to merge parts that
// different machines rendered. The file is a checkpoint (common/cache/checkpoint.h) with the blocks "film" (geometry
// and counts), "wanted", and "pixels.0", "pixels.1", ...: sums of pixels (render/packed_bytes.h).

#include <filesystem>
#include <string>

#include "render/frame.h"

namespace firn {

struct FilmFile {
    std::string header;  // what writeFilm was given
    FrameState state;
};

/// Written as a whole or not at all. `header` says what the film shows. Throws Error(File).
void writeFilm(const std::filesystem::path& path, const std::string& header, const FrameState& state);

/// Throws Error(File) that names the file and what is wrong with it.
FilmFile readFilm(const std::filesystem::path& path);

}  // namespace firn
