#pragma once
// A Batch is two registers (common/simd/register.h), so that two chains of dependent operations run at the same time.

#include "common/simd/register.h"

namespace firn {

/// Two registers used as one.
template <class Part, class Scalar>
struct Pair {
    static constexpr int size = 2 * sizeof(Part) / sizeof(Scalar);
    using Mask = Pair<RegisterMask, std::int32_t>;

    Part low, high;

    Pair() = default;
    Pair(Part l, Part h) : low(l), high(h) {}
    Pair(Scalar value) : low(value - Part{}), high(value - Part{}) {}  // x - 0 is x, which x + 0 is not for x = -0

    Scalar operator[](int lane) const { return lane < size / 2 ? low[lane] : high[lane - size / 2]; }
    Scalar& operator[](int lane) { return reinterpret_cast<Scalar*>(this)[lane]; }

    Pair operator-() const { return {-low, -high}; }
    Pair operator~() const { return {~low, ~high}; }
    friend Pair operator+(Pair a, Pair b) { return {a.low + b.low, a.high + b.high}; }
    friend Pair operator-(Pair a, Pair b) { return {a.low - b.low, a.high - b.high}; }
    friend Pair operator*(Pair a, Pair b) { return {a.low * b.low, a.high * b.high}; }
    friend Pair operator/(Pair a, Pair b) { return {a.low / b.low, a.high / b.high}; }
    friend Pair operator&(Pair a, Pair b) { return {a.low & b.low, a.high & b.high}; }
    Pair& operator+=(Pair b) { return *this = *this + b; }
    Pair& operator-=(Pair b) { return *this = *this - b; }
    Pair& operator*=(Pair b) { return *this = *this * b; }
    Pair& operator&=(Pair b) { return *this = *this & b; }
    friend Mask operator<(Pair a, Pair b) { return {a.low < b.low, a.high < b.high}; }
    friend Mask operator>(Pair a, Pair b) { return {a.low > b.low, a.high > b.high}; }
    friend Mask operator<=(Pair a, Pair b) { return {a.low <= b.low, a.high <= b.high}; }
    friend Mask operator>=(Pair a, Pair b) { return {a.low >= b.low, a.high >= b.high}; }
    friend Mask operator==(Pair a, Pair b) { return {a.low == b.low, a.high == b.high}; }

    friend Pair select(Mask mask, Pair a, Pair b) { return {mask.low ? a.low : b.low, mask.high ? a.high : b.high}; }
    friend Pair smaller(Pair a, Pair b) { return {smaller(a.low, b.low), smaller(a.high, b.high)}; }
    friend Pair larger(Pair a, Pair b) { return {larger(a.low, b.low), larger(a.high, b.high)}; }
};

using FloatPair = Pair<Register, float>;
using IntegerPair = Pair<RegisterMask, std::int32_t>;

inline FloatPair magnitude(FloatPair x) { return {magnitude(x.low), magnitude(x.high)}; }
inline FloatPair squareRoot(FloatPair x) { return {squareRoot(x.low), squareRoot(x.high)}; }
inline FloatPair inverseSquareRoot(FloatPair x) { return {inverseSquareRoot(x.low), inverseSquareRoot(x.high)}; }
inline FloatPair reciprocal(FloatPair x) { return {reciprocal(x.low), reciprocal(x.high)}; }
inline FloatPair naturalExponential(FloatPair x) { return {naturalExponential(x.low), naturalExponential(x.high)}; }
inline FloatPair toFloats(IntegerPair x) { return {toFloats(x.low), toFloats(x.high)}; }
inline bool all(IntegerPair mask) { return all(mask.low & mask.high); }

/// Pairs from and to memory, each half a register of its own.
template <class P = FloatPair>
P loadPair(const void* from)
{
    using Part = decltype(P::low);
    const char* bytes = static_cast<const char*>(from);
    return {loadRegister<Part>(bytes), loadRegister<Part>(bytes + sizeof(Part))};
}
template <class Part, class Scalar>
void storePair(void* to, Pair<Part, Scalar> values)
{
    char* bytes = static_cast<char*>(to);
    storeRegister(bytes, values.low);
    storeRegister(bytes + sizeof(Part), values.high);
}

using Batch = FloatPair;
using BatchMask = IntegerPair;
constexpr int batchSize = Batch::size;

inline Batch broadcast(float value) { return Batch(value); }

}  // namespace firn
