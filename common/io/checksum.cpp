#include "common/io/checksum.h"

// The AVX-512 path sets off GCC 12's warning on its own _mm512_undefined_epi32 (GCC bug 105593); all paths give the
// same.
#ifdef __AVX512F__
#define XXH_VECTOR 2  // AVX2
#endif
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace firn {

std::uint64_t checksum64(std::span<const std::byte> bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

std::string hexDigits(std::uint64_t value)
{
    std::string result(16, '0');
    for (auto digit = result.rbegin(); digit != result.rend(); ++digit, value >>= 4) {
        *digit = "0123456789abcdef"[value & 15];
    }
    return result;
}

std::string checksum(std::span<const std::byte> bytes) { return hexDigits(checksum64(bytes)); }

std::string checksum(std::string_view text) { return checksum(std::as_bytes(std::span(text))); }

}  // namespace firn
