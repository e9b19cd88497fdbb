#pragma once
// The resolved scene as text, which is stored in the metadata of pictures.

#include <string>

#include "common/scene/load.h"

namespace firn {

/// LoadedScene::dump() without comments: neither paths of the machine nor the origin of values.
std::string dumpValues(const LoadedScene& loaded);

}  // namespace firn
