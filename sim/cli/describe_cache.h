#pragma once
// What a cache folder, a frame or a checkpoint contains, as JSON.

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

namespace firn {

/// An object whose member `kind` says what the path is: "cache", "frame" or "checkpoint". A cache's member `whole` is
/// false when one of its files is damaged or missing. Throws Error(File) when the path cannot be read.
nlohmann::ordered_json describeCache(const std::filesystem::path& path);

}  // namespace firn
