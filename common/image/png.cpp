#include "common/image/png.h"

#include <png.h>
#include <zlib.h>

#include <algorithm>
#include <cassert>
#include <csetjmp>
#include <cstring>

#include "common/error.h"

namespace firn {

namespace {

/// libpng's control structure, freed by the destructor.
struct PngControl {
    png_image image{};
    PngControl() { image.version = PNG_IMAGE_VERSION; }
    ~PngControl() { png_image_free(&image); }
    PngControl(const PngControl&) = delete;
    PngControl& operator=(const PngControl&) = delete;

    [[noreturn]] void fail(const std::string& name) const
    {
        throw Error(ExitCode::File, name + ": not a readable PNG: " + clampText(image.message));
    }
};

constexpr std::uint64_t maxPixels = static_cast<std::uint64_t>(1) << 28;

}  // namespace

std::vector<std::byte> encodePng(const Rgb8Image& image, PngEffort effort)
{
    assert(image.pixels.size() == static_cast<std::size_t>(3) * static_cast<std::size_t>(image.width) *
                                      static_cast<std::size_t>(image.height));
    PngControl png;
    png.image.width = png_uint_32(image.width);
    png.image.height = png_uint_32(image.height);
    png.image.format = PNG_FORMAT_RGB;
    if (effort == PngEffort::Quick) png.image.flags |= PNG_IMAGE_FLAG_FAST;
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png.image);
    std::vector<std::byte> bytes(size);
    if (!png_image_write_to_memory(&png.image, bytes.data(), &size, 0, image.pixels.data(), 0, nullptr)) {
        throw Error(ExitCode::Failed, "encoding a PNG: " + clampText(png.image.message));
    }
    bytes.resize(size);
    return bytes;
}

std::vector<std::byte> withComment(const std::vector<std::byte>& png, std::string_view text)
{
    constexpr std::ptrdiff_t endChunk = 12;  // IEND: length, type and checksum
    std::string chunk = "tEXtComment";
    chunk += '\0';
    chunk += text;
    const auto number = [](std::uint64_t value) {
        std::string bytes;
        for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xff);
        return bytes;
    };
    const auto sum = crc32(0, reinterpret_cast<const Bytef*>(chunk.data()), static_cast<uInt>(chunk.size()));
    chunk = number(chunk.size() - 4) + chunk + number(sum);
    std::vector<std::byte> result = png;
    const auto bytes = std::as_bytes(std::span(chunk));
    result.insert(result.end() - endChunk, bytes.begin(), bytes.end());
    return result;
}

namespace {

/// Pixels in libpng's simple `format`.
Rgb8Image decodePixels(std::span<const std::byte> bytes, const std::string& name, png_uint_32 format,
                       std::uint64_t mostPixels)
{
    if (bytes.empty()) throw Error(ExitCode::File, name + ": the file is empty; expected a PNG");
    PngControl png;
    if (!png_image_begin_read_from_memory(&png.image, bytes.data(), bytes.size())) png.fail(name);
    if (static_cast<std::uint64_t>(png.image.width) * png.image.height > mostPixels) {
        throw Error(ExitCode::File, name + ": " + std::to_string(png.image.width) + " x " +
                                        std::to_string(png.image.height) + " pixels; at most " +
                                        std::to_string(mostPixels) + " are read");
    }
    png.image.format = format;
    Rgb8Image image{static_cast<int>(png.image.width), static_cast<int>(png.image.height), {}};
    image.pixels.resize(PNG_IMAGE_SIZE(png.image));
    if (!png_image_finish_read(&png.image, nullptr, image.pixels.data(), 0, nullptr)) png.fail(name);
    return image;
}

}  // namespace

Rgb8Image decodePng(std::span<const std::byte> bytes, const std::string& name)
{
    return decodePixels(bytes, name, PNG_FORMAT_RGB, maxPixels);
}

Rgb8Image decodeOpaquePng(std::span<const std::byte> bytes, const std::string& name, std::uint64_t mostPixels)
{
    Rgb8Image image = decodePixels(bytes, name, PNG_FORMAT_RGBA, mostPixels);
    const std::size_t count = image.pixels.size() / 4;
    for (std::size_t i = 0; i < count; ++i) std::copy_n(&image.pixels[4 * i], 3, &image.pixels[3 * i]);
    image.pixels.resize(3 * count);
    return image;
}

