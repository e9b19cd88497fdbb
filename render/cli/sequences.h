#pragma once
// Numbered pictures in a folder.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace firn {

/// Frames (ascending) of the sequences "name.####" + extension in the folder, by their patterns. Throws Error(File)
/// when the folder cannot be read.
std::map<std::filesystem::path, std::vector<int>> sequences(const std::filesystem::path& folder,
                                                            const std::string& extension = ".exr");

/// Throws Error(Usage) if a file to be written has the name of a frame, and its folder has other frames of that kind:
/// it would count as one of them, or as a sequence of its own.
void requireNoFrameName(const std::filesystem::path& out);

}  // namespace firn
