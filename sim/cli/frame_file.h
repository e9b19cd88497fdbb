#pragma once
// The points files of a frame, as a run writes them.

#include <filesystem>
#include <functional>
#include <string>

#include "common/cache/particle_frame.h"
#include "common/io/checked_file.h"
#include "common/scene/scene.h"

namespace firn {

/// Particles of the simulation as the cache holds them.
ParticleSource framePoints(ParticleSource snow, const Scene& scene, const std::string& sceneHash);

/// Writes the content of a points file. If a file with other content is in its place, that file is kept under another
/// name, with a warning: it has no line in stats.jsonl, so nothing tells whether a run of this cache wrote it.
/// Throws what writeFileChecked() throws.
WrittenFile writeFrameFile(const std::filesystem::path& path, const std::string& bytes,
                           const std::function<void(const std::string&)>& warn);

}  // namespace firn
