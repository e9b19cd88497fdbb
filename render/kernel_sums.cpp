#include "render/kernel_sums.h"

#include <spdlog/fmt/fmt.h>
#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "common/error.h"
#include "render/cube.h"

namespace firn {

namespace {

constexpr int leafEdge = DensityGrid::leafEdge;
constexpr int maxReach = AxisWeights<1>::mostReach;

struct Entry {
    LeafKey key;
    std::uint32_t kernel;
    bool operator<(const Entry& other) const { return key != other.key ? key < other.key : kernel < other.kernel; }
};

/// Calls f(i) for i = 0 ... count - 1 in parallel.
template <class F>
void forEach(std::size_t count, const F& f)
{
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, 4096), [&](const auto& range) {
        for (std::size_t i = range.begin(); i != range.end(); ++i) f(i);
    });
}

/// Sum over voxels of N((x - i) / h); x in voxels.
double sumOfWeights(double x, double width)
{
    double sum = 0;
    for (int i = static_cast<int>(std::ceil(x - 2 * width)); i <= static_cast<int>(std::floor(x + 2 * width)); ++i) {
        sum += cubicKernel((x - i) / width);
    }
    return sum;
}

LeafKey leafAround(const Vec3d& position_m, double voxel_m)
{
    const Vec3d leaf = (position_m / (voxel_m * leafEdge)).array().floor();
    if (leaf.cwiseAbs().maxCoeff() < leafKeyLimit - 2 * maxReach) return leafKey(leaf.cast<int>());
    throw Error(ExitCode::File, fmt::format("snow at ({}, {}, {}) m lies far outside the scene", position_m.x(),
                                            position_m.y(), position_m.z()));
}

double widthInVoxels(double width_m, double voxel_m)
{
    const double width = std::max(1.0, width_m / voxel_m);
    if (2 * width <= maxReach) return width;
    throw Error(ExitCode::Usage,
                fmt::format("render.voxel_m = {} is too small for particles that are {} m wide", voxel_m, width_m));
}

/// How many leaves beyond its own a kernel of this width may reach.
int leafReach(float width) { return (static_cast<int>(std::ceil(2 * width)) + leafEdge - 1) / leafEdge; }

/// Removes keys whose sums are all zero.
void removeEmpty(SumGrids& grids)
{
    const auto isFilled = [](const DensityGrid::Leaf& leaf) {
        return std::any_of(leaf.begin(), leaf.end(), [](float value) { return value != 0; });
    };
    std::size_t count = 0;
    for (std::size_t i = 0; i < grids.keys.size(); ++i) {
        const auto from = grids.at(i);
        if (std::none_of(from.begin(), from.end(), isFilled)) continue;
        if (count != i) {
            grids.keys[count] = grids.keys[i];
            std::copy(from.begin(), from.end(), grids.leaves.begin() + static_cast<std::ptrdiff_t>(count * grids.sums));
        }
        ++count;
    }
    grids.keys.resize(count);
    grids.leaves.resize(count * grids.sums);
}

/// Calls f(offset) for the leaves that a box of voxels meets, in leaves from the one at whose corner the box begins.
template <class F>
void forLeaves(const VoxelBox& box, const F& f)
{
    const auto leafOf = [](int voxel) { return voxel >> 3; };
    const Vec3i low = box.low.unaryExpr(leafOf), high = (box.high - Vec3i::Ones()).unaryExpr(leafOf);
    for (int x = low.x(); x <= high.x(); ++x)
        for (int y = low.y(); y <= high.y(); ++y)
            for (int z = low.z(); z <= high.z(); ++z) f(Vec3i(x, y, z));
}

}  // namespace

KernelSums::KernelSums(std::size_t count, const std::function<Kernel(std::size_t)>& kernelOf, double voxel_m)
    : m_voxel_m(voxel_m), m_splats(count), m_kernels(count), m_scales(count)
{
    std::vector<Entry> entries(count);
    forEach(count, [&](std::size_t i) {
        entries[i] = {leafAround(kernelOf(i).position_m, voxel_m), static_cast<std::uint32_t>(i)};
    });
    tbb::parallel_sort(entries.begin(), entries.end());

    forEach(count, [&](std::size_t i) {
        const Kernel kernel = kernelOf(entries[i].kernel);
        const Vec3d local = kernel.position_m / voxel_m - (leafOfKey(entries[i].key) * leafEdge).cast<double>();
        const double width = widthInVoxels(static_cast<double>(kernel.width_m), voxel_m);
        double scale = 1 / std::pow(voxel_m, 3);
        for (int axis = 0; axis < 3; ++axis) scale /= sumOfWeights(local[axis], width);
        m_splats[i] = {local.cast<float>(), static_cast<float>(width)};
        m_kernels[i] = entries[i].kernel;
        m_scales[i] = static_cast<float>(scale);
    });
    float widest = 0;
    for (std::size_t i = 0; i < count; ++i) {
        widest = std::max(widest, m_splats[i].width);
        if (m_bins.empty() || m_bins.back().key != entries[i].key) m_bins.push_back({entries[i].key, i, i});
        m_bins.back().end = i + 1;
    }
    m_reach = leafReach(widest);
}

