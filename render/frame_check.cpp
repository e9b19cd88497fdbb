#include "render/frame_check.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <numeric>

#include "common/image/luminance.h"
#include "common/io/stopwatch.h"
#include "common/mix_bits.h"
#include "render/phase.h"
#include "render/radiance.h"
#include "render/tracking.h"

namespace firn {

namespace {

constexpr std::uint64_t checkSeed = 0x436865636bULL;
constexpr int depthRays = 4096;
constexpr int pilotPixels = 512, samplesPerPilot = 256;
constexpr int squareEdge = 16, squaresWanted = 24;
constexpr int samplesPerSquarePixel = 48;

struct PixelPlace {
    int x, y;
};

PixelPlace randomPixel(const PixelWindow& window, Sampler& sampler)
{
    const Vec2f u = sampler.uniform2();
    return {window.x + static_cast<int>(u.x() * static_cast<float>(window.width)),
            window.y + static_cast<int>(u.y() * static_cast<float>(window.height))};
}

Ray rayThrough(const PlacedCamera& camera, const PixelPlace& pixel, Sampler& sampler)
{
    const Vec2f u = sampler.uniform2();
    return camera.ray(static_cast<float>(pixel.x) + u.x(), static_cast<float>(pixel.y) + u.y(), sampler);
}

double luminanceOf(const Vec3f& rgb) { return static_cast<double>(luminance(rgb)); }

/// Mean and standard error of values that are independent.
Measured meanOf(const std::vector<double>& values)
{
    const auto n = static_cast<double>(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
    double squares = 0;
    for (const double value : values) squares += (value - mean) * (value - mean);
    return {mean, values.size() > 1 ? std::sqrt(squares / (n - 1) / n) : 0};
}

/// Film::noise() of pixels with so many samples: each run of `samples` values counts as a pixel.
double meanRelativeError(const std::vector<double>& values, std::size_t samples)
{
    const double floor = 0.01 * meanOf(values).mean;
    const std::size_t pixels = values.size() / samples;
    double sum = 0;
    for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
        const auto first = values.begin() + static_cast<std::ptrdiff_t>(pixel * samples);
        const Measured found = meanOf({first, first + static_cast<std::ptrdiff_t>(samples)});
        if (found.error > 0) sum += found.error / (found.mean + floor);
    }
    return sum / static_cast<double>(pixels);
}

/// value(i) of i = 0 ... count - 1, computed in parallel.
template <class Value>
auto collect(int count, const Value& value)
{
    std::vector<decltype(value(0))> values(static_cast<std::size_t>(count));
    tbb::parallel_for(0, count, [&](int i) { values[static_cast<std::size_t>(i)] = value(i); });
    return values;
}

/// value(result) of paths, computed in parallel; path i begins at start(i).
template <class Start, class Value>
std::vector<double> collectPaths(const RenderScene& scene, int count, const Start& start, const Value& value)
{
    std::vector<double> values(static_cast<std::size_t>(count));
    tracePathsInParallel(scene, count, start,
                         [&](int i, const PathResult& result) { values[static_cast<std::size_t>(i)] = value(result); });
    return values;
}

/// Optical depth along a ray up to the first body.
double opticalDepth(const RenderScene& scene, const Ray& ray)
{
    const Volume& volume = *scene.volume;
    SurfaceHit hit;
    float tMax = infinity;
    if (scene.surfaces != nullptr && scene.surfaces->intersect(ray, infinity, hit)) tMax = hit.t;
    const Ray inIndex{volume.toIndex(ray.origin), ray.direction};
    const auto [t0, t1] = clip(inIndex, volume.indexMin(), volume.indexMax(), tMax / volume.voxelSize_m());
    constexpr float step = 0.5f;
    double sum = 0;
    const int steps = t0 < t1 ? static_cast<int>((t1 - t0) / step) : 0;
    for (int i = 0; i < steps; ++i) {
        const float t = t0 + (static_cast<float>(i) + 0.5f) * step;
        sum += static_cast<double>(step * volume.extinction(volume.toWorld(inIndex.at(t))));
    }
    return sum * static_cast<double>(volume.voxelSize_m());
}

/// A square of pixels with snow.
struct Square {
    PixelWindow pixels;
    double direct = 0;  // luminance of light that was scattered once
    bool near_bodies = false;
};

constexpr double nearInFreePaths = 30;

/// Squares in random places of which most rays meet snow.
std::vector<Square> chooseSquares(const RenderScene& scene, const PlacedCamera& camera, const PixelWindow& window)
{
    std::vector<Square> squares;
    constexpr int tries = 50 * squaresWanted, rays = 32;
    for (std::uint32_t i = 0; i < tries && squares.size() < squaresWanted; ++i) {
        Sampler sampler(checkSeed, i, 1);
        const PixelPlace place = randomPixel(window, sampler);
        Square square{{place.x, place.y, std::min(squareEdge, window.x + window.width - place.x),
                       std::min(squareEdge, window.y + window.height - place.y)}};
        int snow = 0;
        float clearance = infinity, extinction = 0;
        const auto start = [&](int k) {
            const Ray ray = rayThrough(camera, randomPixel(square.pixels, sampler), sampler);
            return PathStart{ray, Sampler(checkSeed, i, static_cast<std::uint32_t>(16 + k))};
        };
        tracePaths(scene, rays, start, [&](int, const PathResult& path) {
            if (!path.hit_medium) return;
            ++snow;
            square.direct += luminanceOf(path.direct) / rays;
            extinction += scene.volume->extinction(path.position);
            if (scene.surfaces != nullptr) clearance = std::min(clearance, scene.surfaces->clearance(path.position));
        });
        if (snow < rays * 3 / 4) continue;
        square.near_bodies = static_cast<double>(clearance * extinction) / snow < nearInFreePaths;
        squares.push_back(square);
    }
    return squares;
}

Measured squareMean(const RenderScene& scene, const PlacedCamera& camera, const Square& square, std::uint32_t stream)
{
    const int pixels = square.pixels.width * square.pixels.height;
    const auto start = [&](int i) {
        const int at = i / samplesPerSquarePixel;
        const PixelPlace pixel{square.pixels.x + at % square.pixels.width, square.pixels.y + at / square.pixels.width};
        Sampler sampler(checkSeed + stream, static_cast<std::uint32_t>(at),
                        static_cast<std::uint32_t>(i % samplesPerSquarePixel));
        const Ray ray = rayThrough(camera, pixel, sampler);
        return PathStart{ray, sampler};
    };
    const std::vector<double> values = collectPaths(scene, pixels * samplesPerSquarePixel, start,
                                                    [](const PathResult& path) { return luminanceOf(path.radiance); });
    std::vector<double> means(static_cast<std::size_t>(pixels));
    for (std::size_t i = 0; i < values.size(); ++i)
        means[i / samplesPerSquarePixel] += values[i] / samplesPerSquarePixel;
    return meanOf(means);
}

/// For tests of transport alone: the snow, white, under an even sky.
RenderScene whiteSnow(const RenderScene& scene)
{
    LightSpec sky;
    sky.kind = LightKind::Constant;
    RenderScene white;
    white.volume = scene.volume;
    white.lights = Lights({sky});
    white.medium = {Vec3f::Ones(), scene.medium.g};
    return white;
}

/// A ray that enters the box from outside, as isotropic light does: its place uniform over the surface, its direction
/// by the cosine with the inner normal.
Ray rayIntoBox(const Vec3f& min, const Vec3f& max, Sampler& sampler)
{
    const Vec3f size = max - min;
    const Vec3f areas(size.y() * size.z(), size.z() * size.x(), size.x() * size.y());
    float choice = sampler.uniform() * areas.sum();
    int axis = 0;
    while (axis < 2 && choice >= areas[axis]) choice -= areas[axis++];
    const bool low = sampler.uniform() < 0.5f;
    const Vec2f u = sampler.uniform2(), v = sampler.uniform2();
    Vec3f origin = low ? min : max;
    const int second = (axis + 1) % 3, third = (axis + 2) % 3;
    origin[second] = min[second] + u.x() * size[second];
    origin[third] = min[third] + u.y() * size[third];
    Vec3f inner = Vec3f::Zero();
    inner[axis] = low ? 1.0f : -1.0f;
    return {origin, deflect(inner, std::sqrt(1 - v.x()), v.y()), 0};
}

}  // namespace

OpticalDepths measureOpticalDepths(const RenderScene& scene, const PlacedCamera& camera, const PixelWindow& window)
{
    std::vector<double> depths = collect(depthRays, [&](int i) {
        Sampler sampler(checkSeed, static_cast<std::uint32_t>(i), 2);
        return opticalDepth(scene, rayThrough(camera, randomPixel(window, sampler), sampler));
    });
    std::erase_if(depths, [](double depth) { return depth <= 0; });
    if (depths.empty()) return {};
    std::sort(depths.begin(), depths.end());
    const auto at = [&](double share) {
        return depths[static_cast<std::size_t>(share * static_cast<double>(depths.size() - 1))];
    };
    return {static_cast<double>(depths.size()) / depthRays, at(0.5), at(0.9), depths.back()};
}

double majorantRatio(const Volume& volume)
{
    if (volume.isHomogeneous()) return 1;
    const Bricks& bricks = volume.bricks();
    const int n = bricks.blocksPerEdge(), size = bricks.blockSize();
    double tentative = 0, real = 0;
    for (std::size_t b = 0; b < bricks.bricks.size(); ++b) {
        const double volumeOfCell = std::ldexp(1.0, 3 * bricks.levels[b]);
        for (int cell = 0; cell < Bricks::cells * Bricks::cells * Bricks::cells; ++cell) {
            const int x = cell / 64, y = cell / 8 % 8, z = cell % 8;
            const int block = ((x / size) * n + y / size) * n + z / size;
            const auto value = static_cast<double>(Bricks::interpolate(
                bricks.bricks[b].data(), float4(Vec3i(x, y, z).cast<float>() + Vec3f::Constant(0.5f), 0)));
            // Paths scatter where extinction is: so both are weighted with it.
            tentative += volumeOfCell * value *
                         static_cast<double>(bricks.majorants[b * static_cast<std::size_t>(bricks.blocksPerBrick()) +
                                                              static_cast<std::size_t>(block)]);
            real += volumeOfCell * value * value;
        }
    }
    return real > 0 ? tentative / real : 1;
}

double PathCost::noiseOf(double paths) const
{
    const auto last = static_cast<int>(noises.size()) - 1;
    const double step = std::log2(std::max(1.0, paths)) - 1;  // noises[step]
    const bool isBeyond = step > last;
    const int from = isBeyond ? last - 2 : std::clamp(static_cast<int>(step), 0, last - 1);
    const int to = isBeyond ? last : from + 1;
    const double first = noises[static_cast<std::size_t>(from)], second = noises[static_cast<std::size_t>(to)];
    return first > 0 && second > 0 ? first * std::pow(second / first, (step - from) / (to - from)) : second;
}

double PathCost::pathsTo(double noiseTarget) const
{
    double low = 0, high = 50;  // powers of two
    if (noiseOf(std::exp2(low)) <= noiseTarget) return 1;
    for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        (noiseOf(std::exp2(middle)) > noiseTarget ? low : high) = middle;
    }
    return std::exp2(high);
}

