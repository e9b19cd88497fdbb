#pragma once
// Four floats or ints in a register, by the vector extension of GCC and clang. Lanes 0 to 2 hold x, y, z.

#include <immintrin.h>

#include "common/math.h"

namespace firn {

using Float4 = float __attribute__((vector_size(16)));
using Int4 = int __attribute__((vector_size(16)));

inline Float4 float4(const Vec3f& v, float w) { return Float4{v.x(), v.y(), v.z(), w}; }
inline Float4 float4(float all) { return Float4{all, all, all, all}; }
inline Int4 int4(const Vec3i& v, int w) { return Int4{v.x(), v.y(), v.z(), w}; }
inline Int4 int4(int all) { return Int4{all, all, all, all}; }

inline Float4 toFloat(Int4 v) { return __builtin_convertvector(v, Float4); }
/// Rounds towards zero.
inline Int4 toInt(Float4 v) { return __builtin_convertvector(v, Int4); }

inline Float4 min(Float4 a, Float4 b) { return _mm_min_ps(a, b); }
inline Float4 max(Float4 a, Float4 b) { return _mm_max_ps(a, b); }
inline Int4 min(Int4 a, Int4 b) { return Int4(_mm_min_epi32(__m128i(a), __m128i(b))); }
inline Int4 max(Int4 a, Int4 b) { return Int4(_mm_max_epi32(__m128i(a), __m128i(b))); }

/// Whether any of the first three lanes of a comparison is true.
inline bool anyOfThree(Int4 mask) { return (_mm_movemask_ps(Float4(mask)) & 7) != 0; }
inline float minOfThree(Float4 v)
{
    const float least = v[0] < v[1] ? v[0] : v[1];
    return least < v[2] ? least : v[2];
}

}  // namespace firn
