#pragma once
// Rows: four nodes along z with four floats each, sixteen floats, one AVX-512 or two AVX2 registers. Values go from the
// lanes of a batch to rows of one particle, and back, through FourLanes.

#include "sim/simd/batch.h"

namespace firn {

using Four = float __attribute__((vector_size(16)));

/// Where entry `lane` of pickInQuarters comes from, in x followed by y.
template <int... of>
constexpr int pickedLane(int lane)
{
    constexpr int pick[4] = {of...};
    return lane / 4 * 4 + pick[lane % 4] + (pick[lane % 4] < 4 ? 0 : registerSize - 4);
}

/// Four entries for every quarter of four floats: 0 .. 3 from x's, 4 .. 7 from y's.
template <int a, int b, int c, int d>
Register pickInQuarters(Register x, Register y)
{
    const auto shuffle = [&]<int... lane>(std::integer_sequence<int, lane...>)
    {
        return __builtin_shufflevector(x, y, pickedLane<a, b, c, d>(lane)...);
    };
    return shuffle(std::make_integer_sequence<int, registerSize>());
}

/// Transposes the 4x4 matrices whose rows are the quarters of r[0] .. r[3].
inline void transposeQuarters(Register (&r)[4])
{
    const Register a = pickInQuarters<0, 4, 1, 5>(r[0], r[1]), b = pickInQuarters<0, 4, 1, 5>(r[2], r[3]);
    const Register c = pickInQuarters<2, 6, 3, 7>(r[0], r[1]), d = pickInQuarters<2, 6, 3, 7>(r[2], r[3]);
    r[0] = pickInQuarters<0, 1, 4, 5>(a, b);
    r[1] = pickInQuarters<2, 3, 6, 7>(a, b);
    r[2] = pickInQuarters<0, 1, 4, 5>(c, d);
    r[3] = pickInQuarters<2, 3, 6, 7>(c, d);
}

/// 0 in place of what is negative.
inline Register withoutNegative(Register r) { return r > 0 ? r : Register{}; }

#if defined(__AVX512F__)
using Row = Register;

inline Row repeat(Four v)
{
    return reinterpret_cast<Row>(_mm512_maskz_broadcast_f32x4(0xffff, reinterpret_cast<__m128>(v)));
}
inline Row perNode(Four v) { return __builtin_shufflevector(v, v, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3); }
inline Four sumNodes(Row r)
{
    using Eight = float __attribute__((vector_size(32)));
    const Eight pairs = __builtin_shufflevector(r, r, 0, 1, 2, 3, 4, 5, 6, 7) +
                        __builtin_shufflevector(r, r, 8, 9, 10, 11, 12, 13, 14, 15);
    return __builtin_shufflevector(pairs, pairs, 0, 1, 2, 3) + __builtin_shufflevector(pairs, pairs, 4, 5, 6, 7);
}
/// The fourth float of each node in place of all its floats.
inline Row lastOfNodes(Row r) { return pickInQuarters<3, 3, 3, 3>(r, r); }
inline Row loadRow(const float* from) { return loadRegister(from); }
inline void storeRow(float* to, Row r) { storeRegister(to, r); }
#else
using Row = FloatPair;

inline Row withoutNegative(Row r) { return {withoutNegative(r.low), withoutNegative(r.high)}; }

inline Row loadRow(const float* from) { return loadPair(from); }
inline void storeRow(float* to, Row r) { storePair(to, r); }

/// The same four floats for all four nodes.
inline Row repeat(Four v)
{
    const Register r = __builtin_shufflevector(v, v, 0, 1, 2, 3, 0, 1, 2, 3);
    return {r, r};
}
/// One float for each node.
inline Row perNode(Four v)
{
    return {__builtin_shufflevector(v, v, 0, 0, 0, 0, 1, 1, 1, 1),
            __builtin_shufflevector(v, v, 2, 2, 2, 2, 3, 3, 3, 3)};
}
/// The fourth float of each node in place of all its floats.
inline Row lastOfNodes(Row r)
{
    return {pickInQuarters<3, 3, 3, 3>(r.low, r.low), pickInQuarters<3, 3, 3, 3>(r.high, r.high)};
}
/// Sum of the four nodes of a row.
inline Four sumNodes(Row r)
{
    const Register pairs = r.low + r.high;
    return __builtin_shufflevector(pairs, pairs, 0, 1, 2, 3) + __builtin_shufflevector(pairs, pairs, 4, 5, 6, 7);
}
#endif

/// Four floats for each particle of a batch, from four batches and back. In memory the particles lie in the order that
/// transposeQuarters gives.
class FourLanes {
public:
    FourLanes() = default;
    FourLanes(Batch x, Batch y, Batch z, Batch w)
    {
        putHalf(0, x.low, y.low, z.low, w.low);
        putHalf(1, x.high, y.high, z.high, w.high);
    }

    Four operator[](int lane) const
    {
        Four v;
        std::memcpy(&v, m_floats + place(lane), sizeof v);
        return v;
    }
    void set(int lane, Four v) { std::memcpy(m_floats + place(lane), &v, sizeof v); }

    /// Copies lane count - 1 to the lanes from `count` on.
    void repeatFrom(int count)
    {
        for (int lane = count; lane < batchSize; ++lane) set(lane, (*this)[count - 1]);
    }

    /// The first three of the four batches.
    void columns(Batch& x, Batch& y, Batch& z) const
    {
        Batch unused;
        columns(x, y, z, unused);
    }
    void columns(Batch& x, Batch& y, Batch& z, Batch& w) const
    {
        Register r[2][4];
        for (int half = 0; half < 2; ++half) {
            for (int i = 0; i < 4; ++i) r[half][i] = loadRegister(m_floats + (4 * half + i) * registerSize);
            transposeQuarters(r[half]);
        }
        x = {r[0][0], r[1][0]};
        y = {r[0][1], r[1][1]};
        z = {r[0][2], r[1][2]};
        w = {r[0][3], r[1][3]};
    }

private:
    static constexpr int place(int lane)
    {
        const int half = lane / registerSize, within = lane % registerSize;
        return 4 * (half * registerSize + within / 4) + within % 4 * registerSize;
    }
    void putHalf(int half, Register x, Register y, Register z, Register w)
    {
        Register r[4] = {x, y, z, w};
        transposeQuarters(r);
        for (int i = 0; i < 4; ++i) storeRegister(m_floats + (4 * half + i) * registerSize, r[i]);
    }

    alignas(64) float m_floats[4 * batchSize];
};

}  // namespace firn
