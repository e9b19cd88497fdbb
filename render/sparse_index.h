#pragma once
// Numbers of some places of a three-dimensional lattice, in chunks of 8^3 places.

#include <array>
#include <cstdint>
#include <vector>

#include "common/math.h"

namespace firn {

class SparseIndex {
public:
    SparseIndex() = default;

    /// Of places from (0, 0, 0) to size - 1. No place has a number yet.
    explicit SparseIndex(const Vec3i& size) : m_size(size), m_chunks((size.array() + edge - 1) / edge)
    {
        m_table.assign(m_chunks.cast<std::size_t>().prod(), -1);
    }

    bool contains(const Vec3i& place) const
    {
        return (place.array() >= 0).all() && (place.array() < m_size.array()).all();
    }

    /// The number of a place, or -1.
    std::int32_t at(const Vec3i& place) const
    {
        if (!contains(place)) return -1;
        const std::int32_t chunk = m_table[chunkAt(place)];
        return chunk < 0 ? -1 : m_numbers[static_cast<std::size_t>(chunk)][inChunk(place)];
    }

    /// Gives a place within the bounds its number.
    void set(const Vec3i& place, std::int32_t number)
    {
        std::int32_t& chunk = m_table[chunkAt(place)];
        if (chunk < 0) {
            chunk = static_cast<std::int32_t>(m_numbers.size());
            m_numbers.emplace_back().fill(-1);
        }
        m_numbers[static_cast<std::size_t>(chunk)][inChunk(place)] = number;
    }

private:
    static constexpr int edge = 8;

    std::size_t chunkAt(const Vec3i& place) const
    {
        const Vec3i c = place / edge;
        return (static_cast<std::size_t>(c.x()) * static_cast<std::size_t>(m_chunks.y()) +
                static_cast<std::size_t>(c.y())) *
                   static_cast<std::size_t>(m_chunks.z()) +
               static_cast<std::size_t>(c.z());
    }
    static std::size_t inChunk(const Vec3i& place)
    {
        const int in = ((place.x() & 7) * edge + (place.y() & 7)) * edge + (place.z() & 7);
        return static_cast<std::size_t>(in);
    }

    Vec3i m_size = Vec3i::Zero(), m_chunks = Vec3i::Zero();
    std::vector<std::int32_t> m_table;  // chunk or -1, z fastest
    std::vector<std::array<std::int32_t, edge * edge * edge>> m_numbers;
};

}  // namespace firn
