#pragma once
// Reads JPEG files.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "common/image/png.h"

namespace firn {

inline constexpr std::string_view jpegSignature = "\xff\xd8\xff";

/// `name` is for messages. Throws Error(File) for anything but a whole JPEG of at most `mostPixels`, in grey or with
/// three channels of colour.
Rgb8Image decodeJpeg(std::span<const std::byte> bytes, const std::string& name, std::uint64_t mostPixels);

}  // namespace firn
