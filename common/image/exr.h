#pragma once
// OpenEXR in memory and on disk: scanline, ZIP, half by default, chromaticities of Rec. 709.
// OpenEXR does not notice every failed write, and its files have no checksum. So files are encoded in memory and
// written by writeFileChecked, and the sizes that a file claims are checked before memory is allocated.

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/image/image.h"
#include "common/io/checked_file.h"

namespace firn {

struct ExrOptions {
    bool half = true;  // false: every channel 32 bits
};

/// The bytes of an EXR file; the same image gives the same bytes. In half channels, values round to nearest even and
/// finite ones beyond half's range become +-65504, never infinity.
std::vector<std::byte> encodeExr(const Image& image, const ExrOptions& options = {});

/// `name` is for messages. Channels are in the file's (alphabetical) order. Throws Error(File) for
/// damaged, incomplete, deep or subsampled files, and for more than 2^28 values. Attributes of the types int, float,
/// string and 4x4 matrix become metadata.
Image decodeExr(std::span<const std::byte> bytes, const std::string& name);

WrittenFile writeExr(const std::filesystem::path& path, const Image& image, const ExrOptions& options = {});
Image readExr(const std::filesystem::path& path);
/// Size, window, metadata, and the channels without their values. No pixels are decoded.
Image readExrHeader(const std::filesystem::path& path);
inline constexpr std::string_view exrSignature = "\x76\x2f\x31\x01";

/// Whether the file begins as an EXR does and its last line of pixels is there. Nothing is decoded, so damage within
/// the file is not found.
bool isUncutExr(const std::filesystem::path& path);

}  // namespace firn
