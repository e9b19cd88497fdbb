#pragma once
// PNG previews, 8 bits per channel, in memory and on disk.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/io/checked_file.h"

namespace firn {

/// Rows from the top left, three bytes per pixel, sRGB-encoded.
struct Rgb8Image {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> pixels;
};

/// Rows from the top left, one value per pixel, as they are in the file.
struct Gray16Image {
    int width = 0;
    int height = 0;
    std::vector<std::uint16_t> pixels;
};

/// A quick encoding takes a third of the time, and its files are larger.
enum class PngEffort { Small, Quick };

/// The same image gives the same bytes.
std::vector<std::byte> encodePng(const Rgb8Image& image, PngEffort effort = PngEffort::Small);

/// `name` is for messages. Throws Error(File) for anything but a whole PNG of at most 2^28 pixels.
Rgb8Image decodePng(std::span<const std::byte> bytes, const std::string& name);

/// The same without alpha, whatever lies behind transparent pixels, for at most `mostPixels`.
Rgb8Image decodeOpaquePng(std::span<const std::byte> bytes, const std::string& name, std::uint64_t mostPixels);

inline constexpr std::string_view pngSignature = "\x89PNG\r\n\x1a\n";

/// Whether the file begins and ends as a PNG does. Nothing is decoded, so damage within the file is not found. Throws
/// Error(File) if it cannot be read.
bool isUncutPng(const std::filesystem::path& path);

/// The values of a grey PNG of 8 or 16 bits, without any change of gamma; 8 bits are stretched to 16. Throws
/// Error(File) for anything but a whole PNG of at most 2^28 pixels, for a colour PNG, and for one with pixels that are
/// not opaque.
Gray16Image decodeGrayPng(std::span<const std::byte> bytes, const std::string& name);

/// A PNG with one more text chunk at its end, "Comment: <text>" (printable ASCII). Pixels stay as they are.
std::vector<std::byte> withComment(const std::vector<std::byte>& png, std::string_view text);

/// `comment`: of withComment; empty for none.
WrittenFile writePng(const std::filesystem::path& path, const Rgb8Image& image, std::string_view comment = "",
                     PngEffort effort = PngEffort::Small);

}  // namespace firn
