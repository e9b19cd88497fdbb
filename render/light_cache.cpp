#include "render/light_cache.h"

#include <tbb/parallel_for.h>

#include <array>
#include <numeric>

#include "common/image/luminance.h"
#include "render/path.h"

namespace firn {

namespace {

constexpr int markingPaths = 1 << 18;
constexpr int photonBatch = 4096;
constexpr std::uint32_t photonPixel = 0x70000000;  // photons are samples of a pixel that no picture has
constexpr double farAway_m = 50;                   // photons start beyond all bodies

float brightness(const Vec3f& colour) { return luminance(colour.x(), colour.y(), colour.z()); }

/// Fills two directions that are perpendicular to `normal` and to each other.
void frameOf(const Vec3f& normal, Vec3f& u, Vec3f& v)
{
    u = normal.unitOrthogonal();
    v = normal.cross(u);
}

}  // namespace

/// Chooses the rays on which light enters the scene: through discs around what is seen, each twice as large as the one
/// before, so that distant parts of the scene get few photons with a large weight.
struct LightCache::Emission {
    Vec3f center = Vec3f::Zero();
    std::vector<float> radii;
    std::vector<const Light*> lights;
    std::vector<float> share;  // with which each light is chosen
    float distance = 0;        // from the center to where photons start

    struct Photon {
        Ray ray;
        Vec3f power = Vec3f::Zero();  // W, of one photon
        bool isSampled = false;       // light sampling finds this light
    };

    /// The rays of many photons together are stratified.
    Photon sample(const Sampler& sampler) const
    {
        using Event = Sampler::Event;
        Photon photon;
        const Vec2f choice = sampler.stratified(Event::Time);
        std::size_t light = 0;
        float u = choice.x();
        while (light + 1 < lights.size() && u >= share[light]) u -= share[light++];
        const LightSample toLight = lights[light]->sample(center, sampler.stratified(Event::FirstLight));
        const Vec2f w = sampler.stratified(Event::Pixel);
        const auto discs = static_cast<float>(radii.size());
        const auto disc = std::min(radii.size() - 1, static_cast<std::size_t>(choice.y() * discs));
        const float r = radii[disc] * std::sqrt(w.x()), angle = 2 * pif * w.y();
        Vec3f a, b;
        frameOf(toLight.direction, a, b);
        photon.ray.origin =
            center + toLight.direction * distance + a * (r * std::cos(angle)) + b * (r * std::sin(angle));
        photon.ray.direction = -toLight.direction;
        photon.power = toLight.irradiance * (toLight.scale / (density(r) * share[light]));
        photon.isSampled = lights[light]->foundBy() != FoundBy::Scattering;
        return photon;
    }

