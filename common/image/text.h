#pragma once
// Draws text into pictures: printable ASCII in a font of 5 x 7 pixels, in cells of 6 x 9.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "common/image/png.h"

namespace firn {

constexpr int textCellWidth = 6, textCellHeight = 9;  // pixels at scale 1

/// Draws `text` with the top left pixel of its first cell at x, y; each pixel of the font is a square of `scale`
/// pixels. Parts outside of the image are cut off. A character that is not printable ASCII shows as '?', also one of
/// several UTF-8 bytes.
void drawText(Rgb8Image& image, int x, int y, const std::string& text, std::array<std::uint8_t, 3> color, int scale);

/// Breaks `text` into lines of at most `columns` (>= 4) cells, at spaces where possible. Returns at most `lines` lines;
/// the last one ends in "..." if text is left.
std::vector<std::string> wrapText(const std::string& text, int columns, int lines);

}  // namespace firn
