#pragma once
// The values of a scene by key.

#include <map>
#include <string>

namespace firn {

/// Every value of TOML text by its key, as in --set: "render.seed" -> "0", "snow.0.noise.1.scale_m" -> "0.1". Tables of
/// a list are numbered from 0. Values are TOML text. Throws Error(Usage) for text that is not TOML; `name` says whose
/// it is.
std::map<std::string, std::string> flatScene(const std::string& toml, const std::string& name);

}  // namespace firn
