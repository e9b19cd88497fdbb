#pragma once
// Sizes and parts of pictures on the command line.

#include <string>

#include "common/image/pixel_window.h"

namespace firn {

/// "960x540". Throws Error(Usage).
void parseResolution(const std::string& text, int& width, int& height);
/// "x,y,width,height". Throws Error(Usage).
PixelWindow parseCrop(const std::string& text);
/// "first-last", numbers of samples below `spp`; the first one is even. Throws Error(Usage).
void parseSamples(const std::string& text, int spp, int& first, int& count);

}  // namespace firn
