#pragma once
// A grid of twice the spacing over the leaves of a finer one, for the preconditioner of the semi-implicit solve. Coarse
// node j lies on fine node 2 j. The value at a fine node is the trilinear interpolation of the coarse nodes around it,
// so a leaf needs a patch of 5^3 coarse nodes. Restriction is the transpose, summed in the order of the finer leaves.

#include <array>
#include <vector>

#include "common/math.h"
#include "sim/node_vector.h"
#include "sim/order.h"

namespace firn {

/// The coarse nodes that one finer leaf is interpolated from: x y z and a fourth float each, along z first.
struct CoarsePatch {
    static constexpr int edge = leafSize / 2 + 1;
    alignas(16) float nodes[edge][edge][4 * edge];
};

class CoarseLevel {
public:
    /// Over finer leaves with these origins, in units of leaves.
    explicit CoarseLevel(const std::vector<Vec3i>& finer);

    /// Origins of this level's leaves, in units of leaves, sorted.
    const std::vector<Vec3i>& leaves() const { return m_leaves; }

    /// to = P^T from; `fineLeaf(i, scratch)` gives the floats of finer leaf i, for which it may use the scratch.
    template <class FineLeaf>
    void restrictFrom(const FineLeaf& fineLeaf, NodeVector& to)
    {
        parallelFor(m_places.size(), [&](std::size_t i) {
            alignas(64) float scratch[floatsPerLeaf];
            m_patches[i] = restrictLeaf(fineLeaf(i, scratch));
        });
        to.resize(m_leaves.size());
        sumPatches(to);
    }

    /// P from on finer leaf i.
    void prolong(const NodeVector& from, std::size_t i, float* fineLeaf) const;

    std::size_t bytes() const;

private:
    /// Where a finer leaf lies: the coarse leaf, and by axis whether in its upper half, where the patch's last nodes
    /// are those of the forward neighbour.
    struct Place {
        std::array<bool, 3> upper{};
        std::array<int, 8> leaf{};  // bit 0 = +x, bit 1 = +y, bit 2 = +z neighbour; -1 where not reached
    };
    struct Part {
        std::uint32_t finer;
        int slot;  // of Place::leaf
    };

    void collectParts();
    static CoarsePatch restrictLeaf(const float* fineLeaf);
    void sumPatches(NodeVector& to) const;

    std::vector<Vec3i> m_leaves;
    std::vector<Place> m_places;             // by finer leaf
    std::vector<std::uint32_t> m_firstPart;  // into m_parts by leaf of this level, and their end
    std::vector<Part> m_parts;
    std::vector<CoarsePatch> m_patches;  // by finer leaf
};

}  // namespace firn
