#include <catch2/catch.hpp>
#include <set>

#include "common/image/resize.h"
#include "common/image/text.h"

using namespace firn;

namespace {

Rgb8Image black(int width, int height)
{
    return {width, height, std::vector<std::uint8_t>(static_cast<std::size_t>(3 * width * height), 0)};
}

/// The picture of a text as rows of '#' and '.'.
std::vector<std::string> drawn(const std::string& text, int width = 6)
{
    Rgb8Image image = black(width, textCellHeight);
    drawText(image, 0, 0, text, {255, 255, 255}, 1);
    std::vector<std::string> rows;
    for (int y = 0; y < image.height; ++y) {
        rows.emplace_back();
        for (int x = 0; x < width; ++x)
            rows.back() += image.pixels[3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                                             static_cast<std::size_t>(x))]
                               ? '#'
                               : '.';
    }
    return rows;
}

}  // namespace

TEST_CASE("A letter stands upright from its top left")
{
    CHECK(drawn("F") == std::vector<std::string>{"#####.", "#.....", "#.....", "####..", "#.....", "#.....", "#.....",
                                                 "......", "......"});
    CHECK(drawn("gF", 12)[0] == "......#####.");
}

TEST_CASE("Every printable character has its own picture")
{
    std::set<std::vector<std::string>> pictures;
    for (char c = ' '; c <= '~'; ++c) pictures.insert(drawn(std::string(1, c)));
    CHECK(pictures.size() == 95);
    CHECK(drawn("\xce\xb8") == drawn("?"));  // one character of two bytes
    CHECK(drawn("\n") == drawn("?"));
}

TEST_CASE("Text that leaves the picture is cut off")
{
    Rgb8Image image = black(4, 4);
    drawText(image, -3, -3, "#####", {9, 9, 9}, 3);
    drawText(image, 100, 100, "#", {9, 9, 9}, 1);
    CHECK(image.pixels.size() == 48);
}

TEST_CASE("Lines break at spaces, else anywhere, and say when there is more")
{
    using Lines = std::vector<std::string>;
    CHECK(wrapText("hardening=5 dx=0.02", 12, 3) == Lines{"hardening=5", "dx=0.02"});
    CHECK(wrapText("abcdefghij", 4, 3) == Lines{"abcd", "efgh", "ij"});
    CHECK(wrapText("abcdefghij", 5, 1) == Lines{"ab..."});
    CHECK(wrapText("", 5, 1).empty());
}

TEST_CASE("A picture made smaller keeps its mean light, and none is made larger")
{
    // Black and white columns in turn: half of the light is sRGB 188.
    Rgb8Image image = black(8, 4);
    for (std::size_t i = 0; i < image.pixels.size(); ++i) image.pixels[i] = i / 3 % 2 == 0 ? 255 : 0;
    const PixelSize size = fittedSize(image, 4, 4);
    CHECK(size.width == 4);
    CHECK(size.height == 2);
    for (const std::uint8_t value : shrunk(image, size).pixels) CHECK(value == 188);
    CHECK(fittedSize(image, 100, 100).width == 8);
    CHECK(shrunk(image, {8, 4}).pixels == image.pixels);
    // 3 columns to 2: the middle one goes to both in halves.
    Rgb8Image third = black(3, 1);
    third.pixels[3] = 255;
    const Rgb8Image both = shrunk(third, {2, 1});
    CHECK(both.pixels[0] == both.pixels[3]);
    CHECK(both.pixels[0] == 156);  // sRGB of 1/3
}
