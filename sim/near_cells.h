#pragma once
// Most particles of a block are far from a body. Parts of the block, cubes of two cells, and cells are asked once
// instead of each of their particles.

#include <bitset>
#include <cmath>
#include <vector>

#include "sim/contact.h"

namespace firn {

/// Which cells of a block a piece may reach. A cell is asked when its first particle is. Cells as in Order::cell.
class NearCells {
public:
    /// `reach_m`: how far from the piece a particle is still of interest.
    NearCells(const Contact& contact, int piece, const Vec3i& blockOrigin, double h, double reach_m)
        : m_contact(&contact), m_origin(blockOrigin), m_piece(piece), m_h(h), m_reach_m(reach_m + margin * h)
    {
    }

    /// False if no particle of the cell is within the reach of the piece.
    bool has(int cell)
    {
        const int x = cell >> 6, y = cell >> 3 & 7, z = cell & 7;
        const auto part = static_cast<std::size_t>((x >> 1) << 4 | (y >> 1) << 2 | z >> 1);
        const auto isNear = [&](const Vec3d& middle, double edge) {  // of a cube, in cells
            Surface surface;
            const double radius = m_reach_m + edge / 2 * std::sqrt(3.0) * m_h;
            return m_contact->distanceWithin(m_piece, (m_origin.cast<double>() + middle) * m_h, radius, surface);
        };
        if (!m_parts.has(part, [&] { return isNear(Vec3d(x | 1, y | 1, z | 1) + Vec3d::Ones(), 2); })) return false;
        return m_cells.has(static_cast<std::size_t>(cell), [&] { return isNear(Vec3d(x + 1.5, y + 1.5, z + 1.5), 1); });
    }

    int piece() const { return m_piece; }

private:
    static constexpr double margin = 0.1;  // cells: distances of level sets are not exact

    /// Answers that are kept.
    template <std::size_t count>
    class Answers {
    public:
        template <class Ask>
        bool has(std::size_t i, const Ask& ask)
        {
            if (!m_asked[i]) {
                m_asked.set(i);
                m_near[i] = ask();
            }
            return m_near[i];
        }

    private:
        std::bitset<count> m_asked, m_near;
    };

    const Contact* m_contact;
    Vec3i m_origin;
    int m_piece;
    double m_h, m_reach_m;
    Answers<64> m_parts;
    Answers<512> m_cells;
};

/// The pieces that particles of a block may touch.
class NearPieces {
public:
    NearPieces() = default;
    /// `reach_m`: how far from a piece a particle is still of interest.
    NearPieces(const Contact& contact, const Vec3i& blockOrigin, double h, double reach_m)
    {
        for (const int piece : contact.nearTile(blockOrigin))
            m_pieces.emplace_back(contact, piece, blockOrigin, h, reach_m);
    }

    bool any() const { return !m_pieces.empty(); }

    /// Those that particles of a cell may touch. Valid until the next call; quick for the same cell.
    const std::vector<int>& of(int cell)
    {
        if (cell == m_cell) return m_near;
        m_cell = cell;
        m_near.clear();
        for (NearCells& cells : m_pieces)
            if (cells.has(cell)) m_near.push_back(cells.piece());
        return m_near;
    }

private:
    std::vector<NearCells> m_pieces;
    int m_cell = -1;
    std::vector<int> m_near;  // in m_cell
};

}  // namespace firn
