#pragma once
// The keys of a scene that decide what a camera path is.

#include <map>
#include <string>

namespace firn {

/// The values of scene text by key, without seed, number of paths, tone curve, precision of files and threads. Throws
/// Error(Usage) for text that is not TOML; `name` says whose it is.
std::map<std::string, std::string> pathKeys(const std::string& toml, const std::string& name);

}  // namespace firn
