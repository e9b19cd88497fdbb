#pragma once
// The cache as a USD layer in text form: a Volume whose OpenVDBAsset points to one file per frame. Solaris and usdview
// load it; no USD library is needed to write it.

#include <string>
#include <utility>
#include <vector>

namespace firn {

/// `files`: frame and file name relative to the layer, ascending. Metres, y up, time codes are frames.
std::string usdaText(const std::vector<std::pair<int, std::string>>& files, double fps);

/// Whether `text` is what usdaText makes of some frames and frame rate, byte by byte. A layer that somebody has edited
/// is not.
bool isUsdaText(const std::string& text);

}  // namespace firn
