#pragma once
// Text in pictures: printable ASCII in a font of 5 x 7 pixels, in cells of 6 x 9.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "common/image/png.h"

namespace firn {

constexpr int textCellWidth = 6, textCellHeight = 9;  // pixels at scale 1

/// Puts `text` with its first cell's top left pixel at x, y, each of the font's pixels `scale` x `scale` large. What
/// lies outside of the image is left out; what is not printable ASCII shows as '?', a UTF-8 sequence as one.
void drawText(Rgb8Image& image, int x, int y, const std::string& text, std::array<std::uint8_t, 3> color, int scale);

/// `text` in lines of at most `columns` (>= 4) cells, broken at spaces where that is possible; at most `lines` of them,
/// the last one ending in "..." where more would follow.
std::vector<std::string> wrapText(const std::string& text, int columns, int lines);

}  // namespace firn
