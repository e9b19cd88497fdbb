#pragma once

#include <string>
#include <vector>

#include "common/cli/command.h"
#include "render/cli/frames_options.h"

namespace firn {

/// --cache, --out and --frames of commands that write files from the frames of one cache. `outHelp`: what --out is.
std::vector<Option> cacheOptions(FramesJob& job, const std::string& outHelp);

/// Runs `work` with the number of threads that the job or its scene asks for.
ExitCode runWithThreadsOf(const FramesJob& job, const Scene& scene, const std::function<ExitCode()>& work);

/// Throws Error(Usage) if the folder for results holds a cache.
void requireNoCacheIn(const std::filesystem::path& out);

}  // namespace firn