    /// Photons per area at this distance from the axis.
    float density(float r) const
    {
        float sum = 0;
        for (const float radius : radii) {
            if (r <= radius) sum += 1 / (pif * radius * radius);
        }
        return sum / static_cast<float>(radii.size());
    }
};

bool LightCache::isPossible(const RenderScene& scene)
{
    const auto& lights = scene.lights.all();
    return scene.volume != nullptr && !scene.volume->isHomogeneous() && scene.max_bounces == 0 && !lights.empty() &&
           std::all_of(lights.begin(), lights.end(), [](const auto& light) { return light->isAtInfinity(); });
}

LightCache::LightCache(const RenderScene& scene, const PinholeCamera& camera, const PixelWindow& window,
                       const LightCacheSettings& settings, const std::function<bool(double)>& goOn)
    : m_scene(scene), m_settings(settings)
{
    chooseCells();
    allocate(mark(camera, window));
    fill(goOn);
}

double LightCache::cell_m() const { return static_cast<double>(m_cellVoxels * m_scene.volume->voxelSize_m()); }

/// The brick of a voxel, or -1.
std::int32_t LightCache::brickAt(const Vec3i& voxel) const
{
    const Bricks& bricks = m_scene.volume->bricks();
    if ((voxel.array() < bricks.cell_min.array()).any() || (voxel.array() >= bricks.cell_max.array()).any()) return -1;
    bool chunkEmpty = false;
    return bricks.brickOf(int4(voxel, 0), chunkEmpty);
}

/// The least optical depth along six directions, within the snow around the point and before the next body; not more
/// than a little above the end depth.
float LightCache::depthAt(const Vec3f& point) const
{
    const Volume& volume = *m_scene.volume;
    const Vec3f p = volume.toIndex(point);
    const float here = volume.bricks().at(p);
    const float enough = 1.25f * m_settings.end_depth;
    if (here <= 0) return 0;
    const float step = std::clamp(0.5f * enough / here, 0.1f, 0.5f);  // voxels
    float least = enough;
    if (m_scene.surfaces != nullptr)
        least = std::min(least, m_scene.surfaces->clearance(point) * here / volume.voxelSize_m());
    for (int axis = 0; axis < 3; ++axis) {
        for (const float sign : {-1.0f, 1.0f}) {
            float depth = 0;
            for (float t = 0.5f * step; depth < least; t += step) {
                const float value = volume.bricks().at(p + t * sign * Vec3f::Unit(axis));
                if (value < 0.02f * here) break;
                depth += value * step;
            }
            least = std::min(least, depth);
        }
    }
    return least;
}

/// Edge of a cell from the end depth and the extinction that most light meets.
void LightCache::chooseCells()
{
    const Bricks& bricks = m_scene.volume->bricks();
    double weight = 0, squares = 0;
    for (const Bricks::Values& values : bricks.bricks) {
        for (const float value : values) {
            weight += static_cast<double>(value);
            squares += static_cast<double>(value) * static_cast<double>(value);
        }
    }
    const double voxel_m = static_cast<double>(m_scene.volume->voxelSize_m());
    const double freePath_m = squares > 0 ? voxel_m * weight / squares : voxel_m;
    const double cell_m =
        m_settings.cell_m > 0 ? m_settings.cell_m : 0.5 * static_cast<double>(m_settings.end_depth) * freePath_m;
    m_blocksPerEdge = std::clamp(static_cast<int>(std::lround(Bricks::cells * voxel_m / (blockCells * cell_m))), 1, 16);
    m_cellVoxels = static_cast<float>(Bricks::cells) / static_cast<float>(blockCells * m_blocksPerEdge);
}

/// The index of a block of cells among all blocks of all bricks; -1 where there is no brick.
std::int64_t LightCache::blockIndex(const Vec3i& block) const
{
    if ((block.array() < 0).any()) return -1;
    const int n = m_blocksPerEdge;
    const Vec3i inBricks = block / n, in = block - inBricks * n;
    const std::int32_t brick = brickAt(inBricks * Bricks::cells);
    return brick < 0 ? -1 : static_cast<std::int64_t>(brick) * (n * n * n) + (in.x() * n + in.y()) * n + in.z();
}

/// Traces a few camera paths to where they can end. Returns the blocks there and their neighbours, between which light
/// is interpolated, in ascending order; fills the box around the ends.
std::vector<std::int64_t> LightCache::mark(const PinholeCamera& camera, const PixelWindow& window)
{
    const Volume& volume = *m_scene.volume;
    constexpr int longest = 64;
    std::vector<Vec3f> ends(markingPaths, Vec3f::Constant(infinity));
    tbb::parallel_for(0, markingPaths, [&](int i) {
        Sampler sampler(m_settings.seed, static_cast<std::uint32_t>(i), 0x4d41524b);
        const Vec2f u = sampler.uniform2();
        Ray ray = camera.ray(static_cast<float>(window.x) + u.x() * static_cast<float>(window.width),
                             static_cast<float>(window.y) + u.y() * static_cast<float>(window.height));
        FreeSphere free;
        for (int scatterings = 0; scatterings < longest; ++scatterings) {
            const Vertex vertex = nextVertex(m_scene, ray, sampleOpticalDepth(sampler.uniform()), free, sampler);
            if (!vertex.exists()) return;
            if (!vertex.onSurface() && depthAt(vertex.position) >= m_settings.end_depth) {
                ends[static_cast<std::size_t>(i)] = vertex.position;
                return;
            }
            ray = vertex.toward(vertex.scatter(sampler.uniform2()), ray.time);
        }
    });
    std::vector<std::int64_t> blocks;
    const float blockVoxels = blockCells * m_cellVoxels;
    for (const Vec3f& end : ends) {
        if (end.x() == infinity) continue;
        m_low = m_low.cwiseMin(end);
        m_high = m_high.cwiseMax(end);
        const Vec3i block = (volume.toIndex(end) / blockVoxels).cast<int>();
        for (int i = 0; i < 27; ++i) {
            const std::int64_t index = blockIndex(block + Vec3i(i / 9 - 1, i / 3 % 3 - 1, i % 3 - 1));
            if (index >= 0) blocks.push_back(index);
        }
    }
    std::sort(blocks.begin(), blocks.end());
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    return blocks;
}

/// Makes the cells of the blocks, and the table of optical depths of their bricks.
void LightCache::allocate(const std::vector<std::int64_t>& blocks)
{
    const Volume& volume = *m_scene.volume;
    const Bricks& bricks = volume.bricks();
    const int perBrick = m_blocksPerEdge * m_blocksPerEdge * m_blocksPerEdge;
    m_first.assign(bricks.bricks.size() * static_cast<std::size_t>(perBrick), -1);
    m_depthOf.assign(bricks.bricks.size(), -1);
    std::vector<std::size_t> withDepth;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        m_first[static_cast<std::size_t>(blocks[i])] = static_cast<std::int32_t>(i);
        const auto brick = static_cast<std::size_t>(blocks[i] / perBrick);
        if (m_depthOf[brick] >= 0) continue;
        m_depthOf[brick] = static_cast<std::int32_t>(withDepth.size());
        withDepth.push_back(brick);
    }
    m_depths.resize(withDepth.size());
    tbb::parallel_for(std::size_t{0}, withDepth.size(), [&](std::size_t d) {
        constexpr int n = Bricks::values;
        for (int i = 0; i < n * n * n; ++i) {
            const Vec3i voxel = bricks.origins[withDepth[d]] + Vec3i(i / (n * n), i / n % n, i % n);
            m_depths[d][static_cast<std::size_t>(i)] = depthAt(volume.toWorld(voxel.cast<float>()));
        }
    });
    m_cells.resize(blocks.size() * cellsPerBlock);
    tbb::parallel_for(std::size_t{0}, blocks.size(), [&](std::size_t i) {
        const int n = m_blocksPerEdge, block = static_cast<int>(blocks[i] % perBrick);
        const Vec3f corner = blockCells * m_cellVoxels * Vec3i(block / (n * n), block / n % n, block % n).cast<float>();
        const Bricks::Values& values = bricks.bricks[static_cast<std::size_t>(blocks[i] / perBrick)];
        for (int c = 0; c < cellsPerBlock; ++c) {
            const Vec3i cell(c / (blockCells * blockCells), c / blockCells % blockCells, c % blockCells);
            m_cells[i * cellsPerBlock + static_cast<std::size_t>(c)].collisions =
                extinctionIntegral(values, corner + m_cellVoxels * cell.cast<float>());
        }
    });
}