PathCost measurePaths(const RenderScene& scene, const PlacedCamera& camera, const PixelWindow& window,
                      double filterRadius_px)
{
    const Stopwatch watch;
    const auto start = [&](int i) {
        const auto pilot = static_cast<std::uint32_t>(i / samplesPerPilot);
        Sampler place(checkSeed, pilot, 3);
        const PixelPlace pixel = randomPixel(window, place);
        Sampler sampler(checkSeed, pilot, static_cast<std::uint32_t>(16 + i % samplesPerPilot));
        const Vec2f offset = sampleTent(sampler.uniform2(), static_cast<float>(filterRadius_px));
        const Ray ray = camera.ray(static_cast<float>(pixel.x) + 0.5f + offset.x(),
                                   static_cast<float>(pixel.y) + 0.5f + offset.y(), sampler);
        return PathStart{ray, sampler};
    };
    std::atomic<std::uint64_t> scatterings = 0;
    const std::vector<double> values =
        collectPaths(scene, pilotPixels * samplesPerPilot, start, [&](const PathResult& path) {
            scatterings += static_cast<std::uint64_t>(path.collisions);
            return luminanceOf(path.radiance);
        });
    PathCost cost;
    const auto paths = static_cast<double>(values.size());
    cost.seconds = watch.seconds() / paths;
    cost.scatterings = static_cast<double>(scatterings) / paths;
    for (int samples = 2; samples <= samplesPerPilot; samples *= 2)
        cost.noises.push_back(meanRelativeError(values, static_cast<std::size_t>(samples)));
    return cost;
}

