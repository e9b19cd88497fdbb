#include "render/grain_lattice.h"

#include <algorithm>
#include <cmath>

#include "render/cube.h"

namespace firn {

namespace {

constexpr int n = GrainFields::values, rowSize = GrainFields::rowSize;
constexpr int rowRegisters = rowSize / laneCount;
constexpr int places4 = 4;
using Block = GrainLattice::Block;

/// Of a value along one axis: the first of four voxels of a block, and their weights (Lagrange).
struct LatticePlace {
    int first;
    std::array<float, places4> weights;

    explicit LatticePlace(float at)
    {
        // A value on a voxel is in the cell before it or after it: both give the same.
        first = std::clamp(static_cast<int>(std::floor(at)), 0, Bricks::cells - 1);
        const float u = at - static_cast<float>(first);  // from the second voxel
        weights = {-u * (u - 1) * (u - 2) / 6, (u + 1) * (u - 1) * (u - 2) / 2, -(u + 1) * u * (u - 2) / 2,
                   (u + 1) * u * (u - 1) / 6};
    }
};

std::array<LatticePlace, n> placesAlong(float first, float step)
{
    const auto at = [&](int i) { return LatticePlace(first + step * static_cast<float>(i)); };
    return {at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7), at(8)};
}

/// A row of values along z.
using Row = std::array<Floats, rowRegisters>;

/// Values along z from the voxels of one row.
class RowInterpolation {
public:
    explicit RowInterpolation(const std::array<LatticePlace, n>& places)
    {
        for (std::size_t k = 0; k < n; ++k) {
            m_first[k] = places[k].first;
            for (std::size_t c = 0; c < places4; ++c) m_weights[c][k] = places[k].weights[c];
        }
    }

    Row operator()(const float* voxels) const
    {
        alignas(64) Lanes chosen{};
        for (std::size_t c = 0; c < places4; ++c)
            for (std::size_t k = 0; k < n; ++k) chosen[c][k] = voxels[m_first[k] + static_cast<int>(c)];
        Row row{};
        for (std::size_t c = 0; c < places4; ++c)
            for (std::size_t r = 0; r < rowRegisters; ++r)
                row[r] += loadRegister<Floats>(m_weights[c].data() + r * laneCount) *
                          loadRegister<Floats>(chosen[c].data() + r * laneCount);
        return row;
    }

private:
    using Lanes = std::array<std::array<float, rowSize>, places4>;
    alignas(64) Lanes m_weights{};
    std::array<int, n> m_first;
};

/// The value at a place from the rows of its four voxels.
Row mix(const LatticePlace& place, const Row* rows, std::size_t stride)
{
    Row sum{};
    for (std::size_t c = 0; c < places4; ++c)
        for (std::size_t r = 0; r < rowRegisters; ++r)
            sum[r] += place.weights[c] * rows[(static_cast<std::size_t>(place.first) + c) * stride][r];
    return sum;
}

}  // namespace

GrainLattice::GrainLattice(std::span<const Grain> grains, double voxel_m)
{
    std::vector<std::uint32_t> chosen;
    for (std::size_t i = 0; i < grains.size(); ++i)
        if (holds(grains[i], voxel_m)) chosen.push_back(static_cast<std::uint32_t>(i));
    const auto kernelOf = [&](std::size_t i) {
        const Grain& grain = grains[chosen[i]];
        return Kernel{grain.position, grain.width_m};
    };
    m_sums = KernelSums(chosen.size(), kernelOf, voxel_m).of(GrainFields::count, [&](std::size_t i, float* amounts) {
        const GrainAmounts of = amountsOf(grains[chosen[i]]);
        std::copy(of.begin(), of.end(), amounts);
    });
}

bool GrainLattice::copy(const Vec3i& leaf, Block& block) const
{
    constexpr int cells = DensityGrid::leafEdge;
    // Voxel -1 lies in the leaf before, voxels 8 and 9 in the leaf after.
    std::array<std::span<const DensityGrid::Leaf>, 27> leaves;
    bool isFilled = false;
    for (int i = 0; i < 27; ++i) {
        const LeafKey key = leafKey(leaf + cubeCoordinates(i, 3) - Vec3i::Ones());
        const auto found = std::lower_bound(m_sums.keys.begin(), m_sums.keys.end(), key);
        if (found == m_sums.keys.end() || *found != key) continue;
        leaves[static_cast<std::size_t>(i)] = m_sums.at(static_cast<std::size_t>(found - m_sums.keys.begin()));
        isFilled = true;
    }
    if (!isFilled) return false;
    constexpr int edge = Block::edge;
    for (int row = 0; row < edge * edge; ++row) {
        for (int k = 0; k < edge; ++k) {
            const Vec3i voxel = Vec3i(row / edge, row % edge, k) + Vec3i::Constant(cells - 1);
            const Vec3i in = voxel / cells, at = voxel - cells * in;
            const auto& sums = leaves[cubeIndex(in, 3)];
            const auto from = cubeIndex(at, cells);
            for (std::size_t f = 0; f < block.rows.size(); ++f) block.at(f, row, k) = sums.empty() ? 0 : sums[f][from];
        }
    }
    return true;
}

void interpolate(const GrainLattice::Block& block, const Vec3f& first, float step, GrainFields& fields)
{
    constexpr int edge = Block::edge;
    const auto alongX = placesAlong(first.x(), step), alongY = placesAlong(first.y(), step),
               alongZ = placesAlong(first.z(), step);
    const RowInterpolation interpolateZ(alongZ);
    const auto lastOf = [](const std::array<LatticePlace, n>& places) { return places.back().first + places4 - 1; };
    std::array<Row, edge> ofVoxels;      // along y
    std::array<Row, edge * n> ofPlaces;  // by voxel along x and value along y
    for (std::size_t f = 0; f < GrainFields::count; ++f) {
        for (int x = alongX.front().first; x <= lastOf(alongX); ++x) {
            const float* const plane = block.rows[f].data() + x * edge * Block::rowSize;
            for (int y = alongY.front().first; y <= lastOf(alongY); ++y)
                ofVoxels[static_cast<std::size_t>(y)] = interpolateZ(plane + y * Block::rowSize);
            for (std::size_t j = 0; j < n; ++j)
                ofPlaces[static_cast<std::size_t>(x) * n + j] = mix(alongY[j], ofVoxels.data(), 1);
        }
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < n; ++j) {
                const Row row = mix(alongX[i], ofPlaces.data() + j, n);
                for (std::size_t r = 0; r < rowRegisters; ++r)
                    storeRegister(fields.rows[f].data() + (i * n + j) * rowSize + r * laneCount, row[r]);
            }
        }
    }
}

}  // namespace firn