/// Integral of extinction over a cell (m^2) whose first corner is here in its brick, in voxels. Midpoint rule of 3^3
/// points.
float LightCache::extinctionIntegral(const Bricks::Values& values, const Vec3f& corner) const
{
    constexpr int points = 3;
    const float step = m_cellVoxels / points, voxel_m = m_scene.volume->voxelSize_m();
    float sum = 0;
    for (int k = 0; k < points * points * points; ++k) {
        const Vec3f at(static_cast<float>(k / (points * points)), static_cast<float>(k / points % points),
                       static_cast<float>(k % points));
        sum += Bricks::interpolate(values.data(), float4(corner + step * (at + Vec3f::Constant(0.5f)), 0));
    }
    return sum * step * step * step * voxel_m * voxel_m;
}

void LightCache::fill(const std::function<bool(double)>& goOn)
{
    const Volume& volume = *m_scene.volume;
    if (m_cells.empty()) {  // no path ends anywhere
        m_isComplete = true;
        return;
    }
    constexpr float margin_m = 0.1f;
    Emission emission;
    emission.center = 0.5f * (m_low + m_high);
    const Vec3f a = volume.toWorld(volume.indexMin()), b = volume.toWorld(volume.indexMax());
    const float all = (0.5f * (a + b) - emission.center).norm() + 0.5f * (b - a).norm();
    for (float r = 0.5f * (m_high - m_low).norm() + margin_m; emission.radii.empty() || emission.radii.back() < all;
         r *= 2)
        emission.radii.push_back(std::min(r, std::max(all, emission.radii.empty() ? r : all)));
    emission.distance = all + static_cast<float>(farAway_m);
    float total = 0;
    for (const auto& light : m_scene.lights.all()) {
        Sampler sampler(m_settings.seed, 0, 0x4c49);
        float power = 0;
        for (int i = 0; i < 256; ++i) {
            const LightSample sample = light->sample(emission.center, sampler.uniform2());
            power += brightness(sample.irradiance) * sample.scale;
        }
        if (power <= 0) continue;
        emission.lights.push_back(light.get());
        emission.share.push_back(power);
        total += power;
    }
    for (float& share : emission.share) share /= total;

    // Sums of integers do not depend on their order. The unit is far below the power of the weakest photon.
    const float unit = total / 256 / (emission.density(0) * 0x1p20f);
    std::vector<std::atomic<std::int64_t>> deposits(m_cells.size() * sums);
    const std::uint64_t batches = (m_settings.photons + photonBatch - 1) / photonBatch;
    std::atomic<std::uint64_t> done = 0;
    std::atomic<bool> stopped = false;
    tbb::parallel_for(std::uint64_t{0}, batches, [&](std::uint64_t batch) {
        if (stopped) return;
        for (int i = 0; i < photonBatch; ++i)
            tracePhoton(batch * photonBatch + static_cast<std::uint64_t>(i), emission, deposits, unit);
        if (!goOn(static_cast<double>(++done) / static_cast<double>(batches))) stopped = true;
    });
    if (stopped) return;
    const double scale = static_cast<double>(unit) / static_cast<double>(batches * photonBatch);
    tbb::parallel_for(std::size_t{0}, m_cells.size(), [&](std::size_t c) {
        for (std::size_t s = 0; s < sums; ++s)
            m_cells[c].light[s] = static_cast<float>(static_cast<double>(deposits[c * sums + s].load()) * scale);
    });
    m_isComplete = true;
}

