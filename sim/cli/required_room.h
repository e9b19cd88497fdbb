#pragma once
// Whether a run fits into memory and on the disk.

#include <functional>
#include <string>

#include "common/cache/layout.h"
#include "common/scene/scene.h"
#include "sim/cli/forecast.h"

namespace firn {

/// Throws Error(Usage) when the run cannot fit into memory, before it allocates any. Warns when it may not fit on the
/// disk; if it `replaces` an old cache, that is an Error(File), so that the old cache is not lost.
void requireRoom(const Scene& scene, const Forecast& forecast, const CacheLayout& layout, bool replaces,
                 const std::function<void(const std::string&)>& warn);

}  // namespace firn
