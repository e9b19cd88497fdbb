#pragma once
// Reads [[take]] of a scene file: named variations of the shot, given by dotted keys.

#include <string>
#include <vector>

#include "common/scene/builder.h"
#include "common/take.h"

namespace firn {

/// The takes of one file in its order. Each key is tried on a copy of `builder`, which has read the file. Throws
/// Error(Usage) at the place of a missing or repeated name, a name that cannot be a folder's, or a wrong key or value.
std::vector<Take> readTakes(const toml::table& file, const Source& source, const SceneBuilder& builder);

}  // namespace firn
