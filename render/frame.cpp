#include "render/frame.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <limits>

#include "common/error.h"
#include "common/io/stopwatch.h"

namespace firn {

namespace {

constexpr int tileEdge = 16;
constexpr float cappedUnit = 65536;  // weights are summed as integers: sums of floats depend on their order
constexpr int samplesSeen = 16;      // of a pixel; the only noise of seen surfaces is that of the place in the pixel

/// Samples [begin, end) of every pixel.
struct Pass {
    int begin, end;
};

class FrameTracer {
public:
    Film film;

    FrameTracer(const RenderScene& scene, const PinholeCamera& camera, const FrameSettings& settings,
                const PixelWindow& window, const std::function<bool(double)>& goOn)
        : film(window, settings.width, settings.height),
          m_scene(scene),
          m_camera(camera),
          m_settings(settings),
          m_goOn(goOn)
    {
    }

    /// `share` turns the finished part of the pass into the finished part of all work. False when stopped.
    bool run(const Pass& pass, const std::function<double(double)>& share)
    {
        const PixelWindow& window = film.window();
        const int columns = (window.width + tileEdge - 1) / tileEdge, rows = (window.height + tileEdge - 1) / tileEdge;
        std::atomic<int> done = 0;
        tbb::parallel_for(
            tbb::blocked_range<int>(0, columns * rows, 1),
            [&](const tbb::blocked_range<int>& range) {
                for (int tile = range.begin(); tile != range.end() && !m_stopped; ++tile) {
                    traceTile(window.x + tile % columns * tileEdge, window.y + tile / columns * tileEdge, pass);
                    if (!m_goOn(share(static_cast<double>(++done) / (columns * rows)))) m_stopped = true;
                }
            },
            tbb::simple_partitioner());
        return !m_stopped;
    }

    void addCounts(FrameResult& result) const
    {
        result.collisions = m_collisions;
        result.paths = m_paths;
        result.capped = static_cast<double>(m_capped) / cappedUnit;
    }

private:
    void traceTile(int left, int top, const Pass& pass)
    {
        const PixelWindow& window = film.window();
        const int right = std::min(left + tileEdge, window.x + window.width);
        const int bottom = std::min(top + tileEdge, window.y + window.height);
        std::uint64_t collisions = 0, capped = 0;
        for (int y = top; y < bottom; ++y) {
            for (int x = left; x < right; ++x) {
                for (int sample = pass.begin; sample < pass.end; ++sample) {
                    const PathResult path = tracePixel(x, y, sample);
                    collisions += static_cast<std::uint64_t>(path.collisions);
                    if (path.capped) capped += static_cast<std::uint64_t>(std::llround(cappedUnit * path.weight));
                }
            }
        }
        m_collisions += collisions;
        m_capped += capped;
        m_paths += static_cast<std::uint64_t>(right - left) * static_cast<std::uint64_t>(bottom - top) *
                   static_cast<std::uint64_t>(pass.end - pass.begin);
    }

    PathResult tracePixel(int x, int y, int sample)
    {
        Sampler sampler(m_settings.seed,
                        static_cast<std::uint32_t>(y) * static_cast<std::uint32_t>(m_settings.width) +
                            static_cast<std::uint32_t>(x),
                        static_cast<std::uint32_t>(sample));
        const Vec2f offset =
            sampleTent(sampler.stratified(Sampler::Event::Pixel), static_cast<float>(m_settings.filter_radius_px));
        const Ray ray =
            m_camera.ray(static_cast<float>(x) + 0.5f + offset.x(), static_cast<float>(y) + 0.5f + offset.y());
        PathResult path = radiance(m_scene, ray, sampler);
        film.add(x, y, path, path.depth * ray.direction.dot(m_camera.axis().cast<float>()));
        if (sample < samplesSeen) film.addSeen(x, y, seenSurface(m_scene, ray));
        return path;
    }

    const RenderScene& m_scene;
    const PinholeCamera& m_camera;
    const FrameSettings& m_settings;
    const std::function<bool(double)>& m_goOn;
    std::atomic<bool> m_stopped = false;
    std::atomic<std::uint64_t> m_collisions = 0, m_paths = 0, m_capped = 0;
};

/// The next number of samples at which targets are checked: 4, 6, 8, 12, 16, 24, 32, ... A step adds at most half, and
/// at every other step the stratified points of a power of two are complete.
int nextCount(int count)
{
    if (count < 4) return 4;
    const bool isPowerOfTwo = (count & (count - 1)) == 0;
    return isPowerOfTwo ? count + count / 2 : count + count / 3;
}

bool hasTarget(const FrameSettings& settings) { return settings.noise_target > 0 || settings.time_limit_s > 0; }

/// Traces passes until a target is met; false when stopped. The share of finished work is judged by time, or by noise,
/// which falls with the square root of the number of samples.
bool traceToTarget(FrameTracer& tracer, const FrameSettings& settings, int& count, const Stopwatch& watch)
{
    double perSample = 0;  // seconds
    double share = 0;
    for (count = 0; count < settings.max_spp;) {
        const int next = std::min(nextCount(count), settings.max_spp);
        const double soFar = watch.seconds();
        if (settings.time_limit_s > 0 && count > 0 && soFar + perSample * (next - count) > settings.time_limit_s) break;
        if (!tracer.run({count, next}, [share](double) { return share; })) return false;
        perSample = (watch.seconds() - soFar) / (next - count);
        count = next;
        const double noise = tracer.film.noise();
        if (settings.noise_target > 0) {
            if (noise < settings.noise_target) break;
            share = std::max(share, std::min(1.0, std::pow(settings.noise_target / noise, 2)));
        }
        if (settings.time_limit_s > 0) share = std::max(share, std::min(1.0, watch.seconds() / settings.time_limit_s));
    }
    return true;
}

}  // namespace

PixelWindow windowOf(const FrameSettings& settings)
{
    const PixelWindow window = settings.crop.value_or(PixelWindow{0, 0, settings.width, settings.height});
    if (window.x < 0 || window.y < 0 || window.width < 1 || window.height < 1 ||
        window.width > settings.width - window.x || window.height > settings.height - window.y) {
        throw Error(ExitCode::Usage, "the crop " + std::to_string(window.x) + "," + std::to_string(window.y) + "," +
                                         std::to_string(window.width) + "," + std::to_string(window.height) +
                                         " is not inside the picture of " + std::to_string(settings.width) + " x " +
                                         std::to_string(settings.height) + " pixels");
    }
    return window;
}

std::optional<FrameResult> renderFrame(const RenderScene& scene, const PinholeCamera& camera,
                                       const FrameSettings& settings, const std::function<bool(double)>& goOn)
{
    const Stopwatch watch;
    FrameTracer tracer(scene, camera, settings, windowOf(settings), goOn);
    FrameResult result;
    if (hasTarget(settings)) {
        if (!traceToTarget(tracer, settings, result.spp, watch)) return std::nullopt;
    } else {
        result.spp = settings.spp;
        if (!tracer.run({0, settings.spp}, [](double share) { return share; })) return std::nullopt;
    }
    tracer.addCounts(result);
    if (scene.light_cache != nullptr) result.transport = "cached";
    result.noise = tracer.film.noise();
    result.image = tracer.film.image();
    result.half = tracer.film.half();
    result.seconds = watch.seconds();
    return result;
}

}  // namespace firn
