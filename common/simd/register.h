#pragma once
// Vector registers. A Register holds the floats that one instruction processes: sixteen with AVX-512, eight with AVX2.
// Many functions below also exist for float and double, so that a formula is written once and tested in double.

#include <immintrin.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <initializer_list>

namespace firn {

#if defined(__AVX512F__)
constexpr int registerSize = 16;  // floats
#else
constexpr int registerSize = 8;
#endif
using Register = float __attribute__((vector_size(4 * registerSize)));
using RegisterMask = std::int32_t __attribute__((vector_size(4 * registerSize)));  // 0 or -1 per lane

/// Registers from and to memory, aligned or not.
template <class R = Register>
R loadRegister(const void* from)
{
    R result;
    std::memcpy(&result, from, sizeof result);
    return result;
}
template <class R>
void storeRegister(void* to, R value)
{
    std::memcpy(to, &value, sizeof value);
}

inline float select(bool mask, float a, float b) { return mask ? a : b; }
inline double select(bool mask, double a, double b) { return mask ? a : b; }
inline Register select(RegisterMask mask, Register a, Register b) { return mask ? a : b; }

inline float smaller(float a, float b) { return a < b ? a : b; }
inline double smaller(double a, double b) { return a < b ? a : b; }
inline Register smaller(Register a, Register b) { return a < b ? a : b; }

inline float larger(float a, float b) { return a > b ? a : b; }
inline double larger(double a, double b) { return a > b ? a : b; }
inline Register larger(Register a, Register b) { return a > b ? a : b; }

inline float magnitude(float x) { return std::abs(x); }
inline double magnitude(double x) { return std::abs(x); }
inline Register magnitude(Register x)
{
    return reinterpret_cast<Register>(reinterpret_cast<RegisterMask>(x) & 0x7fffffff);
}

inline float squareRoot(float x) { return std::sqrt(x); }
inline double squareRoot(double x) { return std::sqrt(x); }
inline Register squareRoot(Register x)
{
#if defined(__AVX512F__)
    return reinterpret_cast<Register>(_mm512_maskz_sqrt_ps(0xffff, reinterpret_cast<__m512>(x)));
#else
    return reinterpret_cast<Register>(_mm256_sqrt_ps(reinterpret_cast<__m256>(x)));
#endif
}

/// 1 / sqrt(x) for x > 0. For registers it is the processor's estimate and a step of Newton's method. The step is
/// written as a small correction, so that its rounding error is small too: relative error below 2e-7.
inline float inverseSquareRoot(float x) { return 1 / std::sqrt(x); }
inline double inverseSquareRoot(double x) { return 1 / std::sqrt(x); }
inline Register inverseSquareRoot(Register x)
{
#if defined(__AVX512F__)
    const Register y = reinterpret_cast<Register>(_mm512_maskz_rsqrt14_ps(0xffff, reinterpret_cast<__m512>(x)));
#else
    const Register estimate = reinterpret_cast<Register>(_mm256_rsqrt_ps(reinterpret_cast<__m256>(x)));
    const Register y = estimate + 0.5f * estimate * (1.f - x * estimate * estimate);  // twelve bits need two steps
#endif
    return y + 0.5f * y * (1.f - x * y * y);
}

/// 1 / x, computed in the same way.
inline float reciprocal(float x) { return 1 / x; }
inline double reciprocal(double x) { return 1 / x; }
inline Register reciprocal(Register x)
{
#if defined(__AVX512F__)
    const Register y = reinterpret_cast<Register>(_mm512_maskz_rcp14_ps(0xffff, reinterpret_cast<__m512>(x)));
#else
    const Register y = reinterpret_cast<Register>(_mm256_rcp_ps(reinterpret_cast<__m256>(x)));
#endif
    return y + y * (1.f - x * y);
}

/// Whether a condition holds in all lanes.
inline bool all(bool condition) { return condition; }
inline bool all(RegisterMask mask)
{
#if defined(__AVX512F__)
    return _mm512_movepi32_mask(reinterpret_cast<__m512i>(mask)) == 0xffff;
#else
    return _mm256_movemask_ps(reinterpret_cast<__m256>(mask)) == 0xff;
#endif
}

/// e^x for |x| <= 80; beyond, x is clamped. For registers: x is reduced to |r| <= ln 2 / 2, then a Taylor polynomial of
/// degree 6; relative error below 3e-7.
inline float naturalExponential(float x) { return std::exp(x); }
inline double naturalExponential(double x) { return std::exp(x); }
inline Register naturalExponential(Register x)
{
    constexpr float log2e = 1.44269504f, ln2High = 0.693359375f, ln2Low = -2.12194440e-4f, toInteger = 12582912.f;
    x = smaller(larger(x, -80.f - Register{}), 80.f - Register{});
    const Register shifted = x * log2e + toInteger;  // rounds to the nearest integer in the low bits
    const Register n = shifted - toInteger;
    const Register r = (x - n * ln2High) - n * ln2Low;
    Register p = 1.f / 720.f - Register{};
    for (const float c : {1.f / 120.f, 1.f / 24.f, 1.f / 6.f, 0.5f, 1.f, 1.f}) p = p * r + c;
    const RegisterMask exponent = (reinterpret_cast<RegisterMask>(shifted) - 0x4b400000 + 127) << 23;
    return p * reinterpret_cast<Register>(exponent);
}

/// The natural logarithm of a normal positive number. x = 2^n m with m from sqrt(1/2) to sqrt(2), and
/// ln m = 2 artanh s with s = (m - 1) / (m + 1): its series up to s^9; relative error below 3e-7.
inline Register naturalLogarithm(Register x)
{
    constexpr std::int32_t rootOfHalf = 0x3f3504f3;  // the bits of the number
    constexpr float ln2High = 0.693359375f, ln2Low = -2.12194440e-4f;
    const auto bits = reinterpret_cast<RegisterMask>(x);
    const RegisterMask exponent = (bits - rootOfHalf) >> 23;
    const auto m = reinterpret_cast<Register>(bits - (exponent << 23));
    const Register n = __builtin_convertvector(exponent, Register);
    const Register s = (m - 1.f) * reciprocal(m + 1.f), z = s * s;
    const Register series = z * (1 / 3.f + z * (1 / 5.f + z * (1 / 7.f + z * (1 / 9.f))));
    return n * ln2High + (2.f * (s + s * series) + n * ln2Low);
}

inline Register toFloats(RegisterMask integers) { return __builtin_convertvector(integers, Register); }

}  // namespace firn
