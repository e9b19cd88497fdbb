#pragma once
// A filled light cache as a file. It is a checkpoint (common/cache/checkpoint.h) with the packed arrays "blocks",
// "depths", "collisions" and "light" of LightCache::Contents (render/packed_bytes.h).

#include <filesystem>
#include <string>

#include "render/light_cache.h"

namespace firn {

/// Writes the whole file or nothing. `header` identifies the cache. Throws Error(File).
void writeLightCache(const std::filesystem::path& path, const std::string& header, const LightCache& cache);

/// The contents of a file that was written with the same header. Throws Error(File) that says what is wrong with it.
LightCache::Contents readLightCache(const std::filesystem::path& path, const std::string& header);

}  // namespace firn
