#pragma once
// Which pictures are compared with which.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace firn {

struct PicturePair {
    std::optional<int> frame;  // of sequences
    std::filesystem::path a, b;

    /// "frame 12", or the name of A's file.
    std::string name() const;
};

struct PicturePairs {
    std::vector<PicturePair> pairs;                // by frame
    std::vector<int> missing_a, missing_b;         // frames that are asked for, or in the other sequence
    std::filesystem::path sequence_a, sequence_b;  // patterns; empty for single pictures
};

/// `a` and `b` are files, folders with one sequence each, or patterns; `frames` as for parseFrames, empty for all.
/// Throws Error(Usage) for a picture against a sequence or a folder of several, Error(File) where there is none.
PicturePairs matchPictures(const std::filesystem::path& a, const std::filesystem::path& b, const std::string& frames);

}  // namespace firn
