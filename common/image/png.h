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

/// The same image gives the same bytes.
std::vector<std::byte> encodePng(const Rgb8Image& image);

/// `name` is for messages. Throws Error(File) for anything but a whole PNG of at most 2^28 pixels.
Rgb8Image decodePng(std::span<const std::byte> bytes, const std::string& name);

/// A PNG with one more text chunk at its end, "Comment: <text>" (printable ASCII). Pixels stay as they are.
std::vector<std::byte> withComment(const std::vector<std::byte>& png, std::string_view text);

/// `comment`: of withComment; empty for none.
WrittenFile writePng(const std::filesystem::path& path, const Rgb8Image& image, std::string_view comment = "");

}  // namespace firn
