#pragma once
// Loads batches of particles from columns by index, and stores the lanes in use.

#include <algorithm>
#include <cstring>
#include <vector>

#include "sim/simd/batch.h"

namespace firn {

/// Up to batchSize particles. Unused lanes repeat the last one.
struct Lanes {
    int count;
    bool contiguous[2];  // per half: consecutive in memory too
    alignas(64) std::int32_t index[batchSize];

    /// The particles that entries first .. end of a sorted list name.
    Lanes(const std::vector<std::uint32_t>& sorted, std::uint32_t first, std::uint32_t end)
        : count(static_cast<int>(std::min<std::uint32_t>(end - first, batchSize)))
    {
        const std::uint32_t* source = sorted.data() + first;
        if (count == batchSize)
            storePair(index, loadPair<BatchMask>(source));
        else
            for (int l = 0; l < batchSize; ++l) index[l] = static_cast<std::int32_t>(source[std::min(l, count - 1)]);
        for (int half = 0; half < 2; ++half) contiguous[half] = all(indices(half) == from(half)[0] + laneNumbers());
    }

    /// Particles first .. end as they lie in memory.
    Lanes(std::uint32_t first, std::uint32_t end)
        : count(static_cast<int>(std::min<std::uint32_t>(end - first, batchSize))), contiguous{}
    {
        for (int l = 0; l < batchSize; ++l) index[l] = static_cast<std::int32_t>(first) + std::min(l, count - 1);
        for (int half = 0; half < 2; ++half) contiguous[half] = count >= (half + 1) * registerSize;
    }

    /// 1 for the lanes in use, 0 for the others.
    Batch inUse() const
    {
        const Register zero = {}, one = 1.f - zero;
        return {select(laneNumbers() < count, one, zero), select(laneNumbers() < count - registerSize, one, zero)};
    }

    Batch load(const std::vector<float>& column) const { return {loadHalf(column, 0), loadHalf(column, 1)}; }

    /// Writes the lanes in use to consecutive entries from `first` on.
    void store(std::vector<float>& column, std::size_t first, Batch values) const { storeBits(column, first, values); }

    /// Columns of integers of four bytes.
    template <class Integer>
    BatchMask load(const std::vector<Integer>& column) const
    {
        return {reinterpret_cast<RegisterMask>(loadHalf(column, 0)),
                reinterpret_cast<RegisterMask>(loadHalf(column, 1))};
    }
    template <class Integer>
    void store(std::vector<Integer>& column, std::size_t first, BatchMask values) const
    {
        storeBits(column, first, values);
    }

    /// Copies the lanes in use from where they are to consecutive entries from `first` on.
    template <class T>
    void copy(const std::vector<T>& source, std::vector<T>& to, std::size_t first) const
    {
        if (contiguous[0] && contiguous[1] && index[registerSize] == index[0] + registerSize)
            std::memcpy(to.data() + first, source.data() + index[0], batchSize * sizeof(T));
        else
            for (int l = 0; l < count; ++l) to[first + l] = source[index[l]];
    }

private:
    static RegisterMask laneNumbers()
    {
        alignas(64) static constexpr std::int32_t numbers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
        return loadRegister<RegisterMask>(numbers);
    }
    const std::int32_t* from(int half) const { return index + half * registerSize; }
    RegisterMask indices(int half) const { return loadRegister<RegisterMask>(from(half)); }

    /// The bits of four-byte entries.
    template <class T>
    Register loadHalf(const std::vector<T>& column, int half) const
    {
        static_assert(sizeof(T) == 4);
        if (contiguous[half]) return loadRegister(column.data() + from(half)[0]);
#if defined(__AVX512F__)
        return reinterpret_cast<Register>(_mm512_mask_i32gather_ps(
            _mm512_setzero_ps(), 0xffff, reinterpret_cast<__m512i>(indices(half)), column.data(), 4));
#else
        return reinterpret_cast<Register>(_mm256_i32gather_ps(reinterpret_cast<const float*>(column.data()),
                                                              reinterpret_cast<__m256i>(indices(half)), 4));
#endif
    }
    template <class T, class Values>
    void storeBits(std::vector<T>& column, std::size_t first, const Values& values) const
    {
        if (count == batchSize) return storePair(column.data() + first, values);
        std::memcpy(column.data() + first, &values, static_cast<std::size_t>(count) * sizeof(T));
    }
};

}  // namespace firn
