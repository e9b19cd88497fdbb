#pragma once
// Sizes and parts of pictures as the command line writes them.

#include <string>

#include "common/image/pixel_window.h"

namespace firn {

/// "960x540". Throws Error(Usage).
void parseResolution(const std::string& text, int& width, int& height);
/// "x,y,width,height". Throws Error(Usage).
PixelWindow parseCrop(const std::string& text);

}  // namespace firn
