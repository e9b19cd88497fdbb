#include "render/density_grid.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace firn {
namespace {

/// The leaf, in leaves, that holds a voxel.
Vec3i leafOfVoxel(const Vec3i& voxel) { return {voxel.x() >> 3, voxel.y() >> 3, voxel.z() >> 3}; }

std::size_t indexInLeaf(const Vec3i& voxel)
{
    constexpr int edge = DensityGrid::leafEdge;
    const int index = ((voxel.x() & 7) * edge + (voxel.y() & 7)) * edge + (voxel.z() & 7);
    return static_cast<std::size_t>(index);
}

/// The leaves of half the size that leaves reach, ascending.
std::vector<LeafKey> halvedKeys(const std::vector<LeafKey>& keys)
{
    std::vector<LeafKey> result;
    result.reserve(27 * keys.size());
    for (const LeafKey key : keys) {
        const Vec3i first = 2 * leafOfKey(key);
        for (int i = 0; i < 27; ++i) result.push_back(leafKey(first + Vec3i(i / 9 - 1, i / 3 % 3 - 1, i % 3 - 1)));
    }
    std::ranges::sort(result);
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

/// The values of a leaf of half the size.
DensityGrid::Leaf halvedLeaf(const DensityGrid& grid, const Vec3i& leaf)
{
    constexpr int edge = DensityGrid::leafEdge, corners = edge / 2 + 1;
    const Vec3i low = edge / 2 * leaf;
    std::array<float, corners * corners * corners> coarse;
    for (int i = 0; i < static_cast<int>(coarse.size()); ++i)
        coarse[static_cast<std::size_t>(i)] =
            grid.at(low + Vec3i(i / (corners * corners), i / corners % corners, i % corners));
    DensityGrid::Leaf result;
    for (int i = 0; i < static_cast<int>(result.size()); ++i) {
        const Vec3i voxel(i / (edge * edge), i / edge % edge, i % edge);
        float sum = 0;
        for (int c = 0; c < 8; ++c) {
            const Vec3i at = (voxel + Vec3i(c >> 2, c >> 1 & 1, c & 1)) / 2;
            const int index = (at.x() * corners + at.y()) * corners + at.z();
            sum += coarse[static_cast<std::size_t>(index)];
        }
        result[static_cast<std::size_t>(i)] = sum / 8;
    }
    return result;
}

}  // namespace

const DensityGrid::Leaf* DensityGrid::find(LeafKey key) const
{
    const auto found = std::lower_bound(keys.begin(), keys.end(), key);
    if (found == keys.end() || *found != key) return nullptr;
    return &leaves[static_cast<std::size_t>(found - keys.begin())];
}

float DensityGrid::at(const Vec3i& voxel) const
{
    const Leaf* leaf = find(leafKey(leafOfVoxel(voxel)));
    return leaf == nullptr ? 0 : (*leaf)[indexInLeaf(voxel)];
}

float DensityGrid::interpolate(const Vec3d& point) const
{
    const Vec3i low = point.array().floor().cast<int>();
    float corners[2][2][2];
    const Leaf* leaf = find(leafKey(leafOfVoxel(low)));
    const bool inOneLeaf = leafOfVoxel(low) == leafOfVoxel(low + Vec3i::Ones());
    for (int i = 0; i < 8; ++i) {
        const Vec3i voxel = low + Vec3i(i >> 2, i >> 1 & 1, i & 1);
        const Leaf* holder = inOneLeaf ? leaf : find(leafKey(leafOfVoxel(voxel)));
        corners[i >> 2][i >> 1 & 1][i & 1] = holder == nullptr ? 0 : (*holder)[indexInLeaf(voxel)];
    }
    const Vec3d weight = point - low.cast<double>();
    const auto mix = [](float a, float b, double w) { return a + static_cast<float>(static_cast<double>(b - a) * w); };
    const auto onFace = [&](const float(&face)[2][2]) {
        return mix(mix(face[0][0], face[0][1], weight.z()), mix(face[1][0], face[1][1], weight.z()), weight.y());
    };
    return mix(onFace(corners[0]), onFace(corners[1]), weight.x());
}

std::size_t DensityGrid::voxelCount() const
{
    std::size_t count = 0;
    for (const Leaf& leaf : leaves)
        count += static_cast<std::size_t>(std::count_if(leaf.begin(), leaf.end(), [](float d) { return d > 0; }));
    return count;
}

DensityGrid halved(const DensityGrid& grid)
{
    DensityGrid result;
    result.voxel_m = grid.voxel_m / 2;
    const std::vector<LeafKey> keys = halvedKeys(grid.keys);
    std::vector<DensityGrid::Leaf> leaves(keys.size());
    tbb::parallel_for(std::size_t{0}, keys.size(),
                      [&](std::size_t i) { leaves[i] = halvedLeaf(grid, leafOfKey(keys[i])); });
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (std::ranges::all_of(leaves[i], [](float d) { return d == 0; })) continue;
        result.keys.push_back(keys[i]);
        result.leaves.push_back(leaves[i]);
    }
    return result;
}

DensityGrid added(DensityGrid a, const DensityGrid& b)
{
    if (b.keys.empty()) return a;
    DensityGrid result;
    result.voxel_m = b.voxel_m;
    std::ranges::set_union(a.keys, b.keys, std::back_inserter(result.keys));
    result.leaves.resize(result.keys.size());
    tbb::parallel_for(std::size_t{0}, result.keys.size(), [&](std::size_t i) {
        DensityGrid::Leaf& leaf = result.leaves[i];
        leaf.fill(0);
        for (const DensityGrid* of : {&std::as_const(a), &b})
            if (const DensityGrid::Leaf* more = of->find(result.keys[i]))
                for (std::size_t k = 0; k < leaf.size(); ++k) leaf[k] += (*more)[k];
    });
    return result;
}

}  // namespace firn
