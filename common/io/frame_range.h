#pragma once
// Frame ranges and padded file names as film tools write them: "1-100x2,120", "snow.####.vdb", "%04d", "$F4".

#include <filesystem>
#include <string>
#include <vector>

namespace firn {

/// "1-100", "1-100x2", "1,5,9-12", negatives such as "-5--1"; in the order given, each frame once.
/// Throws Error(Usage) with the part that is wrong.
std::vector<int> parseFrames(const std::string& text);

/// The shortest way to write `frames` (ascending): "1-4,7".
std::string formatFrames(const std::vector<int>& frames);

/// "frame 3", "frames 1-4,7"; also of frames that are formatted already.
std::string framesText(const std::vector<int>& frames);
std::string framesText(const std::string& formatted);

/// Whether the file name of `path` has a place for the frame number.
bool isFramePattern(const std::filesystem::path& path);

/// Puts `frame` where `pattern` has ####, %04d, %d, $F4 or $F, padded with zeros to that width (the sign counts,
/// as in printf). Throws Error(Usage) when the file name of `pattern` has no such place or several.
std::filesystem::path framePath(const std::filesystem::path& pattern, int frame);

/// Frames for which a file exists, ascending.
std::vector<int> existingFrames(const std::filesystem::path& pattern);

}  // namespace firn
