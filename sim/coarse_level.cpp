#include "sim/coarse_level.h"

#include <algorithm>
#include <cstring>

namespace firn {

namespace {

constexpr int edge = CoarsePatch::edge;

/// The leaf of a finer leaf's patch at one slot.
Vec3i coarseLeaf(const Vec3i& finer, int slot)
{
    return {(finer.x() >> 1) + (slot & 1), (finer.y() >> 1) + (slot >> 1 & 1), (finer.z() >> 1) + (slot >> 2 & 1)};
}

bool reaches(const std::array<bool, 3>& upper, int slot)
{
    return (upper[0] || !(slot & 1)) && (upper[1] || !(slot & 2)) && (upper[2] || !(slot & 4));
}

/// The part of a patch that lies in one of its leaves, along one axis.
struct PatchRange {
    int in_patch, in_leaf, count;
};

PatchRange rangeOf(bool upper, bool next)
{
    if (next) return {edge - 1, 0, 1};
    return upper ? PatchRange{0, leafSize / 2, edge - 1} : PatchRange{0, 0, edge};
}

/// Calls f(patch row, leaf row, number of floats) for the part of a patch that lies in the leaf of one slot.
template <class Patch, class Float, class F>
void forEachRow(const std::array<bool, 3>& upper, int slot, Patch& patch, Float* leaf, const F& f)
{
    const PatchRange x = rangeOf(upper[0], slot & 1), y = rangeOf(upper[1], slot >> 1 & 1),
                     z = rangeOf(upper[2], slot >> 2 & 1);
    for (int i = 0; i < x.count; ++i)
        for (int j = 0; j < y.count; ++j)
            f(patch.nodes[x.in_patch + i][y.in_patch + j] + 4 * z.in_patch,
              leaf + 4 * (((x.in_leaf + i) * leafSize + y.in_leaf + j) * leafSize + z.in_leaf), 4 * z.count);
}

/// `count` floats: to = (a + b) / 2
void middle(const float* a, const float* b, float* to, int count)
{
    for (int k = 0; k < count; ++k) to[k] = 0.5f * (a[k] + b[k]);
}

/// Adds `count` floats to a and b by halves.
void addHalves(const float* from, float* a, float* b, int count)
{
    for (int k = 0; k < count; ++k) {
        a[k] += 0.5f * from[k];
        b[k] += 0.5f * from[k];
    }
}

/// Interpolates along one axis: `edge` coarse entries of `size` floats to leafSize fine ones.
void interpolate(const float* coarse, int size, float* fine)
{
    for (int i = 0; i < leafSize / 2; ++i, coarse += size, fine += 2 * size) {
        std::memcpy(fine, coarse, static_cast<std::size_t>(size) * sizeof(float));
        middle(coarse, coarse + size, fine + size, size);
    }
}

/// Its transpose.
void gather(const float* fine, int size, float* coarse)
{
    std::memset(coarse, 0, static_cast<std::size_t>(edge * size) * sizeof(float));
    for (int i = 0; i < leafSize / 2; ++i, coarse += size, fine += 2 * size) {
        for (int k = 0; k < size; ++k) coarse[k] += fine[k];
        addHalves(fine + size, coarse, coarse + size, size);
    }
}

}  // namespace

CoarseLevel::CoarseLevel(const std::vector<Vec3i>& finer) : m_places(finer.size()), m_patches(finer.size())
{
    for (std::size_t i = 0; i < finer.size(); ++i) {
        for (int axis = 0; axis < 3; ++axis) m_places[i].upper[static_cast<std::size_t>(axis)] = finer[i][axis] & 1;
        for (int slot = 0; slot < 8; ++slot)
            if (reaches(m_places[i].upper, slot)) m_leaves.push_back(coarseLeaf(finer[i], slot));
    }
    std::sort(m_leaves.begin(), m_leaves.end(), originBefore);
    m_leaves.erase(std::unique(m_leaves.begin(), m_leaves.end()), m_leaves.end());
    for (std::size_t i = 0; i < finer.size(); ++i)
        for (int slot = 0; slot < 8; ++slot) {
            const Vec3i at = coarseLeaf(finer[i], slot);
            const auto found = std::lower_bound(m_leaves.begin(), m_leaves.end(), at, originBefore);
            m_places[i].leaf[static_cast<std::size_t>(slot)] =
                reaches(m_places[i].upper, slot) ? static_cast<int>(found - m_leaves.begin()) : -1;
        }
    collectParts();
}

/// Collects for every leaf the patches that it is the sum of, in the order of the finer leaves, by counting sort.
void CoarseLevel::collectParts()
{
    m_firstPart.assign(m_leaves.size() + 1, 0);
    for (const Place& place : m_places)
        for (const int leaf : place.leaf)
            if (leaf >= 0) ++m_firstPart[static_cast<std::size_t>(leaf) + 1];
    for (std::size_t k = 0; k < m_leaves.size(); ++k) m_firstPart[k + 1] += m_firstPart[k];
    m_parts.resize(m_firstPart.back());
    std::vector<std::uint32_t> next(m_firstPart.begin(), m_firstPart.end() - 1);
    for (std::size_t i = 0; i < m_places.size(); ++i)
        for (int slot = 0; slot < 8; ++slot)
            if (const int leaf = m_places[i].leaf[static_cast<std::size_t>(slot)]; leaf >= 0)
                m_parts[next[static_cast<std::size_t>(leaf)]++] = {static_cast<std::uint32_t>(i), slot};
}

CoarsePatch CoarseLevel::restrictLeaf(const float* fineLeaf)
{
    constexpr int row = 4 * edge, plane = edge * row;
    CoarsePatch patch;
    float planes[leafSize * plane];
    for (int i = 0; i < leafSize; ++i) {
        float rows[leafSize * row];
        for (int j = 0; j < leafSize; ++j) gather(fineLeaf + (i * leafSize + j) * 4 * leafSize, 4, rows + j * row);
        gather(rows, row, planes + i * plane);
    }
    gather(planes, plane, &patch.nodes[0][0][0]);
    return patch;
}

void CoarseLevel::sumPatches(NodeVector& to) const
{
    parallelFor(m_leaves.size(), [&](std::size_t leaf) {
        for (std::uint32_t k = m_firstPart[leaf]; k < m_firstPart[leaf + 1]; ++k) {
            const auto [finer, slot] = m_parts[k];
            forEachRow(m_places[finer].upper, slot, m_patches[finer], to.leaf(leaf),
                       [](const float* patch, float* nodes, int floats) {
                           for (int n = 0; n < floats; ++n) nodes[n] += patch[n];
                       });
        }
    });
}

void CoarseLevel::prolong(const NodeVector& from, std::size_t i, float* fineLeaf) const
{
    constexpr int row = 4 * edge, plane = edge * row;
    CoarsePatch patch;
    const Place& place = m_places[i];
    for (int slot = 0; slot < 8; ++slot) {
        const int leaf = place.leaf[static_cast<std::size_t>(slot)];
        if (leaf < 0) continue;
        forEachRow(place.upper, slot, patch, from.leaf(static_cast<std::size_t>(leaf)),
                   [](float* to, const float* nodes, int floats) {
                       std::memcpy(to, nodes, static_cast<std::size_t>(floats) * sizeof(float));
                   });
    }
    float planes[leafSize * plane];
    interpolate(&patch.nodes[0][0][0], plane, planes);
    for (int x = 0; x < leafSize; ++x) {
        float rows[leafSize * row];
        interpolate(planes + x * plane, row, rows);
        for (int y = 0; y < leafSize; ++y) interpolate(rows + y * row, 4, fineLeaf + (x * leafSize + y) * 4 * leafSize);
    }
}

std::size_t CoarseLevel::bytes() const
{
    return m_leaves.capacity() * sizeof(Vec3i) + m_places.capacity() * sizeof(Place) +
           m_firstPart.capacity() * sizeof(std::uint32_t) + m_parts.capacity() * sizeof(Part) +
           m_patches.capacity() * sizeof(CoarsePatch);
}

}  // namespace firn