namespace {

/// What libpng reads from, and what it says.
struct PngInput {
    std::span<const std::byte> rest;
    std::string message;
};

void readPngBytes(png_structp png, png_bytep to, std::size_t count)
{
    auto& input = *static_cast<PngInput*>(png_get_io_ptr(png));
    if (count > input.rest.size()) png_error(png, "the file ends too early");
    std::memcpy(to, input.rest.data(), count);
    input.rest = input.rest.subspan(count);
}

constexpr const char* inColour = "it is in colour; expected 8 or 16 bits of grey, or equal red, green and blue";

void keepPngMessage(png_structp png, png_const_charp message)
{
    const bool isOfColour = std::strstr(message, "nongray") != nullptr;  // of png_set_rgb_to_gray_fixed
    static_cast<PngInput*>(png_get_error_ptr(png))->message = isOfColour ? inColour : message;
    png_longjmp(png, 1);
}

/// What reading a grey PNG needs besides the image. With alpha, each pixel has two values.
struct GrayRows {
    std::size_t channels = 1;
    std::vector<std::uint16_t> values;
    std::vector<png_bytep> starts;
};

/// Reads a grey PNG; false where libpng jumped out of an error. No object with a destructor may live in this function.
bool readGray(png_structp png, png_infop info, Gray16Image& image, GrayRows& rows)
{
    if (setjmp(png_jmpbuf(png))) return false;
    png_read_info(png, info);
    const std::uint64_t width = png_get_image_width(png, info), height = png_get_image_height(png, info);
    if (width * height > maxPixels) png_error(png, "it has more than 2^28 pixels");
    const int type = png_get_color_type(png, info);
    if (type & PNG_COLOR_MASK_PALETTE) png_error(png, inColour);
    if (type & PNG_COLOR_MASK_COLOR) png_set_rgb_to_gray_fixed(png, PNG_ERROR_ACTION_ERROR, -1, -1);
    png_set_expand_16(png);
    png_set_swap(png);  // to the order of this machine's bytes
    png_read_update_info(png, info);
    rows.channels = png_get_channels(png, info);
    image.width = static_cast<int>(width);
    image.height = static_cast<int>(height);
    rows.values.resize(rows.channels * width * height);
    rows.starts.resize(height);
    for (std::uint64_t y = 0; y < height; ++y)
        rows.starts[y] = reinterpret_cast<png_bytep>(&rows.values[rows.channels * y * width]);
    png_read_image(png, rows.starts.data());
    png_read_end(png, nullptr);
    return true;
}

/// The grey values. What is painted on a transparent ground would be lost without a word, so it is refused.
void takeGray(const GrayRows& rows, Gray16Image& image, const std::string& name)
{
    constexpr std::uint16_t opaque = 65535;
    for (std::size_t i = 0; i < rows.values.size(); i += rows.channels) {
        if (rows.channels == 2 && rows.values[i + 1] != opaque)
            throw Error(ExitCode::File, name +
                                            ": it has transparent pixels; expected a picture without transparency, "
                                            "such as white on black");
        image.pixels.push_back(rows.values[i]);
    }
}

}  // namespace

bool isUncutPng(const std::filesystem::path& path)
{
    constexpr std::string_view end("\0\0\0\0IEND\xae\x42\x60\x82", 12);
    const std::vector<std::byte> bytes = readFile(path);
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return text.starts_with(pngSignature) && text.ends_with(end);
}

Gray16Image decodeGrayPng(std::span<const std::byte> bytes, const std::string& name)
{
    PngInput input{bytes, {}};
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &input, keepPngMessage, nullptr);
    png_infop info = png_create_info_struct(png);
    png_set_read_fn(png, &input, readPngBytes);
    Gray16Image image;
    GrayRows rows;
    const bool isRead = readGray(png, info, image, rows);
    png_destroy_read_struct(&png, &info, nullptr);
    if (!isRead) throw Error(ExitCode::File, name + ": not a readable grey PNG: " + clampText(input.message));
    takeGray(rows, image, name);
    return image;
}

WrittenFile writePng(const std::filesystem::path& path, const Rgb8Image& image, std::string_view comment,
                     PngEffort effort)
{
    const std::vector<std::byte> png = encodePng(image, effort);
    return writeFileChecked(path, comment.empty() ? png : withComment(png, comment));
}

}  // namespace firn
