#include "render/density.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "common/error.h"
#include "render/cubic_kernel.h"

namespace firn {

namespace {

constexpr int leafEdge = DensityGrid::leafEdge;
constexpr int maxReach = 32;  // voxels on either side of a particle

/// A particle in index space, relative to the corner of the leaf it lies in.
struct Splat {
    Vec3f local;    // voxels, [0, 8)
    float width;    // h_p, voxels
    float density;  // mass over the voxel's volume, divided by the sums of weights
};

struct Entry {
    LeafKey key;
    std::uint32_t particle;
    bool operator<(const Entry& other) const { return key != other.key ? key < other.key : particle < other.particle; }
};

/// Particles [begin, end) of the sorted list, which lie in one leaf.
struct Bin {
    LeafKey key;
    std::size_t begin, end;
};

double stretchOf(const ParticleFrame& particles, std::size_t i, const DensitySettings& settings)
{
    const double stretch = static_cast<double>(particles.F_E[i].determinant()) * static_cast<double>(particles.J_P[i]);
    return std::clamp(stretch, settings.min_stretch, settings.max_stretch);
}

double sizeOf(const ParticleFrame& particles, std::size_t i)
{
    return std::cbrt(static_cast<double>(particles.volume0_m3[i]));
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

Entry locate(const ParticleFrame& particles, std::size_t i, double voxel)
{
    const Vec3d leaf = (particles.position_m[i] / (voxel * leafEdge)).array().floor();
    if (!(leaf.cwiseAbs().maxCoeff() < leafKeyLimit - 2 * maxReach)) {
        throw Error(ExitCode::File, "particle " + std::to_string(particles.id[i]) + " of frame " +
                                        std::to_string(particles.frame) + " is far outside the scene or not finite");
    }
    return {leafKey(leaf.cast<int>()), static_cast<std::uint32_t>(i)};
}

Splat makeSplat(const ParticleFrame& particles, std::span<const float> amounts, const Entry& entry, double width_m,
                double voxel_m)
{
    const std::size_t i = entry.particle;
    const Vec3d local = particles.position_m[i] / voxel_m - (leafOfKey(entry.key) * leafEdge).cast<double>();
    const double width = std::max(1.0, width_m / voxel_m);
    if (2 * width > maxReach) {
        throw Error(ExitCode::Usage, "render.voxel_m = " + std::to_string(voxel_m) +
                                         " is too small for particles that are " + std::to_string(width_m) + " m wide");
    }
    double density = static_cast<double>(amounts[i]) / std::pow(voxel_m, 3);
    for (int axis = 0; axis < 3; ++axis) density /= sumOfWeights(local[axis], width);
    return {local.cast<float>(), static_cast<float>(width), static_cast<float>(density)};
}

std::vector<Entry> sortedEntries(const ParticleFrame& particles, double voxel)
{
    std::vector<Entry> entries(particles.size());
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, entries.size(), 4096), [&](const auto& range) {
        for (std::size_t i = range.begin(); i != range.end(); ++i) entries[i] = locate(particles, i, voxel);
    });
    tbb::parallel_sort(entries.begin(), entries.end());
    return entries;
}

std::vector<Bin> binByLeaf(const std::vector<Entry>& entries)
{
    std::vector<Bin> bins;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (bins.empty() || bins.back().key != entries[i].key) bins.push_back({entries[i].key, i, i});
        bins.back().end = i + 1;
    }
    return bins;
}

/// How many leaves beyond its own a kernel of this width may reach.
int leafReach(float width) { return (static_cast<int>(std::ceil(2 * width)) + leafEdge - 1) / leafEdge; }

/// Keys of the leaves that the particles' kernels may reach, ascending.
std::vector<LeafKey> reachedLeaves(const std::vector<Bin>& bins, const std::vector<Splat>& splats)
{
    std::vector<LeafKey> keys;
    for (const Bin& bin : bins) {
        Eigen::AlignedBox3f reach;
        for (std::size_t i = bin.begin; i < bin.end; ++i) {
            const Vec3f margin = Vec3f::Constant(2 * splats[i].width);
            reach.extend(Vec3f(splats[i].local - margin)).extend(Vec3f(splats[i].local + margin));
        }
        const Vec3i home = leafOfKey(bin.key);
        const Vec3i low = home + Vec3f((reach.min() / leafEdge).array().floor()).cast<int>();
        const Vec3i high = home + Vec3f((reach.max() / leafEdge).array().floor()).cast<int>();
        for (int x = low.x(); x <= high.x(); ++x) {
            for (int y = low.y(); y <= high.y(); ++y) {
                for (int z = low.z(); z <= high.z(); ++z) keys.push_back(leafKey({x, y, z}));
            }
        }
    }
    tbb::parallel_sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    return keys;
}

/// Adds the mass of a particle to the leaf whose corner lies at `offset` voxels from that of the particle's own leaf.
void addSplat(const Splat& splat, const Vec3f& offset, float* density)
{
    const Vec3f x = splat.local - offset;
    const float reach = 2 * splat.width;
    if ((x.array() <= -reach).any() || (x.array() >= leafEdge - 1 + reach).any()) return;
    alignas(32) float weights[3][leafEdge];
    const float inverse = 1 / splat.width;
    for (int axis = 0; axis < 3; ++axis) {
        for (int i = 0; i < leafEdge; ++i) weights[axis][i] = cubicKernel((x[axis] - static_cast<float>(i)) * inverse);
    }
    for (int i = 0; i < leafEdge; ++i) {
        if (weights[0][i] == 0) continue;
        for (int j = 0; j < leafEdge; ++j) {
            const float weight = splat.density * weights[0][i] * weights[1][j];
            if (weight == 0) continue;
            float* row = density + (i * leafEdge + j) * leafEdge;
            for (int k = 0; k < leafEdge; ++k) row[k] += weight * weights[2][k];
        }
    }
}

