#pragma once
// Films in the folder of the pictures: which may be replaced, and which a run goes on with.

#include <filesystem>
#include <optional>
#include <string>

#include "common/scene/scene.h"
#include "render/cli/film_header.h"
#include "render/frame.h"

namespace firn {

/// Whether the file is a film that can be read.
bool isFilm(const std::filesystem::path& file);

/// Whether the file is a film of the picture `key` that can be read.
bool isFilmOf(const std::filesystem::path& film, const std::string& key);

/// The same, and it has all samples of the picture.
bool isCompleteFilmOf(const std::filesystem::path& film, const std::string& key);

/// The same, and it has at least as many samples as `state`, all of them if `state` has all.
bool hasSamplesOf(const std::filesystem::path& film, const std::string& key, const FrameState& state);

/// Throws Error(Usage) if rendering `picture` would throw samples away: those of another picture, or, unless the run is
/// resumed, those of the same picture that a stopped run left. Throws Error(File) for a damaged film, unless the run is
/// resumed: it then renders the frame anew and leaves the film. `scene` names parts of the scene in messages.
void requireContinuedFilm(const std::filesystem::path& film, const FilmHeader& picture, const Scene& scene,
                          bool isResumed);

/// The samples that an earlier run left; none without a film. Throws Error(Usage) if they are not of `picture`, and
/// Error(File) if the film is damaged.
std::optional<FrameState> earlierSamples(const std::filesystem::path& film, const FilmHeader& picture,
                                         const Scene& scene);

}  // namespace firn
