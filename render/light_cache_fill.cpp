// The photons of the light cache.

#include <tbb/parallel_for.h>

#include <cmath>

#include "render/light_cache.h"
#include "render/path.h"

namespace firn {

namespace {

constexpr std::uint64_t photonBatch = 4096;
constexpr std::uint32_t photonPixel = 0x70000000;  // photons are samples of a pixel that no picture has
constexpr float farAway_m = 50;                    // photons start outside all bodies
constexpr float reachInFreePaths = 8;              // how far light spreads in snow, for the choice of photons

}  // namespace

PhotonSource LightCache::makeSource() const
{
    const Volume& volume = *m_scene.volume;
    const Vec3f low = volume.toWorld(volume.indexMin()), high = volume.toWorld(volume.indexMax());
    return {m_scene.lights, m_ends, reachInFreePaths * m_freePath_m, 0.5f * (low + high),
            0.5f * (high - low).norm() + farAway_m};
}

void LightCache::fill(const std::function<bool(double)>& goOn)
{
    if (m_cells.empty()) {  // no path ends anywhere
        m_isComplete = true;
        return;
    }
    const PhotonSource source = makeSource();
    // Sums of integers do not depend on their order. A part in a million of a typical photon is lost in rounding.
    const float unit = source.leastPower() * 0x1p-20f;
    Deposits deposits(m_cells.size() * sums);
    const std::uint64_t batches = (m_settings.photons + photonBatch - 1) / photonBatch;
    std::atomic<std::uint64_t> done = 0;
    std::atomic<bool> stopped = false;
    tbb::parallel_for(std::uint64_t{0}, batches, [&](std::uint64_t batch) {
        if (stopped) return;
        for (std::uint64_t i = 0; i < photonBatch; ++i) tracePhoton(batch * photonBatch + i, source, deposits, unit);
        if (!goOn(static_cast<double>(++done) / static_cast<double>(batches))) stopped = true;
    });
    if (stopped) return;
    const double scale = static_cast<double>(unit) / static_cast<double>(batches * photonBatch);
    tbb::parallel_for(std::size_t{0}, m_cells.size(), [&](std::size_t c) {
        if (m_cells[c].collisions <= 0) return;
        for (std::size_t s = 0; s < sums; ++s)
            m_cells[c].light[s] = static_cast<float>(static_cast<double>(deposits[c * sums + s].load()) * scale);
    });
    m_isComplete = true;
}

void LightCache::tracePhoton(std::uint64_t number, const PhotonSource& source, Deposits& deposits, float unit) const
{
    Sampler sampler(m_settings.seed + (number >> 32), photonPixel, static_cast<std::uint32_t>(number));
    const Photon photon = source.sample(sampler);
    if (photon.power.maxCoeff() <= 0) return;
    Ray ray = photon.ray;
    Vec3f throughput = Vec3f::Ones();
    float surfaces = 1;
    FreeSphere free;
    bool counts = !photon.is_sampled;  // light that light sampling finds counts once it has been scattered
    for (int scatterings = 0;; ++scatterings) {
        const Vertex vertex = nextVertex(m_scene, ray, sampleOpticalDepth(sampler.uniform()), free, sampler);
        if (!vertex.exists()) return;
        if (counts && !vertex.onSurface())
            deposit(vertex.position, ray.direction, photon.power.cwiseProduct(throughput) / unit, deposits);
        throughput = throughput.cwiseProduct(vertex.albedo);
        if (vertex.onSurface()) surfaces *= vertex.albedo.maxCoeff();
        const float factor = roulette(throughput, scatterings, surfaces, sampler);
        if (factor == 0) return;
        throughput *= factor;
        ray = vertex.toward(vertex.scatter(sampler.uniform2()), ray.time);
        counts = true;
    }
}

/// Adds light that collides at a point (m) to the cell there, if there is one.
void LightCache::deposit(const Vec3f& point, const Vec3f& direction, const Vec3f& light, Deposits& deposits) const
{
    const Vec3f p = m_scene.volume->toIndex(point) / m_cellVoxels;
    const std::int64_t cell = cellIndex(p.array().floor().matrix().cast<int>());
    if (cell < 0) return;
    std::atomic<std::int64_t>* const to = &deposits[static_cast<std::size_t>(cell) * sums];
    const auto add = [&](Eigen::Index sum, float value) {
        to[sum].fetch_add(std::llround(value), std::memory_order_relaxed);
    };
    for (Eigen::Index c = 0; c < 3; ++c) {
        add(c, light[c]);
        for (Eigen::Index axis = 0; axis < 3; ++axis) add(3 + 3 * axis + c, light[c] * direction[axis]);
    }
}

}  // namespace firn