/// Fills the leaf of this key; whether any mass arrives.
bool gatherLeaf(LeafKey key, int reach, const std::vector<Bin>& bins, const std::vector<Splat>& splats,
                DensityGrid::Leaf& result)
{
    alignas(32) DensityGrid::Leaf density{};
    const Vec3i leaf = leafOfKey(key);
    for (int x = -reach; x <= reach; ++x) {
        for (int y = -reach; y <= reach; ++y) {
            // Keys of a z-row follow one another.
            const Vec3i first = leaf + Vec3i(x, y, -reach), last = leaf + Vec3i(x, y, reach);
            auto bin = std::lower_bound(bins.begin(), bins.end(), leafKey(first),
                                        [](const Bin& left, LeafKey right) { return left.key < right; });
            for (; bin != bins.end() && bin->key <= leafKey(last); ++bin) {
                const Vec3f offset = ((leaf - leafOfKey(bin->key)) * leafEdge).cast<float>();
                for (std::size_t i = bin->begin; i < bin->end; ++i) addSplat(splats[i], offset, density.data());
            }
        }
    }
    result = density;
    return std::any_of(density.begin(), density.end(), [](float value) { return value != 0; });
}

/// `width_m(i)` is the kernel width of particle i, and `amounts[i]` what it adds to the voxels.
template <typename Width>
DensityGrid rasterizeWith(const ParticleFrame& particles, std::span<const float> amounts, double voxel_m,
                          const Width& width_m)
{
    const std::vector<Entry> entries = sortedEntries(particles, voxel_m);
    std::vector<Splat> splats(entries.size());
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, splats.size(), 4096), [&](const auto& range) {
        for (std::size_t i = range.begin(); i != range.end(); ++i) {
            splats[i] = makeSplat(particles, amounts, entries[i], width_m(entries[i].particle), voxel_m);
        }
    });
    float widest = 0;
    for (const Splat& splat : splats) widest = std::max(widest, splat.width);
    const std::vector<Bin> bins = binByLeaf(entries);
    std::vector<LeafKey> keys = reachedLeaves(bins, splats);

    std::vector<DensityGrid::Leaf> leaves(keys.size());
    std::vector<char> filled(keys.size());
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, keys.size(), 8), [&](const auto& range) {
        for (std::size_t i = range.begin(); i != range.end(); ++i) {
            filled[i] = gatherLeaf(keys[i], leafReach(widest), bins, splats, leaves[i]);
        }
    });
    std::size_t count = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (!filled[i]) continue;
        keys[count] = keys[i];
        leaves[count++] = leaves[i];
    }
    keys.resize(count);
    leaves.resize(count);
    return {voxel_m, std::move(keys), std::move(leaves)};
}

/// Kernel width (m) of each particle, from how full its neighbourhood is.
std::vector<float> kernelWidths(const ParticleFrame& particles, const DensitySettings& settings)
{
    const std::vector<float> surroundings = surroundingsOf(particles, settings);
    std::vector<float> widths(particles.size());
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, widths.size(), 4096), [&](const auto& range) {
        for (std::size_t i = range.begin(); i != range.end(); ++i) {
            const double bulkScale = settings.bulk_scale * std::cbrt(stretchOf(particles, i, settings));
            const double scale =
                settings.isolated_scale +
                std::clamp((static_cast<double>(surroundings[i]) - settings.alone) / (settings.bulk - settings.alone),
                           0.0, 1.0) *
                    (bulkScale - settings.isolated_scale);
            widths[i] = static_cast<float>(sizeOf(particles, i) * scale);
        }
    });
    return widths;
}

}  // namespace

std::vector<float> surroundingsOf(const ParticleFrame& particles, const DensitySettings& settings)
{
    double largest = settings.voxel_m / settings.bulk_scale;
    for (std::size_t i = 0; i < particles.size(); ++i) largest = std::max(largest, sizeOf(particles, i));
    const auto bulkWidth = [&](std::size_t i) { return settings.bulk_scale * sizeOf(particles, i); };
    const DensityGrid around = rasterizeWith(particles, particles.volume0_m3, settings.bulk_scale * largest, bulkWidth);
    const double voxelsPerMetre = 1 / around.voxel_m;
    std::vector<float> result(particles.size());
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, result.size(), 4096), [&](const auto& range) {
        for (std::size_t i = range.begin(); i != range.end(); ++i) {
            const double initial = around.interpolate(particles.position_m[i] * voxelsPerMetre);
            result[i] = static_cast<float>(initial * stretchOf(particles, i, settings));
        }
    });
    return result;
}

DensityGrid rasterize(const ParticleFrame& particles, double voxel_m, const std::vector<float>& widths_m)
{
    return rasterizeWith(particles, particles.mass_kg, voxel_m,
                         [&](std::size_t i) { return static_cast<double>(widths_m[i]); });
}

DensityGrid rasterizeDensity(const ParticleFrame& particles, const DensitySettings& settings)
{
    return rasterize(particles, settings.voxel_m, kernelWidths(particles, settings));
}

}  // namespace firn
