#pragma once
// A tile: the 11^3 nodes that kernels beginning in one leaf can reach, copied to contiguous memory that stays in the
// first-level cache. A particle's 64 nodes are 16 rows (see rows.h) along z of four nodes with four floats each.

#include <cstring>
#include <type_traits>

#include "sim/simd/leaf.h"
#include "sim/simd/rows.h"

namespace firn {

class Tile {
public:
    static constexpr int edge = leafSize + 3;
    static constexpr int rowStride = edge * 4;            // floats between neighbours in y
    static constexpr int planeStride = edge * rowStride;  // and in x

    void clear() { std::memset(m_nodes, 0, sizeof m_nodes); }

    float* cell(int cell) { return m_nodes + (cell >> 6) * planeStride + (cell >> 3 & 7) * rowStride + (cell & 7) * 4; }
    const float* cell(int cell) const { return const_cast<Tile*>(this)->cell(cell); }

    /// Copies the nodes in from the leaves; nodesOf(i) gives the floats of leaf i.
    template <class NodesOf>
    void load(const LeafNeighbours& leaves, const NodesOf& nodesOf)
    {
        forEachRow(leaves, nodesOf, [](float* tile, const float* leaf, auto floats) {
            std::memcpy(tile, leaf, floats * sizeof(float));
        });
    }
    /// Copies them back. No other tile that shares these nodes may be in use.
    template <class NodesOf>
    void store(const LeafNeighbours& leaves, const NodesOf& nodesOf)
    {
        forEachRow(leaves, nodesOf, [](const float* tile, float* leaf, auto floats) {
            std::memcpy(leaf, tile, floats * sizeof(float));
        });
    }
    /// Adds them onto the leaves.
    template <class NodesOf>
    void addTo(const LeafNeighbours& leaves, const NodesOf& nodesOf)
    {
        forEachRow(leaves, nodesOf, [](const float* tile, float* leaf, auto floats) {
            for (std::size_t i = 0; i < floats; ++i) leaf[i] += tile[i];
        });
    }

private:
    /// Calls f(floats of the tile, of the leaf, their number) for every row. The number is a constant of the type: the
    /// copy of a row is then a few instructions and not a call.
    template <class NodesOf, class F>
    void forEachRow(const LeafNeighbours& leaves, const NodesOf& nodesOf, const F& f)
    {
        for (int slot = 0; slot < 8; ++slot) {
            if (leaves[slot] < 0) continue;
            float* corner =
                m_nodes + ((slot & 1) != 0 ? leafSize * planeStride : 0) + ((slot & 2) != 0 ? leafSize * rowStride : 0);
            const int nx = (slot & 1) != 0 ? 3 : leafSize, ny = (slot & 2) != 0 ? 3 : leafSize;
            auto* nodes = nodesOf(leaves[slot]);
            if ((slot & 4) != 0)
                forEachRowOf<3>(corner + leafSize * 4, nodes, nx, ny, f);
            else
                forEachRowOf<leafSize>(corner, nodes, nx, ny, f);
        }
    }
    template <int nz, class Nodes, class F>
    static void forEachRowOf(float* corner, Nodes* nodes, int nx, int ny, const F& f)
    {
        for (int x = 0; x < nx; ++x)
            for (int y = 0; y < ny; ++y)
                f(corner + x * planeStride + y * rowStride, nodes + (x * 64 + y * 8) * 4,
                  std::integral_constant<std::size_t, std::size_t{4} * nz>());
    }

    alignas(64) float m_nodes[edge * planeStride];
};

/// Accumulates the particles of one cell in sixteen rows before the tile is touched.
class CellRows {
public:
    explicit CellRows(Tile& tile) : m_tile(tile) {}

    /// Makes `cell` current; flushes the one before.
    void select(int cell)
    {
        if (cell == m_cell) return;
        flush();
        m_cell = cell;
    }
    void flush()
    {
        if (m_cell >= 0) {
            float* corner = m_tile.cell(m_cell);
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j) {
                    float* at = corner + i * Tile::planeStride + j * Tile::rowStride;
                    storeRow(at, loadRow(at) + rows[4 * i + j]);
                }
        }
        for (Row& row : rows) row = Row{};
        m_cell = -1;
    }

    Row rows[16] = {};

private:
    Tile& m_tile;
    int m_cell = -1;
};

}  // namespace firn
