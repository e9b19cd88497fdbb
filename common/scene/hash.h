#pragma once
// Tells whether two scenes give the same simulation. A run is resumed, and a cache is rendered, only if they do.

#include <map>
#include <string>

#include "common/scene/scene.h"

namespace firn {

/// Every key that changes the simulation: its dotted name ("solver.dx") and its value as text. The value of a file is
/// its extension and checksum. Colours, camera, lights, render keys, names, threads and the last frame are left out,
/// and so are still snow at the end of the list, and keys of Affects::SimulationIfSet that have their default. Throws
/// Error(File) if a referenced file cannot be read.
std::map<std::string, std::string> simulationKeys(const Scene& scene);

/// The content of the files that decide about pictures and not about the simulation, which are those of the still snow
/// that simulationKeys() leaves out: by key, as there. Throws Error(File) if one cannot be read.
std::map<std::string, std::string> pictureFiles(const Scene& scene);

/// The keys of the still snow that simulationKeys() leaves out, as there. They decide about pictures only. Throws
/// Error(File) if a referenced file cannot be read.
std::map<std::string, std::string> stillSnowKeys(const Scene& scene);

/// XXH3 of the keys and their values as 16 hexadecimal digits.
std::string hashOf(const std::map<std::string, std::string>& simulationKeys);

/// hashOf(simulationKeys(scene)).
std::string sceneHash(const Scene& scene);

}  // namespace firn
