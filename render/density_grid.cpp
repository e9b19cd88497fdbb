#include "render/density_grid.h"

#include <algorithm>

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

}  // namespace firn