void LightCache::tracePhoton(std::uint64_t photon, const Emission& emission,
                             std::vector<std::atomic<std::int64_t>>& deposits, float unit) const
{
    Sampler sampler(m_settings.seed + (photon >> 32), photonPixel, static_cast<std::uint32_t>(photon));
    const Emission::Photon start = emission.sample(sampler);
    if (start.power.maxCoeff() <= 0) return;
    const Volume& volume = *m_scene.volume;
    Ray ray = start.ray;
    Vec3f throughput = Vec3f::Ones();
    float surfaces = 1;
    FreeSphere free;
    bool counts = !start.isSampled;  // light that light sampling finds counts once it has been scattered
    for (int scatterings = 0;; ++scatterings) {
        const Vertex vertex = nextVertex(m_scene, ray, sampleOpticalDepth(sampler.uniform()), free, sampler);
        if (!vertex.exists()) return;
        if (counts && !vertex.onSurface()) {
            const Vec3f p = volume.toIndex(vertex.position) / m_cellVoxels;
            const std::int64_t cell = cellIndex(p.array().floor().matrix().cast<int>());
            if (cell >= 0) {
                const auto index = static_cast<std::size_t>(cell);
                const Vec3f light = start.power.cwiseProduct(throughput) / unit;
                for (std::size_t c = 0; c < 3; ++c) {
                    const float value = light[static_cast<Eigen::Index>(c)];
                    deposits[index * sums + c].fetch_add(std::llround(value), std::memory_order_relaxed);
                    for (std::size_t axis = 0; axis < 3; ++axis) {
                        deposits[index * sums + 3 + 3 * axis + c].fetch_add(
                            std::llround(value * ray.direction[static_cast<Eigen::Index>(axis)]),
                            std::memory_order_relaxed);
                    }
                }
            }
        }
        throughput = throughput.cwiseProduct(vertex.albedo);
        if (vertex.onSurface()) surfaces *= vertex.albedo.maxCoeff();
        const float factor = roulette(throughput, scatterings, surfaces, sampler);
        if (factor == 0) return;
        throughput *= factor;
        ray = vertex.toward(vertex.scatter(sampler.uniform2()), ray.time);
        counts = true;
    }
}

