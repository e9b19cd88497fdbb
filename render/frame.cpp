#include "render/frame.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <span>
#include <vector>

#include "common/error.h"
#include "common/io/stopwatch.h"
#include "common/mix_bits.h"
#include "render/adaptive_sampling.h"
#include "render/camera.h"
#include "render/radiance.h"
#include "render/seen_surface.h"

namespace firn {

namespace {

constexpr float cappedUnit = 65536;  // weights are summed as integers: sums of floats depend on their order
constexpr int samplesSeen = 16;      // of a pixel; the only noise of seen surfaces is that of the place in the pixel
constexpr int firstPass = 8;         // samples per pixel before the first decision of adaptive sampling
constexpr double passGrowth = 1.5;   // of the samples of all pixels, in a pass of adaptive sampling

enum class PassEnd { Complete, Paused, Stopped };

std::uint64_t wantedPaths(const PixelWindow& of, const std::vector<std::int32_t>& wanted)
{
    const Tiles tiles(of);
    std::uint64_t paths = 0;
    for (int tile = 0; tile < tiles.count(); ++tile) {
        const PixelWindow window = tiles.at(tile);
        for (int y = window.y; y < window.y + window.height; ++y) {
            for (int x = window.x; x < window.x + window.width; ++x) {
                paths += static_cast<std::uint64_t>(wanted[static_cast<std::size_t>(Tiles::groupOf(tile, x, y))]);
            }
        }
    }
    return paths;
}

/// Brings pixels to the numbers of samples that a pass wants.
class PassTracer {
public:
    PassTracer(const FrameView& view, const FrameSettings& settings, FrameState& state)
        : m_view(view), m_settings(settings), m_state(state), m_tiles(state.film.window())
    {
    }

    /// Paused: `pause` said so. Tiles end after some thousand paths then, complete or not. `share`: of all work, from
    /// that of the pass.
    PassEnd run(const std::function<double(double)>& share, const std::function<bool(double)>& goOn,
                const std::function<bool()>& pause)
    {
        std::atomic<int> done = 0;
        std::atomic<bool> paused = false, stopped = false;
        tbb::parallel_for(
            tbb::blocked_range<int>(0, m_tiles.count(), tilesAtOnce()),
            [&](const tbb::blocked_range<int>& tiles) {
                if (stopped || paused) return;
                const auto report = [&] {
                    if (!goOn(share(static_cast<double>(done) / m_tiles.count()))) stopped = true;
                };
                const auto proceed = [&] {
                    report();
                    if (pause()) paused = true;
                    return !stopped && !paused;
                };
                const std::vector<Job> jobs = jobsOf(tiles);
                if (!trace(jobs, proceed)) return;
                done += static_cast<int>(tiles.size());
                report();
                if (!jobs.empty() && pause()) paused = true;
            },
            tbb::simple_partitioner());
        m_state.film.counts += {m_paths.exchange(0), m_collisions.exchange(0), m_capped.exchange(0)};
        return stopped ? PassEnd::Stopped : done < m_tiles.count() ? PassEnd::Paused : PassEnd::Complete;
    }

private:
    struct Job {
        int x, y, sample;
        float time;  // position in the shutter's interval
    };

    /// So many that hardly any lane waits for the longest paths.
    std::size_t tilesAtOnce() const
    {
        constexpr std::uint64_t pathsAtOnce = 16384;
        const std::uint64_t tiles = static_cast<std::uint64_t>(m_tiles.count());
        const std::uint64_t paths = wantedPaths(m_state.film.window(), m_state.wanted) - m_state.film.counts.paths;
        return static_cast<std::size_t>(
            std::clamp(pathsAtOnce * tiles / std::max<std::uint64_t>(paths, 1), std::uint64_t{1}, tiles));
    }

    /// The samples that the tiles lack. Those of a pixel are in order, so any first part of them can be traced alone.
    std::vector<Job> jobsOf(const tbb::blocked_range<int>& tiles) const
    {
        std::vector<Job> jobs;
        for (int tile = tiles.begin(); tile != tiles.end(); ++tile) addJobs(tile, jobs);
        return jobs;
    }

    /// Asks `proceed` after some thousand paths. False if it ended the work before the last one.
    bool trace(std::span<const Job> jobs, const std::function<bool()>& proceed)
    {
        constexpr std::size_t most = 32768;
        for (; jobs.size() > most; jobs = jobs.subspan(most)) {
            tracePart(jobs.first(most));
            if (!proceed()) return false;
        }
        tracePart(jobs);
        return true;
    }

