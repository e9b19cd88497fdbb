#pragma once
// Many paths at a time, one in each lane of a register (common/simd/register.h): masks as bits, values gathered from
// tables, lanes that are filled up from memory, and random numbers.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/math.h"
#include "common/mix_bits.h"
#include "common/simd/register.h"

namespace firn {

using Floats = Register;
using Ints = RegisterMask;
constexpr int laneCount = registerSize;

/// One bit per lane, of the first lane in the lowest bit.
using LaneBits = std::uint32_t;
constexpr LaneBits allLanes = (1U << laneCount) - 1;

inline Floats floats(float all) { return all - Floats{}; }
inline Ints ints(std::int32_t all) { return all - Ints{}; }
inline Ints toInts(Floats v) { return __builtin_convertvector(v, Ints); }  // rounds towards zero
inline Ints select(Ints mask, Ints a, Ints b) { return mask ? a : b; }
inline Ints smaller(Ints a, Ints b) { return a < b ? a : b; }
inline Ints larger(Ints a, Ints b) { return a > b ? a : b; }

inline LaneBits bitsOf(Ints mask)
{
#if defined(__AVX512F__)
    return _mm512_movepi32_mask(reinterpret_cast<__m512i>(mask));
#else
    return static_cast<LaneBits>(_mm256_movemask_ps(reinterpret_cast<__m256>(mask)));
#endif
}

inline Ints laneNumbers()
{
    alignas(64) static constexpr std::array<std::int32_t, 16> numbers{0, 1, 2,  3,  4,  5,  6,  7,
                                                                      8, 9, 10, 11, 12, 13, 14, 15};
    return loadRegister<Ints>(numbers.data());
}

inline Ints maskOf(LaneBits bits) { return ((ints(static_cast<std::int32_t>(bits)) >> laneNumbers()) & 1) != 0; }

/// The first `count` lanes, or all.
inline LaneBits firstLanes(int count) { return count < laneCount ? (1U << count) - 1 : allLanes; }

/// Calls visit(lane) for each lane of `bits`, in ascending order.
template <class Visit>
void forLanes(LaneBits bits, Visit visit)
{
    for (; bits != 0; bits &= bits - 1) visit(std::countr_zero(bits));
}

/// table[index] in the lanes of `mask`, `otherwise` in the others. Nothing is read for the others.
inline Floats gather(const float* table, Ints index, Ints mask, Floats otherwise)
{
#if defined(__AVX512F__)
    return reinterpret_cast<Floats>(_mm512_mask_i32gather_ps(reinterpret_cast<__m512>(otherwise),
                                                             static_cast<__mmask16>(bitsOf(mask)),
                                                             reinterpret_cast<__m512i>(index), table, 4));
#else
    return reinterpret_cast<Floats>(_mm256_mask_i32gather_ps(reinterpret_cast<__m256>(otherwise), table,
                                                             reinterpret_cast<__m256i>(index),
                                                             reinterpret_cast<__m256>(mask), 4));
#endif
}
inline Ints gather(const std::int32_t* table, Ints index, Ints mask, Ints otherwise)
{
    return reinterpret_cast<Ints>(
        gather(reinterpret_cast<const float*>(table), index, mask, reinterpret_cast<Floats>(otherwise)));
}

/// table[index] and table[index + 1] in the lanes of `mask`, zero in the others. Half as many reads as two gathers.
struct Neighbours {
    Floats first, second;
};
inline Neighbours gatherNeighbours(const float* table, Ints index, Ints mask)
{
#if defined(__AVX512F__)
    const LaneBits bits = bitsOf(mask);
    const auto at = reinterpret_cast<__m512i>(index);
    const auto part = [&](LaneBits lanes, __m256i of) {
        return reinterpret_cast<Floats>(
            _mm512_mask_i32gather_pd(_mm512_setzero_pd(), static_cast<__mmask8>(lanes), of, table, 4));
    };
    const Floats low = part(bits & 0xff, _mm512_maskz_extracti64x4_epi64(0xf, at, 0));
    const Floats high = part(bits >> 8, _mm512_maskz_extracti64x4_epi64(0xf, at, 1));
    return {__builtin_shufflevector(low, high, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30),
            __builtin_shufflevector(low, high, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31)};
#else
    const auto at = reinterpret_cast<__m256i>(index), lanes = reinterpret_cast<__m256i>(mask);
    const auto part = [&](__m128i indices, __m128i inUse) {
        return reinterpret_cast<Floats>(
            _mm256_mask_i32gather_pd(_mm256_setzero_pd(), reinterpret_cast<const double*>(table), indices,
                                     reinterpret_cast<__m256d>(_mm256_cvtepi32_epi64(inUse)), 4));
    };
    const Floats low = part(_mm256_castsi256_si128(at), _mm256_castsi256_si128(lanes));
    const Floats high = part(_mm256_extracti128_si256(at, 1), _mm256_extracti128_si256(lanes, 1));
    return {__builtin_shufflevector(low, high, 0, 2, 4, 6, 8, 10, 12, 14),
            __builtin_shufflevector(low, high, 1, 3, 5, 7, 9, 11, 13, 15)};
#endif
}

/// Puts the first values of `from` into the lanes of `lanes`, in their order; the other lanes keep `otherwise`.
inline Floats expand(const float* from, LaneBits lanes, Floats otherwise)
{
#if defined(__AVX512F__)
    return reinterpret_cast<Floats>(
        _mm512_mask_expandloadu_ps(reinterpret_cast<__m512>(otherwise), static_cast<__mmask16>(lanes), from));
#else
    forLanes(lanes, [&](int lane) { otherwise[lane] = *from++; });
    return otherwise;
#endif
}

/// Writes lanes of `values` to table[index].
inline void scatter(float* table, Ints index, LaneBits lanes, Floats values)
{
#if defined(__AVX512F__)
    _mm512_mask_i32scatter_ps(table, static_cast<__mmask16>(lanes), reinterpret_cast<__m512i>(index),
                              reinterpret_cast<__m512>(values), 4);
#else
    forLanes(lanes, [&](int lane) { table[index[lane]] = values[lane]; });
#endif
}

/// One 64-bit word per lane.
struct Words {
    using Half = std::uint64_t __attribute__((vector_size(4 * laneCount)));  // of half of the lanes

