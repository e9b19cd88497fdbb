#pragma once
// The keys of a scene that decide what a picture or a camera path is.

#include <map>
#include <string>

#include "common/scene/load.h"

namespace firn {

/// The text of a scene that its pictures carry: dumpValues(), and comments with the content of the files that decide
/// about pictures alone (pictureFiles()). Throws Error(File) if one cannot be read.
std::string pictureText(const LoadedScene& loaded);

/// The values of scene text by key that decide about a picture. Threads do not, and of the scene's frames only the
/// first one does, at which time begins: "first frame". The content of a file has the key of the file and " content".
/// Throws Error(Usage) for text that is not TOML; `name` says
/// whose it is.
std::map<std::string, std::string> pictureKeys(const std::string& toml, const std::string& name);

/// As pictureKeys(), without seed, number of paths, tone curve and precision of files.
std::map<std::string, std::string> pathKeys(const std::string& toml, const std::string& name);

}  // namespace firn