    void tracePart(std::span<const Job> jobs)
    {
        const std::size_t slices = m_view.slices.size();
        if (slices == 1) return traceSlice(0, jobs);
        std::vector<std::vector<Job>> ofSlice(slices);
        for (const Job& job : jobs) ofSlice[static_cast<std::size_t>(inSlices(job.time))].push_back(job);
        for (std::size_t slice = 0; slice < slices; ++slice) traceSlice(slice, ofSlice[slice]);
    }

    float inSlices(float time) const { return time * static_cast<float>(m_view.slices.size()); }

    void traceSlice(std::size_t slice, std::span<const Job> jobs)
    {
        const RenderScene& scene = *m_view.slices[slice];
        std::uint64_t collisions = 0, capped = 0;
        const auto start = [&](int i) {
            const Job& job = jobs[static_cast<std::size_t>(i)];
            PathStart path = startOf(job);
            path.ray.time = inSlices(job.time) - static_cast<float>(slice);
            return path;
        };
        tracePaths(scene, static_cast<int>(jobs.size()), start, [&](int i, const PathResult& path) {
            addToFilm(scene, jobs[static_cast<std::size_t>(i)], path);
            collisions += static_cast<std::uint64_t>(path.collisions);
            if (path.capped) capped += static_cast<std::uint64_t>(std::llround(cappedUnit * path.weight));
        });
        m_paths += jobs.size();
        m_collisions += collisions;
        m_capped += capped;
    }

    void addJobs(int tile, std::vector<Job>& jobs) const
    {
        const PixelWindow window = m_tiles.at(tile);
        for (int y = window.y; y < window.y + window.height; ++y) {
            for (int x = window.x; x < window.x + window.width; ++x) {
                const int wanted = m_state.wanted[static_cast<std::size_t>(Tiles::groupOf(tile, x, y))];
                for (int sample = m_state.film.samplesOf(x, y); sample < wanted; ++sample)
                    jobs.push_back(jobOf(x, y, m_settings.first_sample + sample));
            }
        }
    }

    Job jobOf(int x, int y, int sample) const
    {
        if (m_view.is_instant) return {x, y, sample, 0};
        return {x, y, sample, samplerOf(x, y, sample).stratified(Sampler::Event::Time).x()};
    }

    Sampler samplerOf(int x, int y, int sample) const
    {
        const auto pixel = static_cast<std::uint32_t>(y) * static_cast<std::uint32_t>(m_settings.width) +
                           static_cast<std::uint32_t>(x);
        return {m_settings.seed, pixel, static_cast<std::uint32_t>(sample)};
    }

    PathStart startOf(const Job& job) const
    {
        const Sampler sampler = samplerOf(job.x, job.y, job.sample);
        const Vec2f offset =
            sampleTent(sampler.stratified(Sampler::Event::Pixel), static_cast<float>(m_settings.filter_radius_px));
        const float x = static_cast<float>(job.x) + 0.5f + offset.x(),
                    y = static_cast<float>(job.y) + 0.5f + offset.y();
        return {m_view.camera.at(job.time).ray(x, y, sampler), sampler};
    }

    void addToFilm(const RenderScene& scene, const Job& job, const PathResult& path)
    {
        const Vec3f axis = m_view.camera.at(job.time).axis().cast<float>();
        const float depth = path.depth * path.ray.direction.dot(axis);
        m_state.film.add(job.x, job.y, job.sample, path, depth);
        if (job.sample < samplesSeen)
            m_state.film.addSeen(job.x, job.y, seenSurface(scene, path.ray, depthNumber(job)));
    }

    /// For seenSurface(): the samples of a pixel take numbers that are samplesSeen-ths apart, in an order in which any
    /// few of them are spread, from a start that differs from pixel to pixel.
    static float depthNumber(const Job& job)
    {
        constexpr auto count = static_cast<std::uint32_t>(samplesSeen);
        const std::uint64_t pixel = (static_cast<std::uint64_t>(job.y) << 32) + static_cast<std::uint64_t>(job.x);
        const auto step = static_cast<std::uint32_t>(job.sample) * 5 + static_cast<std::uint32_t>(mixBits(pixel));
        return (static_cast<float>(step % count) + 0.5f) / count;
    }

    const FrameView& m_view;
    const FrameSettings& m_settings;
    FrameState& m_state;
    Tiles m_tiles;
    std::atomic<std::uint64_t> m_paths = 0, m_collisions = 0, m_capped = 0;
};

/// Renders one frame: passes, checkpoints between and within them, and the targets that end it.
class FrameRenderer {
public:
    FrameRenderer(const FrameView& view, const FrameSettings& settings, FrameState& state, const FrameHooks& hooks)
        : m_settings(settings), m_state(state), m_hooks(hooks), m_tracer(view, settings, state)
    {
    }

