#pragma once
// OpenEXR in memory and on disk: scanline, ZIP, half by default, chromaticities of Rec. 709.
// OpenEXR itself notices neither every failed write nor damage, so files are made in memory and written through
// writeFileChecked, and what is read is bounded and checked before it is believed.

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
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

/// `name` is for messages. Channels come in the file's (alphabetical) order. Refused with Error(File): damaged,
/// incomplete, deep or subsampled files, and more than 2^28 values. Of attributes, int, float, string and 4x4
/// matrices arrive in the metadata.
Image decodeExr(std::span<const std::byte> bytes, const std::string& name);

WrittenFile writeExr(const std::filesystem::path& path, const Image& image, const ExrOptions& options = {});
Image readExr(const std::filesystem::path& path);
/// The metadata alone, without decoding pixels.
Metadata readExrMetadata(const std::filesystem::path& path);

}  // namespace firn
