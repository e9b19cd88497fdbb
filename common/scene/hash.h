#pragma once
// Tells whether two scenes give the same simulation. A run is resumed, and a cache is rendered, only if they do.

#include <map>
#include <string>

#include "common/scene/scene.h"

namespace firn {

/// Every key that changes the simulation: its dotted name ("solver.dx") and its value as text. The value of a file is
/// its extension and checksum. Colours, camera, lights, render keys, names, threads and the last frame are left out,
/// and so are keys of Affects::SimulationIfSet that have their default, and scenery: still snow at the end of the list,
/// and bodies that snow does not collide with and that carry neither such a body nor a source of snow. Throws
/// Error(File) if a referenced file cannot be read.
std::map<std::string, std::string> simulationKeys(const Scene& scene);

/// The content of the files that decide about pictures and not about the simulation, which are those of scenery: by
/// key, as in simulationKeys(). Throws Error(File) if one cannot be read.
std::map<std::string, std::string> pictureFiles(const Scene& scene);

/// The keys of scenery, which simulationKeys() leaves out, as there: without those that pictures alone have, such as
/// colours. They decide about pictures only. Throws Error(File) if a referenced file cannot be read.
std::map<std::string, std::string> sceneryKeys(const Scene& scene);

/// XXH3 of the keys and their values as 16 hexadecimal digits.
std::string hashOf(const std::map<std::string, std::string>& simulationKeys);

/// hashOf(simulationKeys(scene)).
std::string sceneHash(const Scene& scene);

}  // namespace firn
