#pragma once
// The keys of a scene that decide what a picture or a camera path is.

#include <map>
#include <string>

namespace firn {

/// The values of scene text by key that decide about a picture. Threads do not, and of the scene's frames only the
/// first one does, at which time begins: "first frame". Throws Error(Usage) for text that is not TOML; `name` says
/// whose it is.
std::map<std::string, std::string> pictureKeys(const std::string& toml, const std::string& name);

/// As pictureKeys(), without seed, number of paths, tone curve and precision of files.
std::map<std::string, std::string> pathKeys(const std::string& toml, const std::string& name);

}  // namespace firn
