#pragma once
// The snow of a frame in a cache: whether it is of the scene, what it is known by, and reading it.

#include <optional>
#include <string>
#include <vector>

#include "render/cli/frames_options.h"
#include "render/snow_particles.h"

namespace firn {

/// Whether pictures depend on where the snow lay at rest, which the first frame tells.
bool needsRestPlaces(const Scene& scene);

/// Why the file of a frame cannot be opened, such as a link that leads nowhere; "" if it can.
std::string unreadableText(const FramesJob& job, int frame);

/// Those of `frames` whose files can be opened.
std::vector<int> readableFrames(const FramesJob& job, std::vector<int> frames);

/// Throws Error(Usage) if the first bytes of a frame's file say that it is not of the scene, whose hash is `hash`. The
/// error names the keys that differ. With --force, this text is returned as a warning; without a difference, "" is.
/// Files that the cache's own run did not write are left to readSnow(), which refuses each when its turn comes.
std::string requireSameScene(const FramesJob& job, const std::vector<int>& frames, const Scene& scene,
                             const std::string& hash);

/// Of the files with the snow of a frame, of the snow at rest and of scenery (restChecksum).
std::string snowChecksum(const FramesJob& job, int frame, const std::string& rest);

/// The first frame of the scene, if the cache has it and the scene asks for detail, which needs places of rest.
std::optional<SnowParticles> firstFrame(const FramesJob& job, const Scene& scene);

/// Of the cache's first frame, where the picture depends on where the snow lay at rest and the cache was simulated with
/// the frame, and of scenery (sceneryKeys()); "" if there is neither. Throws Error(File) if the frame has been lost,
/// unless --force is given, or if a file cannot be read.
std::string restChecksum(const FramesJob& job, const Scene& scene);

/// A warning where the cache has no places of rest and the scene needs them; otherwise "".
std::string missingRestText(const FramesJob& job, const Scene& scene);

/// The particles of a frame, with those that have left the simulation until then. Throws Error(File) if the file is
/// another frame, or if such particles are missing. Unless --force is given, throws Error(Usage) if they are not of the
/// scene, whose hash is `hash`, and Error(File) if moreover the cache's own run did not write the file.
SnowParticles readSnow(const FramesJob& job, int frame, const Scene& scene, const std::string& hash);

}  // namespace firn
