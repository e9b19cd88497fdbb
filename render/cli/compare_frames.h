#pragma once
// Which pictures are compared with each other.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace firn {

struct PicturePair {
    std::optional<int> frame;  // empty: single pictures
    std::filesystem::path a, b;

    /// "frame 12", or the name of A's file.
    std::string name() const;
};

struct PicturePairs {
    std::vector<PicturePair> pairs;                // by frame
    std::vector<int> missing_a, missing_b;         // frames that --frames asks for or the other sequence has
    std::filesystem::path sequence_a, sequence_b;  // patterns; empty for single pictures
};

/// `a` and `b` are files, folders with one sequence each, or patterns; `frames` is for parseFrames, empty: all. Throws
/// Error(Usage) for a picture and a sequence, or a folder with several sequences, and Error(File) if nothing is found.
PicturePairs matchPictures(const std::filesystem::path& a, const std::filesystem::path& b, const std::string& frames);

}  // namespace firn
