#pragma once
// Checksums of files and keys: xxh3, 64 bit (xxhash), written as 16 hex digits.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace firn {

std::uint64_t checksum64(std::span<const std::byte> bytes);

/// The same as 16 lower-case hex digits.
std::string checksum(std::span<const std::byte> bytes);
std::string checksum(std::string_view text);

/// 16 lower-case hex digits.
std::string hexDigits(std::uint64_t value);

}  // namespace firn