    bool run()
    {
        m_secondsBefore = m_state.seconds;
        if (!m_settings.hasTarget()) planFixed(m_state.film.sampleCounts().second);
        while (runPass()) {
            if (!(m_settings.hasTarget() ? planPass() : planFixed(2 * m_state.wanted.front()))) {
                m_state.is_complete = true;
                return true;
            }
            if (m_hooks.show) m_hooks.show();
        }
        return false;
    }

private:
    /// False when stopped.
    bool runPass()
    {
        for (;;) {
            const PassEnd end = m_tracer.run([this](double ofPass) { return share(ofPass); }, m_hooks.go_on,
                                             [this] { return isCheckpointDue(); });
            m_state.seconds = m_secondsBefore + m_watch.seconds();
            if (end != PassEnd::Paused && !isCheckpointDue()) return end == PassEnd::Complete;
            m_hooks.checkpoint();
            m_sinceCheckpoint.restart();
            if (end != PassEnd::Paused) return end == PassEnd::Complete;
        }
    }

    /// Where several targets can stop the frame, the nearest one counts. The noise falls with the root of the number of
    /// samples.
    double share(double ofPass) const
    {
        if (m_settings.hasTarget()) return m_share;
        const double before = m_passStart, after = m_state.wanted.front();
        return (before + ofPass * (after - before)) / m_settings.spp;
    }

    /// Plans a pass of a fixed number of samples: to all of them, or, where passes are shown, to so many. False if all
    /// are there.
    bool planFixed(int shown)
    {
        const int before = m_state.film.sampleCounts().first;
        if (before >= m_settings.spp) return false;
        m_passStart = before;
        const int wanted = m_hooks.show ? std::clamp(shown, 2, m_settings.spp) : m_settings.spp;
        std::ranges::fill(m_state.wanted, wanted);
        return true;
    }

    bool isCheckpointDue() const
    {
        return m_hooks.checkpoint_s > 0 && m_sinceCheckpoint.seconds() >= m_hooks.checkpoint_s;
    }

    /// Decides on the next pass. False if a target is met or cannot be met.
    bool planPass()
    {
        double target = m_settings.noise_target;
        if (target > 0) {
            const double raw = m_state.film.noise(), noise = m_hooks.noise ? m_hooks.noise(m_state.film) : raw;
            if (noise < target) return false;
            m_share = std::max(m_share, std::min(1.0, std::pow(target / noise, 2)));
            target *= raw / noise;
        }
        std::vector<std::int32_t> wanted = nextSamples(m_state.film, target, passGrowth, m_settings.max_spp);
        const std::uint64_t paths = wantedPaths(m_state.film.window(), wanted), had = m_state.film.counts.paths;
        const double limit = m_settings.time_limit_s;
        if (limit > 0) {
            const double soFar = m_state.seconds;
            if (soFar / static_cast<double>(had) * static_cast<double>(paths) > limit) return false;
            m_share = std::max(m_share, std::min(1.0, soFar / limit));
        }
        if (paths == had) return false;
        m_state.wanted = std::move(wanted);
        return true;
    }

    const FrameSettings& m_settings;
    FrameState& m_state;
    const FrameHooks& m_hooks;
    PassTracer m_tracer;
    Stopwatch m_watch, m_sinceCheckpoint;
    double m_secondsBefore = 0;
    double m_share = 0;   // of the work, as far as the targets tell
    int m_passStart = 0;  // samples per pixel at the start of a pass of a fixed number
};

}  // namespace

FrameState::FrameState(const FrameSettings& settings)
    : film(windowOf(settings), settings.width, settings.height, settings.layers),
      wanted(2 * static_cast<std::size_t>(Tiles(film.window()).count()),
             settings.hasTarget() ? std::min(firstPass, settings.max_spp) : settings.spp)
{
}

FrameState::FrameState(Film begun)
    : film(std::move(begun)), wanted(2 * static_cast<std::size_t>(Tiles(film.window()).count()))
{
}

int FrameState::spp() const
{
    const PixelWindow& window = film.window();
    const double pixels = static_cast<double>(window.width) * window.height;
    return static_cast<int>(std::lround(static_cast<double>(film.counts.paths) / pixels));
}

double FrameState::capped() const { return static_cast<double>(film.counts.capped) / static_cast<double>(cappedUnit); }

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

bool renderFrame(const FrameView& view, const FrameSettings& settings, FrameState& state, const FrameHooks& hooks)
{
    return FrameRenderer(view, settings, state, hooks).run();
}

}  // namespace firn
