#pragma once
// Sixteen floats at a time: the compiler's vector type, which becomes one AVX-512 or two AVX2 registers. The functions
// below also exist for float and double, so that a constitutive model is written once and tested in double.

#include <cmath>
#include <cstdint>
#include <initializer_list>

#if defined(__AVX512F__) || defined(__AVX2__)
#include <immintrin.h>
#endif

namespace firn {

constexpr int batchSize = 16;
using Batch = float __attribute__((vector_size(64)));
using BatchMask = std::int32_t __attribute__((vector_size(64)));  // 0 or -1 per lane

inline Batch broadcast(float value) { return Batch{} + value; }

inline float select(bool mask, float a, float b) { return mask ? a : b; }
inline double select(bool mask, double a, double b) { return mask ? a : b; }
inline Batch select(BatchMask mask, Batch a, Batch b) { return mask ? a : b; }

inline float smaller(float a, float b) { return a < b ? a : b; }
inline double smaller(double a, double b) { return a < b ? a : b; }
inline Batch smaller(Batch a, Batch b) { return a < b ? a : b; }

inline float larger(float a, float b) { return a > b ? a : b; }
inline double larger(double a, double b) { return a > b ? a : b; }
inline Batch larger(Batch a, Batch b) { return a > b ? a : b; }

inline float squareRoot(float x) { return std::sqrt(x); }
inline double squareRoot(double x) { return std::sqrt(x); }
inline Batch squareRoot(Batch x)
{
#if defined(__AVX512F__)
    return reinterpret_cast<Batch>(_mm512_maskz_sqrt_ps(0xffff, reinterpret_cast<__m512>(x)));
#else
    Batch result;
    for (int i = 0; i < batchSize; ++i) result[i] = std::sqrt(x[i]);
    return result;
#endif
}

/// 1 / sqrt(x) for x > 0; for a batch by the processor's estimate and one Newton step, relative error below 3e-7.
inline float inverseSquareRoot(float x) { return 1 / std::sqrt(x); }
inline double inverseSquareRoot(double x) { return 1 / std::sqrt(x); }
inline Batch inverseSquareRoot(Batch x)
{
#if defined(__AVX512F__)
    const Batch y = reinterpret_cast<Batch>(_mm512_maskz_rsqrt14_ps(0xffff, reinterpret_cast<__m512>(x)));
    return y * (1.5f - 0.5f * x * y * y);
#else
    return 1 / squareRoot(x);
#endif
}

/// 1 / x, in the same manner.
inline float reciprocal(float x) { return 1 / x; }
inline double reciprocal(double x) { return 1 / x; }
inline Batch reciprocal(Batch x)
{
#if defined(__AVX512F__)
    const Batch y = reinterpret_cast<Batch>(_mm512_maskz_rcp14_ps(0xffff, reinterpret_cast<__m512>(x)));
    return y * (2.f - x * y);
#else
    return 1 / x;
#endif
}

/// Whether a condition holds in all lanes.
inline bool all(bool condition) { return condition; }
inline bool all(BatchMask mask)
{
    std::int32_t result = -1;
    for (int i = 0; i < batchSize; ++i) result &= mask[i];
    return result != 0;
}

inline float magnitude(float x) { return std::abs(x); }
inline double magnitude(double x) { return std::abs(x); }
inline Batch magnitude(Batch x) { return reinterpret_cast<Batch>(reinterpret_cast<BatchMask>(x) & 0x7fffffff); }

/// exp(x) for |x| <= 80: argument reduced to |r| <= ln 2 / 2, degree-6 Taylor-Horner; relative error below 3e-7.
inline Batch exponential(Batch x)
{
    constexpr float log2e = 1.44269504f, ln2High = 0.693359375f, ln2Low = -2.12194440e-4f, toInteger = 12582912.f;
    x = smaller(larger(x, broadcast(-80.f)), broadcast(80.f));
    const Batch shifted = x * log2e + toInteger;  // rounds to the nearest integer in the low bits
    const Batch n = shifted - toInteger;
    const Batch r = (x - n * ln2High) - n * ln2Low;
    Batch p = broadcast(1.f / 720.f);
    for (const float c : {1.f / 120.f, 1.f / 24.f, 1.f / 6.f, 0.5f, 1.f, 1.f}) p = p * r + c;
    const BatchMask exponent = (reinterpret_cast<BatchMask>(shifted) - 0x4b400000 + 127) << 23;
    return p * reinterpret_cast<Batch>(exponent);
}
inline float exponential(float x) { return std::exp(x); }
inline double exponential(double x) { return std::exp(x); }

}  // namespace firn
