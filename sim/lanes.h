#pragma once
// Sixteen particles at a time from columns: loads by index, stores of what is in use.

#include <cstring>

#include "sim/batch.h"
#include "sim/order.h"

namespace firn {

/// Up to sixteen consecutive entries of a block in sorted order. Unused lanes repeat the last particle.
struct Lanes {
    int count;
    bool contiguous;  // consecutive in memory too
    alignas(64) std::int32_t index[batchSize];

    Lanes(const Order& order, std::uint32_t first, std::uint32_t end)
        : count(static_cast<int>(end - first < batchSize ? end - first : batchSize))
    {
        if (count == batchSize) {
            std::memcpy(index, order.index.data() + first, sizeof index);
            contiguous = index[batchSize - 1] == index[0] + batchSize - 1 && all(asMask() == index[0] + laneNumbers());
            return;
        }
        for (int l = 0; l < batchSize; ++l)
            index[l] = static_cast<std::int32_t>(order.index[first + (l < count ? l : count - 1)]);
        contiguous = false;
    }

    /// 1 for the lanes in use, 0 for the others.
    Batch inUse() const { return laneNumbers() < count ? broadcast(1) : broadcast(0); }

    Batch load(const std::vector<float>& column) const
    {
        Batch result;
        if (contiguous) {
            std::memcpy(&result, column.data() + index[0], sizeof result);
            return result;
        }
#if defined(__AVX512F__)
        const __m512i at = _mm512_load_si512(index);
        return reinterpret_cast<Batch>(_mm512_mask_i32gather_ps(_mm512_setzero_ps(), 0xffff, at, column.data(), 4));
#else
        for (int l = 0; l < batchSize; ++l) result[l] = column[index[l]];
        return result;
#endif
    }

    /// Writes the lanes in use to consecutive entries from `first` on.
    void store(std::vector<float>& column, std::size_t first, Batch values) const
    {
        if (count == batchSize) {
            std::memcpy(column.data() + first, &values, sizeof values);
            return;
        }
        for (int l = 0; l < count; ++l) column[first + l] = values[l];
    }

    /// The same for integers.
    BatchMask load(const std::vector<std::int32_t>& column) const
    {
        BatchMask result;
        if (contiguous)
            std::memcpy(&result, column.data() + index[0], sizeof result);
        else
            for (int l = 0; l < batchSize; ++l) result[l] = column[index[l]];
        return result;
    }
    void store(std::vector<std::int32_t>& column, std::size_t first, BatchMask values) const
    {
        std::memcpy(column.data() + first, &values, static_cast<std::size_t>(count) * sizeof(std::int32_t));
    }

    /// Copies the lanes in use from where they are to consecutive entries from `first` on.
    template <class T>
    void copy(const std::vector<T>& from, std::vector<T>& to, std::size_t first) const
    {
        if (contiguous)
            std::memcpy(to.data() + first, from.data() + index[0], batchSize * sizeof(T));
        else
            for (int l = 0; l < count; ++l) to[first + l] = from[index[l]];
    }

private:
    BatchMask asMask() const
    {
        BatchMask mask;
        std::memcpy(&mask, index, sizeof mask);
        return mask;
    }
    static BatchMask laneNumbers() { return BatchMask{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}; }
};

}  // namespace firn
