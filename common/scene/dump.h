#pragma once
// The resolved scene as text that pictures carry.

#include <string>

#include "common/scene/load.h"

namespace firn {

/// LoadedScene::dump without comments: it tells nothing of the machine or of how values came about.
std::string dumpValues(const LoadedScene& loaded);

}  // namespace firn
