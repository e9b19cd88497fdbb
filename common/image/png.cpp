#include "common/image/png.h"

#include <png.h>
#include <zlib.h>

#include <cassert>

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

std::vector<std::byte> encodePng(const Rgb8Image& image)
{
    assert(image.pixels.size() == static_cast<std::size_t>(3) * static_cast<std::size_t>(image.width) *
                                      static_cast<std::size_t>(image.height));
    PngControl png;
    png.image.width = png_uint_32(image.width);
    png.image.height = png_uint_32(image.height);
    png.image.format = PNG_FORMAT_RGB;
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

Rgb8Image decodePng(std::span<const std::byte> bytes, const std::string& name)
{
    PngControl png;
    if (!png_image_begin_read_from_memory(&png.image, bytes.data(), bytes.size())) png.fail(name);
    if (static_cast<std::uint64_t>(png.image.width) * png.image.height > maxPixels) {
        throw Error(ExitCode::File, name + ": " + std::to_string(png.image.width) + " x " +
                                        std::to_string(png.image.height) + " pixels; at most 2^28 are read");
    }
    png.image.format = PNG_FORMAT_RGB;
    Rgb8Image image{static_cast<int>(png.image.width), static_cast<int>(png.image.height), {}};
    image.pixels.resize(PNG_IMAGE_SIZE(png.image));
    if (!png_image_finish_read(&png.image, nullptr, image.pixels.data(), 0, nullptr)) png.fail(name);
    return image;
}

WrittenFile writePng(const std::filesystem::path& path, const Rgb8Image& image, std::string_view comment)
{
    const std::vector<std::byte> png = encodePng(image);
    return writeFileChecked(path, comment.empty() ? png : withComment(png, comment));
}

}  // namespace firn
