#pragma once
// Whether two scenes simulate the same: resuming a run and reading its cache depend on it.

#include <map>
#include <string>

#include "common/scene/scene.h"

namespace firn {

/// Every key that changes the simulation, by dotted name ("solver.dx") with its value as text; files count by their
/// name's ending and checksum. Colour, camera, lights, render keys, names and threads are not among them, nor is the
/// last frame. Throws Error(File) for a referenced file that cannot be read.
std::map<std::string, std::string> simulationKeys(const Scene& scene);

/// XXH3 of simulationKeys as 16 hexadecimal digits.
std::string sceneHash(const Scene& scene);

}  // namespace firn