/// The index of a cell, or -1.
std::int64_t LightCache::cellIndex(const Vec3i& cell) const
{
    const Vec3i block = cell.unaryExpr([](int i) { return i >> blockShift; });
    const std::int64_t index = blockIndex(block);
    const std::int32_t first = index < 0 ? -1 : m_first[static_cast<std::size_t>(index)];
    if (first < 0) return -1;
    const Vec3i in = cell - block * blockCells;
    return static_cast<std::int64_t>(first) * cellsPerBlock + (in.x() * blockCells + in.y()) * blockCells + in.z();
}

bool LightCache::isDeep(const Vec3f& index) const
{
    const std::int32_t brick = brickAt(index.array().floor().matrix().cast<int>());
    const std::int32_t depths = brick < 0 ? -1 : m_depthOf[static_cast<std::size_t>(brick)];
    if (depths < 0) return false;
    const Vec3f local = index - m_scene.volume->bricks().origins[static_cast<std::size_t>(brick)].cast<float>();
    return Bricks::interpolate(m_depths[static_cast<std::size_t>(depths)].data(), float4(local, 0)) >=
           m_settings.end_depth;
}

bool LightCache::scattered(const Vec3f& point, const Vec3f& incoming, Vec3f& result) const
{
    const Vec3f index = m_scene.volume->toIndex(point);
    if (!isDeep(index)) return false;
    const Vec3f g = index / m_cellVoxels - Vec3f::Constant(0.5f);
    const Vec3i base = g.array().floor().matrix().cast<int>();
    const Vec3f f = g - base.cast<float>();
    std::array<float, sums> light{};
    float collisions = 0;
    for (int i = 0; i < 8; ++i) {
        const Vec3i corner(i >> 2, i >> 1 & 1, i & 1);
        const std::int64_t cell = cellIndex(base + corner);
        if (cell < 0) return false;
        const Cell& c = m_cells[static_cast<std::size_t>(cell)];
        float weight = 1;
        for (int axis = 0; axis < 3; ++axis) weight *= corner[axis] ? f[axis] : 1 - f[axis];
        collisions += weight * c.collisions;
        for (std::size_t s = 0; s < sums; ++s) light[s] += weight * c.light[s];
    }
    if (collisions <= 0) return false;
    for (std::size_t c = 0; c < 3; ++c) {
        float flux = 0;
        for (std::size_t axis = 0; axis < 3; ++axis)
            flux += light[3 + 3 * axis + c] * incoming[static_cast<Eigen::Index>(axis)];
        result[static_cast<Eigen::Index>(c)] =
            std::max(0.0f, (light[c] - 3 * m_scene.medium.g * flux) / (4 * pif * collisions));
    }
    return true;
}

}  // namespace firn
