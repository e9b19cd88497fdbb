#pragma once
// Options that commands of both programs have.

#include <filesystem>
#include <string>
#include <vector>

#include "common/cli/command.h"
#include "common/io/progress.h"
#include "common/scene/load.h"

namespace firn {

/// The scene file, --quality, --set and --allow-outside.
std::vector<Option> sceneOptions(std::filesystem::path& shot, SceneOptions& scene);

Option threadsOption(int& threads);

/// The text is for parseProgressMode.
Option progressOption(std::string& progress);

}  // namespace firn
