#pragma once
// The cache as a USD layer in text form: a Volume whose OpenVDBAsset points to one file per frame. Solaris and usdview
// load it; no USD library is needed to write it.

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace firn {

/// `files`: frame and file name relative to the layer, ascending. Metres, y up, time codes are frames.
std::string usdaText(const std::vector<std::pair<int, std::string>>& files, double fps);

/// The frames of a layer that usdaText made, byte by byte. None if somebody has edited it.
std::optional<std::vector<int>> framesOfUsdaText(const std::string& text);

}  // namespace firn