/// The voxels that the kernels of a bin reach; along z in whole steps of rows.
VoxelBox KernelSums::reachOf(const Bin& bin) const
{
    Eigen::AlignedBox3f reach;
    for (std::size_t i = bin.begin; i < bin.end; ++i) {
        const Vec3f margin = Vec3f::Constant(2 * m_splats[i].width);
        reach.extend(Vec3f(m_splats[i].local - margin)).extend(Vec3f(m_splats[i].local + margin));
    }
    constexpr int step = KernelTile::rowStep;
    VoxelBox box{reach.min().array().floor().cast<int>(), reach.max().array().floor().cast<int>() + 1};
    box.low.z() &= -step;
    box.high.z() = (box.high.z() + step - 1) & -step;
    return box;
}

/// Keys of the leaves that kernels may reach, ascending.
std::vector<LeafKey> KernelSums::reachedLeaves() const
{
    std::vector<LeafKey> keys;
    for (const Bin& bin : m_bins) {
        const Vec3i home = leafOfKey(bin.key);
        forLeaves(reachOf(bin), [&](const Vec3i& offset) { keys.push_back(leafKey(home + offset)); });
    }
    tbb::parallel_sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    return keys;
}

/// Bins of one colour reach no common leaf, so threads may add them at the same time.
std::vector<std::vector<std::uint32_t>> KernelSums::binsByColour() const
{
    const int period = 2 * m_reach + 1;
    const auto phase = [&](int leaf) { return (leaf % period + period) % period; };
    std::vector<std::vector<std::uint32_t>> colours(cubeIndex(Vec3i(period, 0, 0), period));
    for (std::size_t b = 0; b < m_bins.size(); ++b) {
        const Vec3i p = leafOfKey(m_bins[b].key).unaryExpr(phase);
        colours[cubeIndex(p, period)].push_back(static_cast<std::uint32_t>(b));
    }
    return colours;
}

SumGrids KernelSums::of(std::size_t sums, const AmountsOf& amountsOf) const
{
    SumGrids grids{m_voxel_m, sums, reachedLeaves(), {}};
    const std::vector<LeafKey>& keys = grids.keys;
    std::vector<DensityGrid::Leaf>& leaves = grids.leaves;
    leaves.resize(keys.size() * sums);
    const auto addBin = [&](const Bin& bin, KernelTile& tile) {
        const VoxelBox box = reachOf(bin);
        tile.clear(box);
        std::vector<float> ofSplat(sums);
        for (std::size_t i = bin.begin; i < bin.end; ++i) {
            amountsOf(m_kernels[i], ofSplat.data());
            for (float& amount : ofSplat) amount *= m_scales[i];
            tile.add(m_splats[i], ofSplat.data());
        }
        const Vec3i home = leafOfKey(bin.key);
        forLeaves(box, [&](const Vec3i& offset) {
            const auto key = std::lower_bound(keys.begin(), keys.end(), leafKey(home + offset));
            const auto first = static_cast<std::size_t>(key - keys.begin()) * sums;
            for (std::size_t s = 0; s < sums; ++s) tile.addTo(leaves[first + s], s, offset, box);
        });
    };
    tbb::enumerable_thread_specific<KernelTile> tiles([&] { return KernelTile(m_reach, sums); });
    for (const auto& bins : binsByColour())
        tbb::parallel_for(std::size_t{0}, bins.size(), [&](std::size_t b) { addBin(m_bins[bins[b]], tiles.local()); });
    removeEmpty(grids);
    return grids;
}

DensityGrid KernelSums::of(std::span<const float> amounts) const
{
    SumGrids grids = of(1, [&](std::size_t kernel, float* amount) { *amount = amounts[kernel]; });
    return {grids.voxel_m, std::move(grids.keys), std::move(grids.leaves)};
}

}  // namespace firn
