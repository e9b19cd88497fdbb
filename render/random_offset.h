#pragma once
// Places of grains and puffs around their particle.

#include <cstdint>

#include "common/math.h"
#include "common/mix_bits.h"

namespace firn {

/// Three numbers in [-1, 1), a function of the key.
inline Vec3f randomOffset(std::uint64_t key)
{
    const std::uint64_t h = mixBits(key);
    const auto part = [&](int bit) { return static_cast<float>(h >> bit & 0xffff) / 32768 - 1; };
    return {part(0), part(16), part(32)};
}

}  // namespace firn
