#include "common/image/text.h"

#include <algorithm>

namespace firn {

namespace {

constexpr int glyphWidth = 5, glyphHeight = 7;

/// ' ' to '~': 7 rows of 5 bits from the top, the most significant bit of a row at its left.
constexpr std::array<std::uint64_t, 95> glyphs = {
    0x000000000, 0x108421004, 0x294a00000, 0x295f57d4a, 0x11f4717c4, 0x632222263, 0x32544564d, 0x108800000, 0x088842082,
    0x208210888, 0x009575480, 0x0084f9080, 0x000003088, 0x0000f8000, 0x00000018c, 0x002222200, 0x3a33ae62e, 0x11842108e,
    0x3a211111f, 0x7c441062e, 0x08ca97c42, 0x7e1e0862e, 0x1910f462e, 0x7c2222108, 0x3a317462e, 0x3a317844c, 0x018c03180,
    0x018c03088, 0x088882082, 0x001f07c00, 0x208208888, 0x3a2111004, 0x3a216d6ae, 0x3a318fe31, 0x7a31f463e, 0x3a308422e,
    0x72518c65c, 0x7e10f421f, 0x7e10f4210, 0x3a30bc62f, 0x4631fc631, 0x38842108e, 0x1c4210a4c, 0x4654c5251, 0x42108421f,
    0x4775ac631, 0x4639ace31, 0x3a318c62e, 0x7a31f4210, 0x3a318d64d, 0x7a31f5251, 0x3e107043e, 0x7c8421084, 0x46318c62e,
    0x46318c544, 0x4631ad6aa, 0x462a22a31, 0x463151084, 0x7c222221f, 0x39084210e, 0x020820820, 0x38421084e, 0x115100000,
    0x00000001f, 0x208200000, 0x000e0be2f, 0x4216cc63e, 0x000e8422e, 0x042d9c62f, 0x000e8fe0e, 0x1928e2108, 0x01f18bc2e,
    0x4216cc631, 0x100c2108e, 0x080610a4c, 0x4212a6292, 0x30842108e, 0x001aad631, 0x0016cc631, 0x000e8c62e, 0x001e8fa10,
    0x000d9bc21, 0x0016cc210, 0x000e8383e, 0x211c42126, 0x00118c66d, 0x00118c544, 0x00118d6aa, 0x001151151, 0x00118bc2e,
    0x001f1111f, 0x088441082, 0x108421084, 0x208411088, 0x0008a8800,
};

bool isContinuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

std::uint64_t glyphOf(char c)
{
    return c >= ' ' && c <= '~' ? glyphs[static_cast<std::size_t>(c - ' ')] : glyphs['?' - ' '];
}

void fillSquare(Rgb8Image& image, int x, int y, int size, std::array<std::uint8_t, 3> color)
{
    for (int v = std::max(0, y); v < std::min(image.height, y + size); ++v) {
        for (int u = std::max(0, x); u < std::min(image.width, x + size); ++u) {
            const std::size_t pixel =
                static_cast<std::size_t>(v) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(u);
            std::copy(color.begin(), color.end(), image.pixels.begin() + static_cast<std::ptrdiff_t>(3 * pixel));
        }
    }
}

}  // namespace

void drawText(Rgb8Image& image, int x, int y, const std::string& text, std::array<std::uint8_t, 3> color, int scale)
{
    for (const char c : text) {
        if (isContinuation(c)) continue;
        const std::uint64_t glyph = glyphOf(c);
        for (int row = 0; row < glyphHeight; ++row) {
            for (int column = 0; column < glyphWidth; ++column) {
                const int bit = glyphWidth * glyphHeight - 1 - (row * glyphWidth + column);
                if (glyph >> bit & 1) fillSquare(image, x + column * scale, y + row * scale, scale, color);
            }
        }
        x += textCellWidth * scale;
    }
}

std::vector<std::string> wrapText(const std::string& text, int columns, int lines)
{
    std::string rest;
    for (const char c : text) {
        if (!isContinuation(c)) rest += c >= ' ' && c <= '~' ? c : '?';
    }
    const std::size_t width = static_cast<std::size_t>(columns);
    std::vector<std::string> result;
    while (!rest.empty()) {
        if (rest.size() <= width) {
            result.push_back(rest);
            break;
        }
        if (static_cast<int>(result.size()) + 1 >= lines) {
            result.push_back(rest.substr(0, width - 3) + "...");
            break;
        }
        const std::size_t space = rest.rfind(' ', width);
        const std::size_t end = space == std::string::npos || space == 0 ? width : space;
        result.push_back(rest.substr(0, end));
        rest.erase(0, rest.find_first_not_of(' ', end));
    }
    return result;
}

}  // namespace firn