    Half low{}, high{};

    static Words load(const std::uint64_t* from)
    {
        return {loadRegister<Half>(from), loadRegister<Half>(from + laneCount / 2)};
    }
    void store(std::uint64_t* to) const
    {
        storeRegister(to, low);
        storeRegister(to + laneCount / 2, high);
    }

    /// As expand() of floats.
    void fill(const std::uint64_t* from, LaneBits lanes)
    {
#if defined(__AVX512F__)
        const auto first = static_cast<__mmask8>(lanes & 0xff), second = static_cast<__mmask8>(lanes >> 8);
        low = reinterpret_cast<Half>(_mm512_mask_expandloadu_epi64(reinterpret_cast<__m512i>(low), first, from));
        high = reinterpret_cast<Half>(
            _mm512_mask_expandloadu_epi64(reinterpret_cast<__m512i>(high), second, from + std::popcount(lanes & 0xff)));
#else
        forLanes(lanes, [&](int lane) {
            // GCC 12 with sanitizers sets wrong elements of (condition ? low : high)[i].
            Half& half = lane < laneCount / 2 ? low : high;
            half[lane % (laneCount / 2)] = *from++;
        });
#endif
    }
};

/// Two numbers in [0, 1) per lane.
struct Uniforms {
    Floats first, second;
};

/// Steps the random state of all lanes (sampler.h), and returns new words.
inline Words nextWords(Words& state)
{
    state.low += goldenStep;
    state.high += goldenStep;
    return {mixBits(state.low), mixBits(state.high)};
}

/// The numbers of Sampler::uniform2() in all lanes.
inline Uniforms nextUniforms(Words& state)
{
    const Words words = nextWords(state);
    const auto low = reinterpret_cast<Ints>(words.low), high = reinterpret_cast<Ints>(words.high);
    const auto unit = [](Ints bits) {
        using Unsigned = std::uint32_t __attribute__((vector_size(4 * laneCount)));
        return 0x1p-24f * toFloats(reinterpret_cast<Ints>(reinterpret_cast<Unsigned>(bits) >> 8));
    };
#if defined(__AVX512F__)
    return {unit(__builtin_shufflevector(low, high, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31)),
            unit(__builtin_shufflevector(low, high, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30))};
#else
    return {unit(__builtin_shufflevector(low, high, 1, 3, 5, 7, 9, 11, 13, 15)),
            unit(__builtin_shufflevector(low, high, 0, 2, 4, 6, 8, 10, 12, 14))};
#endif
}

/// Steps the random state of the lanes of `mask` alone.
inline void stepLanes(Words& state, Ints mask)
{
#if defined(__AVX512F__)
    const Ints low = __builtin_shufflevector(mask, mask, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
    const Ints high = __builtin_shufflevector(mask, mask, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15);
#else
    const Ints low = __builtin_shufflevector(mask, mask, 0, 0, 1, 1, 2, 2, 3, 3);
    const Ints high = __builtin_shufflevector(mask, mask, 4, 4, 5, 5, 6, 6, 7, 7);
#endif
    state.low += reinterpret_cast<Words::Half>(low) & goldenStep;
    state.high += reinterpret_cast<Words::Half>(high) & goldenStep;
}

/// Optical depths to the next collision, exponentially distributed with mean 1.
inline Floats sampleOpticalDepths(Floats u) { return -naturalLogarithm(1.f - u); }

/// Sine and cosine of 2 pi u for u in [0, 1]: series around the nearest quarter of a turn; absolute error below 2e-7.
struct SineCosine {
    Floats sine, cosine;
};
inline SineCosine sineCosineOfTurn(Floats u)
{
    const Ints quarter = toInts(4.f * u + 0.5f);
    const Floats x = static_cast<float>(2 * pi) * (u - 0.25f * toFloats(quarter)), z = x * x;
    const Floats s = x + x * z * (-1 / 6.f + z * (1 / 120.f + z * (-1 / 5040.f + z * (1 / 362880.f))));
    const Floats c = 1.f + z * (-1 / 2.f + z * (1 / 24.f + z * (-1 / 720.f + z * (1 / 40320.f))));
    const Ints swapped = (quarter & 1) != 0;
    const auto withSign = [](Floats value, Ints negative) {
        return reinterpret_cast<Floats>(reinterpret_cast<Ints>(value) ^ (negative << 31));
    };
    return {withSign(select(swapped, c, s), (quarter >> 1) & 1),
            withSign(select(swapped, s, c), ((quarter + 1) >> 1) & 1)};
}

/// One number per path, with room to load a whole register at the last one.
template <class T>
class Column {
public:
    explicit Column(int size = 0) : m_values(static_cast<std::size_t>(size) + laneCount) {}

    T& operator[](int i) { return m_values[static_cast<std::size_t>(i)]; }
    const T& operator[](int i) const { return m_values[static_cast<std::size_t>(i)]; }
    const T* from(int i) const { return &m_values[static_cast<std::size_t>(i)]; }
    T* from(int i) { return &m_values[static_cast<std::size_t>(i)]; }

    /// The lanes from entry i on.
    auto lanes(int i) const
    {
        if constexpr (std::is_same_v<T, float>) {
            return loadRegister<Floats>(from(i));
        } else if constexpr (std::is_same_v<T, std::uint64_t>) {
            return Words::load(from(i));
        } else {
            return loadRegister<Ints>(from(i));
        }
    }
    template <class Lanes>
    void store(int i, const Lanes& lanes)
    {
        if constexpr (std::is_same_v<Lanes, Words>) {
            lanes.store(from(i));
        } else {
            storeRegister(from(i), lanes);
        }
    }

private:
    std::vector<T> m_values;
};

/// A vector per path, by component.
struct VectorColumn {
    Column<float> x, y, z;

    explicit VectorColumn(int size = 0) : x(size), y(size), z(size) {}
    Vec3f operator[](int i) const { return {x[i], y[i], z[i]}; }
    void set(int i, const Vec3f& value)
    {
        x[i] = value.x();
        y[i] = value.y();
        z[i] = value.z();
    }
};

}  // namespace firn