CacheBias measureCacheBias(const RenderScene& scene, const PlacedCamera& camera, const PixelWindow& window,
                           const std::vector<const LightCache*>& caches)
{
    RenderScene plain = scene;
    plain.light_cache = nullptr;
    const std::vector<Square> squares = chooseSquares(plain, camera, window);
    double direct = 0;
    for (const Square& square : squares) direct = std::max(direct, square.direct);
    std::vector<double> all, sun, shadow, near;
    for (const Square& square : squares) {
        const double reference = squareMean(plain, camera, square, 1).mean;
        double ended = 0;
        for (std::size_t c = 0; c < caches.size(); ++c) {
            RenderScene cached = scene;
            cached.light_cache = caches[c];
            ended += squareMean(cached, camera, square, static_cast<std::uint32_t>(2 + c)).mean /
                     static_cast<double>(caches.size());
        }
        if (reference <= 0) continue;
        const double bias = ended / reference - 1;
        all.push_back(bias);
        (square.near_bodies ? near : square.direct > 0.3 * direct ? sun : shadow).push_back(bias);
    }
    const auto measured = [](const std::vector<double>& values) {
        return values.size() < 2 ? std::nullopt : std::optional(meanOf(values));
    };
    return {measured(all), measured(sun), measured(shadow), measured(near), static_cast<int>(all.size())};
}

