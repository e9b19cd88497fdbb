#include <catch2/catch.hpp>

#include <cmath>

#include "common/error.h"
#include "weights_file.h"

using namespace firn;

TEST_CASE("Tensors come back from a TZA file")
{
    const Tensors written = smallWeights();
    const Tensors read = decodeTza(tzaBytes(written), "weights");
    REQUIRE(read.size() == written.size());
    for (const auto& [name, tensor] : written) {
        CHECK(read.at(name).shape == tensor.shape);
        CHECK(read.at(name).values == tensor.values);
    }
}

TEST_CASE("Half floats of a TZA file become floats")
{
    std::vector<std::byte> bytes = tzaBytes({{"x", {{2}, {0, 0}}}});
    const std::uint16_t halves[4] = {0x3C00, 0xC100, 0, 0};  // 1 and -2.5
    std::memcpy(bytes.data() + 12, halves, sizeof(halves));
    bytes[bytes.size() - 9] = std::byte{'h'};
    CHECK(decodeTza(bytes, "weights").at("x").values == std::vector<float>{1, -2.5f});
}

TEST_CASE("A TZA file that is cut off anywhere, or is another file, is refused")
{
    const std::vector<std::byte> whole = tzaBytes({{"a", {{2, 3}, {1, 2, 3, 4, 5, 6}}}, {"b", {{1}, {7}}}});
    for (std::size_t size = 0; size < whole.size(); ++size) {
        CHECK_THROWS_AS(decodeTza(std::span(whole).first(size), "weights"), Error);
    }
    std::vector<std::byte> other = whole;
    other[0] = std::byte{0};
    CHECK_THROWS_WITH(decodeTza(other, "w.tza"), Catch::Contains("w.tza") && Catch::Contains("is not a TZA file"));
    other = whole;
    other[2] = std::byte{3};
    CHECK_THROWS_WITH(decodeTza(other, "w.tza"), Catch::Contains("version 3"));
}

TEST_CASE("No flipped bit of a TZA file does harm")
{
    const std::vector<std::byte> whole = tzaBytes({{"a", {{2, 3}, {1, 2, 3, 4, 5, 6}}}, {"b", {{1}, {7}}}});
    for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
        std::vector<std::byte> bytes = whole;
        bytes[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
        try {
            const Tensors read = decodeTza(bytes, "weights");
            for (const auto& [name, tensor] : read) CHECK(tensor.values.size() <= whole.size());
        } catch (const Error&) {
        }
    }
}
