// The photons of the light cache.

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "render/light_cache.h"
#include "render/path_wave.h"
#include "render/tracking.h"

namespace firn {

namespace {

constexpr std::uint64_t photonBatch = 16384;
constexpr int waveSize = 512;
constexpr std::uint32_t photonPixel = 0x70000000;  // photons are samples of a pixel that no picture has
constexpr float farAway_m = 50;                    // photons start outside all bodies
constexpr float leastReach = 8, mostReach = 64;    // mean free paths

}  // namespace

PhotonSource LightCache::makeSource() const
{
    const Volume& volume = *m_scene.volume;
    const Vec3f low = volume.toWorld(volume.indexMin()), high = volume.toWorld(volume.indexMax());
    // Light that enters this far from where it is seen still matters there. Rare photons from farther away are heavy.
    const float reach = std::clamp(diffusionLength(m_scene.medium.albedo.mean()), leastReach, mostReach);
    return {m_scene.lights, m_ends, reach * m_freePath_m, 0.5f * (low + high), 0.5f * (high - low).norm() + farAway_m};
}

void LightCache::fill(const std::function<bool(double)>& goOn)
{
    std::vector<float>& light = m_contents.light;
    if (light.empty()) {  // no path ends anywhere
        m_isComplete = true;
        return;
    }
    const PhotonSource source = makeSource();
    // Sums of integers do not depend on their order. A part in a million of a typical photon is lost in rounding.
    const float unit = source.leastPower() * 0x1p-20f;
    Deposits deposits(light.size());
    const std::uint64_t batches = (m_settings.photons + photonBatch - 1) / photonBatch;
    std::atomic<std::uint64_t> done = 0;
    std::atomic<bool> stopped = false;
    tbb::parallel_for(std::uint64_t{0}, batches, [&](std::uint64_t batch) {
        if (stopped) return;
        tracePhotons(batch * photonBatch, source, deposits, unit);
        if (!goOn(static_cast<double>(++done) / static_cast<double>(batches))) stopped = true;
    });
    if (stopped) return;
    const double scale = static_cast<double>(unit) / static_cast<double>(batches * photonBatch);
    tbb::parallel_for(std::size_t{0}, cellCount(), [&](std::size_t c) {
        if (m_contents.collisions[c] <= 0) return;
        for (std::size_t s = c * sumsOfCell(); s < (c + 1) * sumsOfCell(); ++s)
            light[s] = static_cast<float>(static_cast<double>(deposits[s].load()) * scale);
    });
    m_isComplete = true;
}

void LightCache::tracePhotons(std::uint64_t first, const PhotonSource& source, Deposits& deposits, float unit) const
{
    WaveOf<Photon> wave(m_scene, waveSize);
    std::vector<int> ends;
    std::uint64_t next = first;
    for (;;) {
        for (; !wave.isFull() && next < first + photonBatch; ++next) {
            Sampler sampler(m_settings.seed + (next >> 32), photonPixel, static_cast<std::uint32_t>(next));
            const Photon photon = source.sample(sampler);
            if (photon.power.maxCoeff() <= 0) continue;
            const float depth = sampleOpticalDepth(sampler.uniform());
            wave.add(photon.ray, depth, sampler.nextWord(), photon);
        }
        if (wave.count() == 0) return;
        wave.findVertices();
        wave.findLeaving(ends);
        wave.remove(ends);
        for (int i = 0; i < wave.count(); ++i) {
            // Light that light sampling finds counts once it has been scattered.
            if (wave.isOnSurface(i) || (wave.of(i).is_sampled && wave.scatterings(i) == 0)) continue;
            const Ray ray = wave.ray(i);
            deposit(ray.at(wave.t(i)), ray.direction, wave.of(i).group,
                    wave.of(i).power.cwiseProduct(wave.throughput(i)) / unit, deposits);
        }
        wave.absorb();
        wave.roulette(ends);
        wave.remove(ends);
        wave.scatter();
    }
}

/// Adds light of a group that collides at a point (m) to the cell there, if there is one.
void LightCache::deposit(const Vec3f& point, const Vec3f& direction, int group, const Vec3f& light,
                         Deposits& deposits) const
{
    const Vec3f p = toCells(point);
    const std::int64_t cell = cellIndex(p.array().floor().matrix().cast<int>());
    if (cell < 0) return;
    std::atomic<std::int64_t>* const to =
        &deposits[static_cast<std::size_t>(cell) * sumsOfCell() + static_cast<std::size_t>(group) * sums];
    const auto add = [&](Eigen::Index sum, float value) {
        to[sum].fetch_add(std::llround(value), std::memory_order_relaxed);
    };
    for (Eigen::Index c = 0; c < 3; ++c) {
        add(c, light[c]);
        for (Eigen::Index axis = 0; axis < 3; ++axis) add(3 + 3 * axis + c, light[c] * direction[axis]);
    }
}

}  // namespace firn
