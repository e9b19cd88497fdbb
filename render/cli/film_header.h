#pragma once
// What a film (render/film_file.h) shows: enough to go on with it, to merge it and to write its picture.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "common/image/image.h"
#include "render/cli/sample_ranges.h"

namespace firn {

struct FilmHeader {
    std::string key;    // checksum of all that decides about the picture's bits; a run goes on only with its own key
    std::string scene;  // its name
    int frame = 0;
    std::string snow;                            // checksum of the frame of the cache
    std::string scene_toml;                      // the resolved scene
    std::map<std::string, std::string> options;  // of the command, as far as they decide about the bits
    bool half = true;                            // precision of the EXR
    Metadata metadata;                           // of the picture, as far as they do not depend on its samples
    std::vector<SampleRange> samples;
};

std::string headerText(const FilmHeader& header);

/// Throws Error(File) that names `path`.
FilmHeader parseFilmHeader(const std::string& text, const std::filesystem::path& path);

/// The name of the file in which a run keeps the film.
std::string filmName(const FilmHeader& header);

/// What to do with a film that has another name than filmName(): rename it, or, where a file of that name is beside it,
/// move it away.
std::string renamedFilmAdvice(const std::filesystem::path& film, const FilmHeader& header);

}  // namespace firn