Measured furnace(const RenderScene& scene, const PlacedCamera& camera, const PixelWindow& window)
{
    constexpr int paths = 1 << 16;
    const RenderScene white = whiteSnow(scene);
    const auto start = [&](int i) {
        Sampler sampler(checkSeed, static_cast<std::uint32_t>(i), 4);
        const Ray ray = rayThrough(camera, randomPixel(window, sampler), sampler);
        return PathStart{ray, sampler};
    };
    return meanOf(collectPaths(white, paths, start,
                               [](const PathResult& path) { return static_cast<double>(path.radiance.x()); }));
}

Measured scatteringsInBox(const RenderScene& scene, double& expected)
{
    const Volume& volume = *scene.volume;
    const Vec3f min = volume.toWorld(volume.indexMin()), max = volume.toWorld(volume.indexMax());
    const Vec3d size = (max - min).cast<double>();
    const double surface = 2 * (size.x() * size.y() + size.y() * size.z() + size.z() * size.x());
    expected = 4 * volume.extinctionIntegral() / surface;
    const RenderScene white = whiteSnow(scene);
    constexpr int paths = 1 << 20;  // few paths scatter thousands of times and make much of the mean
    const auto start = [&](int i) {
        Sampler sampler(checkSeed, static_cast<std::uint32_t>(i), 5);
        const Ray ray = rayIntoBox(min, max, sampler);
        return PathStart{ray, sampler};
    };
    return meanOf(collectPaths(white, paths, start, [](const PathResult& path) { return path.scatterings; }));
}

}  // namespace firn
