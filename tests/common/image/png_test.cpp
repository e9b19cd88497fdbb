#include <catch2/catch.hpp>

#include "common/error.h"
#include "common/image/png.h"

using namespace firn;

namespace {

Rgb8Image gradient()
{
    Rgb8Image image{16, 9, {}};
    for (int i = 0; i < 3 * 16 * 9; ++i) image.pixels.push_back(static_cast<std::uint8_t>(i * 7));
    return image;
}

}  // namespace

TEST_CASE("A PNG decodes to the very bytes that were encoded")
{
    const Rgb8Image back = decodePng(encodePng(gradient()), "gradient.png");
    CHECK(back.width == 16);
    CHECK(back.height == 9);
    CHECK(back.pixels == gradient().pixels);
    CHECK(encodePng(gradient()) == encodePng(gradient()));
    CHECK(decodePng(encodePng(gradient(), PngEffort::Quick), "quick.png").pixels == gradient().pixels);
}

TEST_CASE("An empty PNG is refused as empty")
{
    CHECK_THROWS_WITH(decodePng({}, "empty.png"), "empty.png: the file is empty; expected a PNG");
}

TEST_CASE("A PNG cut short anywhere before its last pixel is refused")
{
    const std::vector<std::byte> whole = encodePng(gradient());
    for (std::size_t size = 0; size + 20 < whole.size(); ++size) {
        CHECK_THROWS_AS(decodePng(std::span<const std::byte>(whole).first(size), "cut.png"), Error);
    }
}
