#include <catch2/catch.hpp>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>

#include "common/error.h"
#include "common/image/exr.h"
#include "tests/temporary_folder.h"

using namespace firn;

namespace {

Image ramp(int width, int height)
{
    Image image(width, height);
    for (const char* name : {"R", "G", "B", "A"}) image.add(name);
    image.add("depth.Z", true);
    for (std::size_t c = 0; c < image.channels.size(); ++c) {
        for (std::size_t i = 0; i < image.pixelCount(); ++i) {
            image.channels[c].pixels[i] =
                static_cast<float>(c) + static_cast<float>(i) / 16;  // exact in half below 128
        }
    }
    return image;
}

std::span<const std::byte> first(const std::vector<std::byte>& bytes, std::size_t count)
{
    return std::span<const std::byte>(bytes).first(count);
}

}  // namespace

TEST_CASE("An EXR image comes back with its channels, window and metadata")
{
    Image image = ramp(7, 5);
    image.origin_x = 3;
    image.origin_y = 2;
    image.display_width = 16;
    image.display_height = 9;
    const Matrix4f camera = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    image.metadata = {{"firn/sceneHash", std::string("0123456789abcdef")},
                      {"firn/spp", 64},
                      {"firn/time_s", 1.25f},
                      {"framesPerSecond", 23.976f},
                      {"worldToCamera", camera}};
    const Image back = decodeExr(encodeExr(image), "ramp.exr");
    CHECK(back.width == 7);
    CHECK(back.height == 5);
    CHECK(back.origin_x == 3);
    CHECK(back.origin_y == 2);
    CHECK(back.display_width == 16);
    CHECK(back.display_height == 9);
    REQUIRE(back.channels.size() == image.channels.size());
    for (const Channel& channel : image.channels) CHECK(back.at(channel.name).pixels == channel.pixels);
    CHECK(std::get<std::string>(back.metadata.at("firn/sceneHash")) == "0123456789abcdef");
    CHECK(std::get<int>(back.metadata.at("firn/spp")) == 64);
    CHECK(std::get<float>(back.metadata.at("firn/time_s")) == 1.25f);
    CHECK(std::get<float>(back.metadata.at("framesPerSecond")) == Approx(24000.0 / 1001));  // a ratio of integers
    CHECK(std::get<Matrix4f>(back.metadata.at("worldToCamera")) == camera);
}

TEST_CASE("The same image gives the same EXR bytes") { CHECK(encodeExr(ramp(33, 18)) == encodeExr(ramp(33, 18))); }

TEST_CASE("Half channels round to nearest even and stay finite; full precision keeps the value")
{
    // Half has 10 bits of mantissa: next to 1 the spacing is 2^-10, so 1 + 2^-11 is a tie and goes to the even 1,
    // 1 + 3/2^11 is a tie and goes to 1 + 2/2^10. The largest finite half is 65504.
    Image image(4, 1);
    const std::vector<float> values = {1 + 1 / 2048.0f, 1 + 3 / 2048.0f, 1e6f, -1e6f};
    image.add("R").pixels = values;
    image.add("Z", true).pixels = values;
    const Image back = decodeExr(encodeExr(image), "half.exr");
    CHECK(back.at("R").pixels == std::vector<float>{1, 1 + 2 / 1024.0f, 65504, -65504});
    CHECK(back.at("Z").pixels == values);
    CHECK_FALSE(back.at("R").full_precision);
    CHECK(decodeExr(encodeExr(image, {false}), "float.exr").at("R").pixels == values);
}

TEST_CASE("Infinities and NaN are kept, so that checks can find them")
{
    Image image(2, 1);
    image.add("R").pixels = {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()};
    const Image back = decodeExr(encodeExr(image), "bad.exr");
    CHECK(std::isinf(back.at("R").pixels[0]));
    CHECK(std::isnan(back.at("R").pixels[1]));
}

TEST_CASE("A file of another kind is named as such")
{
    const TemporaryFolder folder;
    for (const std::string content : {"", "a plate", "\x89PNG\r\n"}) {
        std::ofstream(folder / "a.exr") << content;
        const std::string message =
            (folder / "a.exr").string() +
            (content.empty() ? ": the file is empty; expected an EXR image" : ": not an EXR image");
        CHECK_THROWS_WITH(readExr(folder / "a.exr"), message);
        CHECK_THROWS_WITH(readExrHeader(folder / "a.exr"), message);
    }
}

TEST_CASE("An EXR cut short anywhere is refused")
{
    const std::vector<std::byte> whole = encodeExr(ramp(40, 40));
    for (std::size_t size = 0; size < whole.size(); size += size < 600 ? 1 : 37) {
        INFO("first " << size << " of " << whole.size() << " bytes");
        CHECK_THROWS_AS(decodeExr(first(whole, size), "cut.exr"), Error);
    }
    CHECK_NOTHROW(decodeExr(whole, "whole.exr"));
}

TEST_CASE("An EXR with a flipped bit is refused or read without harm")
{
    const std::vector<std::byte> whole = encodeExr(ramp(24, 24));
    int refused = 0;
    for (std::size_t bit = 0; bit < 8 * whole.size(); bit += 7) {
        std::vector<std::byte> damaged = whole;
        damaged[bit / 8] ^= std::byte(1 << (bit % 8));
        try {
            const Image image = decodeExr(damaged, "flipped.exr");
            CHECK(image.pixelCount() <= static_cast<std::size_t>(1) << 28);
        } catch (const Error& error) {
            CHECK(error.code() == ExitCode::File);
            ++refused;
        }
    }
    CHECK(refused > 0);
}

TEST_CASE("Errors of images name the file, and the channels there are")
{
    const std::vector<std::byte> text(20, std::byte('x'));
    CHECK_THROWS_WITH(decodeExr(text, "notes.exr"), Catch::Contains("notes.exr"));
    CHECK_THROWS_WITH(readExr("/nonexistent/frame.exr"), Catch::Contains("/nonexistent/frame.exr"));
    CHECK_THROWS_WITH(ramp(2, 2).at("albedo.R"), Catch::Contains("albedo.R") && Catch::Contains("depth.Z"));
}

TEST_CASE("An EXR file is written whole and read back")
{
    const std::filesystem::path path = std::filesystem::temp_directory_path() / "firn_test_exr.exr";
    const WrittenFile written = writeExr(path, ramp(8, 8));
    CHECK(written.bytes == std::filesystem::file_size(path));
    CHECK(readExr(path).at("G").pixels == ramp(8, 8).at("G").pixels);
    std::filesystem::remove(path);
}

TEST_CASE("A cut EXR file is known without decoding it")
{
    const std::filesystem::path path = std::filesystem::temp_directory_path() / "firn_test_cut.exr";
    writeExr(path, ramp(40, 40));
    CHECK(isUncutExr(path));
    const auto size = std::filesystem::file_size(path);
    for (const std::uintmax_t left : {size - 1, size / 2, std::uintmax_t{100}, std::uintmax_t{0}}) {
        std::filesystem::resize_file(path, left);
        INFO(left << " of " << size);
        CHECK_FALSE(isUncutExr(path));
    }
    std::filesystem::remove(path);
    CHECK_FALSE(isUncutExr(path));
}
