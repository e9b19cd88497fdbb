#pragma once
// Pictures of a sequence that were made with other values than its first picture, and takes whose pictures differ in
// more than the takes do.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "common/take.h"

namespace firn {

/// What differs among the pictures of a sequence.
struct DifferingPictures {
    std::vector<int> frames;  // ascending; none if all were made with the same values
    std::string difference;   // of the first of them: "render.sun_angle: 1 in frame 1, 2 in frame 3"
};

/// The frames that are of other values (valuesOf, and the tone curve) or of another simulation than the first one.
/// Sizes are not compared. A file that is no picture of Firn's, is of another frame, or cannot be read is passed over.
/// `pictures`: EXR files by frame.
DifferingPictures differingPictures(const std::map<int, std::filesystem::path>& pictures);

/// The frames whose previews are denoised where that of the first frame is not, or the reverse (--raw-preview). Frames
/// without a preview are passed over. `pictures`: the EXR files or the previews, by frame.
std::vector<int> differingPreviews(const std::map<int, std::filesystem::path>& pictures);

/// How the first pictures of two takes differ in values that neither take changes: "light.0.strength: 8 in 'day', 2 in
/// 'dusk'". "" if they do not, or if it is not known. A take that sets a preset, or any key of a region of snow, may
/// change all keys of such tables.
std::string differenceOfTakes(const Take& first, const std::map<int, std::filesystem::path>& pictures,
                              const Take& other, const std::map<int, std::filesystem::path>& others);

}  // namespace firn
