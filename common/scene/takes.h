#pragma once
// [[take]] of a scene file: named variations of the shot, by dotted keys.

#include <string>
#include <vector>

#include "common/scene/builder.h"
#include "common/scene/take.h"

namespace firn {

/// Takes of one file in their order, each key tried on a copy of `builder`, which has read the file. Throws
/// Error(Usage) at the place of a missing or repeated name, of a name that is none for a folder, and of a key or value
/// that cannot be.
std::vector<Take> readTakes(const toml::table& file, const Source& source, const Builder& builder);

}  // namespace firn
