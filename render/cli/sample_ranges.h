#pragma once
// Which samples of which pixels a picture is made of: the provenance of pictures that were merged.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/image/pixel_window.h"

namespace firn {

/// Samples [first, first + count) of each pixel of the window.
struct SampleRange {
    std::uint64_t seed = 0;
    int first = 0;
    int count = 0;
    int least = 0;  // with adaptive sampling, pixels have between `least` and `count` samples
    PixelWindow window;
};

/// Whether some sample of some pixel is in both.
bool overlap(const SampleRange& a, const SampleRange& b);

/// Sorted; ranges of the same seed and window that follow each other become one, and so do neighbouring windows with
/// the same samples.
std::vector<SampleRange> joined(std::vector<SampleRange> ranges);

/// "seed 0 samples 0-63", or with adaptive sampling "seed 0 samples 0-7 to 0-63". With more than one window, each with
/// its pixels: "seed 0 samples 0-63 of 0,0,640,360".
std::string textOf(const std::vector<SampleRange>& ranges);

nlohmann::json rangesJson(const std::vector<SampleRange>& ranges);
/// Throws nlohmann::json::exception.
std::vector<SampleRange> rangesOf(const nlohmann::json& json);

}  // namespace firn
