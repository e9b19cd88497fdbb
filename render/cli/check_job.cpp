#include "render/cli/check_job.h"

#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "common/cli/program.h"
#include "common/io/json.h"
#include "common/io/stop.h"
#include "common/io/stopwatch.h"
#include "common/io/threads.h"
#include "common/scene/hash.h"
#include "render/cli/frame_settings.h"
#include "render/cli/frame_snow.h"
#include "render/frame_check.h"
#include "render/shot.h"

namespace firn {

namespace {

using nlohmann::json;

/// "12 s", "5 min", "3.2 h".
std::string durationText(double seconds)
{
    char text[32];
    if (seconds < 120) {
        std::snprintf(text, sizeof text, "%.*f s", seconds < 10 ? 1 : 0, seconds);
    } else if (seconds < 7200) {
        std::snprintf(text, sizeof text, "%.0f min", seconds / 60);
    } else {
        std::snprintf(text, sizeof text, "%.1f h", seconds / 3600);
    }
    return text;
}

constexpr double allowedErrors = 4;  // of the self-test, in standard errors; those of scatterings are skewed

json measuredJson(const Measured& value) { return {{"mean", value.mean}, {"error", value.error}}; }

/// Forecasts of one transport.
json transportJson(const PathCost& cost, double preparation, double paths, double pixels, double noiseTarget)
{
    const double wanted = cost.pathsTo(noiseTarget);
    return {{"seconds_per_path", cost.seconds},
            {"scatterings_per_path", cost.scatterings},
            {"noise", cost.noiseOf(paths)},
            {"seconds", preparation + cost.seconds * paths * pixels},
            {"noise_target", noiseTarget},
            {"paths_to_target", wanted},
            {"seconds_to_target", preparation + cost.seconds * wanted * pixels}};
}

void printTransport(const char* name, const json& t, int spp)
{
    std::printf("%s: %.1f scatterings and %.1f us a path\n", name, t["scatterings_per_path"].get<double>(),
                1e6 * t["seconds_per_path"].get<double>());
    std::printf("  %d paths per pixel: %s, noise %.1f %% before denoising\n", spp, durationText(t["seconds"]).c_str(),
                100 * t["noise"].get<double>());
    std::printf("  noise of %g %% before denoising: %.0f paths per pixel, %s\n", 100 * t["noise_target"].get<double>(),
                t["paths_to_target"].get<double>(), durationText(t["seconds_to_target"]).c_str());
}

double finestVoxel_m(const ShotFrame& frame)
{
    return frame.detail().finest_voxel_m > 0 ? frame.detail().finest_voxel_m : frame.voxel_m();
}

/// Measures one frame.
class FrameCheck {
public:
    FrameCheck(const CheckJob& job, const LoadedScene& loaded)
        : m_job(job),
          m_scene(loaded.scene),
          m_settings(settingsOf(job.frames, m_scene)),
          m_window(windowOf(m_settings)),
          m_frame(availableFrames(job.frames, m_scene).front()),
          m_shot(m_scene, firstFrame(job.frames, m_scene))
    {
    }

    /// Everything as JSON.
    json run()
    {
        const Stopwatch watch;
        SnowParticles snow = readSnow(m_job.frames, m_frame, m_scene, sceneHash(m_scene));
        if (const std::string text = voxelRemark(m_scene, snow.dx_m); !text.empty()) warn("warning: " + text);
        if (const std::string text = m_shot.sliceRemark(snow); !text.empty()) warn("warning: " + text);
        const int slices = m_shot.sliceCount(snow);
        const ShotFrame frame = m_shot.frame(std::move(snow));
        const double preparation = slices * watch.seconds();  // one was made
        if (const std::string text = m_shot.lightRemark(frame); !text.empty()) warn("warning: " + text);
        const RenderScene& scene = frame.renderScene();
        const PlacedCamera camera = frame.camera(m_settings.width, m_settings.height);
        json result = {{"frame", m_frame},
                       {"width", m_window.width},
                       {"height", m_window.height},
                       {"spp", m_settings.spp},
                       {"slices", slices},
                       {"voxels", frame.voxelCount()},
                       {"voxel_m", finestVoxel_m(frame)},
                       {"voxel_pixels", frame.detail().voxel_pixels},
                       {"detail_bytes", static_cast<std::size_t>(slices) * frame.detail().bytes},
                       {"detail_is_limited", frame.detail().is_limited},
                       {"seconds_preparing", preparation},
                       {"film_bytes", filmBytes()}};
        if (scene.volume == nullptr) return result;
        const OpticalDepths depths = measureOpticalDepths(scene, camera, m_window);
        result["rays_that_meet_snow"] = depths.share_of_rays;
        result["optical_depth"] = {
            {"median", depths.median}, {"ninth_decile", depths.ninth_decile}, {"greatest", depths.greatest}};
        result["majorant_ratio"] = majorantRatio(*scene.volume);
        const PathCost paths = measurePaths(scene, camera, m_window, m_settings.filter_radius_px);
        result["paths"] = transportJson(paths, preparation, m_settings.spp, pixels(), noiseTarget());
        if (m_job.light_cache && slices > 1) warn("warning: with motion blur, no light cache is made");
        if (wantsCache() && slices == 1 && LightCache::isPossible(scene)) addCached(result, scene, camera, preparation);
        if (m_job.selftest) addSelfTest(result, scene, camera);
        return result;
    }

private:
    double pixels() const { return static_cast<double>(m_window.width) * m_window.height; }
    double filmBytes() const
    {
        const FilmLayers& layers = m_settings.layers;
        const std::size_t bytes = Film::bytesPerPixel() + layers.light_groups.size() * Film::bytesPerGroup() +
                                  (layers.has_shadows ? Film::bytesPerShadow() : 0);
        return pixels() * static_cast<double>(bytes);
    }
    bool wantsCache() const { return m_job.light_cache || m_scene.render.transport == "cached"; }
    double noiseTarget() const
    {
        constexpr double usual = 0.02;
        return m_settings.noise_target > 0 ? m_settings.noise_target : usual;
    }

    /// Two caches with different seeds, of which the first is timed.
    void addCached(json& result, const RenderScene& scene, const PlacedCamera& camera, double preparation) const
    {
        LightCacheSettings settings = lightCacheSettings(m_scene.render, m_settings, m_window);
        std::vector<std::unique_ptr<const LightCache>> caches;
        const Stopwatch watch;
        double filling = 0;
        for (int fill = 0; fill < 2; ++fill) {
            settings.seed = m_settings.seed + static_cast<std::uint64_t>(fill);
            caches.push_back(
                std::make_unique<const LightCache>(scene, camera, m_window, settings, [](double) { return true; }));
            if (fill == 0) filling = watch.seconds();
        }
        RenderScene cached = scene;
        cached.light_cache = caches.front().get();
        const PathCost cost = measurePaths(cached, camera, m_window, m_settings.filter_radius_px);
        json& entry = result["cached"] =
            transportJson(cost, preparation + filling, m_settings.spp, pixels(), noiseTarget());
        entry["seconds_filling"] = filling;
        entry["photons"] = settings.photons;
        const CacheBias bias = measureCacheBias(scene, camera, m_window, {caches.front().get(), caches.back().get()});
        entry["squares"] = bias.squares;
        const auto add = [&](const char* name, const std::optional<Measured>& value) {
            entry["bias"][name] = value ? measuredJson(*value) : json();
        };
        add("all", bias.all);
        add("sun", bias.sun);
        add("shadow", bias.shadow);
        add("near_bodies", bias.near_bodies);
    }

    void addSelfTest(json& result, const RenderScene& scene, const PlacedCamera& camera) const
    {
        const auto test = [&](const char* name, const Measured& found, double expected) {
            const bool passed = std::abs(found.mean - expected) <= allowedErrors * found.error + 1e-4 * expected;
            result["selftest"][name] = {
                {"found", found.mean}, {"error", found.error}, {"expected", expected}, {"passed", passed}};
        };
        test("furnace", furnace(scene, camera, m_window), 1);
        double expected = 0;
        const Measured scatterings = scatteringsInBox(scene, expected);
        test("scatterings", scatterings, expected);
    }

    const CheckJob& m_job;
    const Scene& m_scene;
    FrameSettings m_settings;
    PixelWindow m_window;
    int m_frame;
    Shot m_shot;
};

void printBias(const json& cached)
{
    const auto percent = [&](const char* key) {
        const json& value = cached["bias"][key];
        char text[48];
        std::snprintf(text, sizeof text, "%+.2f +- %.2f %%", 100 * value["mean"].get<double>(),
                      100 * value["error"].get<double>());
        return std::string(text);
    };
    if (cached["bias"]["all"].is_null()) {
        std::printf("too little of the picture shows snow to tell how the light cache changes brightness\n");
        return;
    }
    std::printf("the light cache changes brightness by %s (%d squares of 16 x 16 pixels)", percent("all").c_str(),
                cached["squares"].get<int>());
    const char* separator = "; ";
    for (const auto& [key, name] :
         {std::pair("sun", "in the sun"), std::pair("shadow", "in shadow"), std::pair("near_bodies", "near bodies")}) {
        if (cached["bias"][key].is_null()) continue;
        std::printf("%s%s by %s", separator, name, percent(key).c_str());
        separator = ", ";
    }
    std::printf("\n");
}

void print(const json& r)
{
    std::printf("frame %d: %d x %d pixels, %d paths per pixel; sums of samples take %.0f MB\n", r["frame"].get<int>(),
                r["width"].get<int>(), r["height"].get<int>(), r["spp"].get<int>(),
                1e-6 * r["film_bytes"].get<double>());
    if (!r.contains("paths")) {
        std::printf("the frame has no snow\n");
        return;
    }
    std::printf("snow: %.2f million voxels, the smallest of %.2f mm, made in %s\n", 1e-6 * r["voxels"].get<double>(),
                1e3 * r["voxel_m"].get<double>(), durationText(r["seconds_preparing"]).c_str());
    if (r["slices"] > 1)
        std::printf("  in each of %d slices of the time in which the shutter is open; the time is that of all\n",
                    r["slices"].get<int>());
    if (r["voxel_pixels"].get<double>() > 0)
        std::printf("  with detail: where the camera sees its surface, voxels are %.2g %s wide; they take %.0f MB%s\n",
                    r["voxel_pixels"].get<double>(), r["voxel_pixels"] == 1 ? "pixel" : "pixels",
                    1e-6 * r["detail_bytes"].get<double>(),
                    r["detail_is_limited"].get<bool>() ? ", the bound that render.detail_memory_MB sets" : "");
    std::printf(
        "%.0f %% of the camera rays meet snow; their optical depth: median %.0f, 90 %% below %.0f, greatest %.0f\n",
        100 * r["rays_that_meet_snow"].get<double>(), r["optical_depth"]["median"].get<double>(),
        r["optical_depth"]["ninth_decile"].get<double>(), r["optical_depth"]["greatest"].get<double>());
    std::printf("tracking steps per real collision: %.2f (1 is ideal)\n", r["majorant_ratio"].get<double>());
    printTransport("paths", r["paths"], r["spp"]);
    if (r.contains("cached")) {
        printTransport("cached", r["cached"], r["spp"]);
        std::printf("  of which the light cache takes %s for %.0f thousand photons\n",
                    durationText(r["cached"]["seconds_filling"]).c_str(), 1e-3 * r["cached"]["photons"].get<double>());
        printBias(r["cached"]);
    }
    std::printf(
        "firn-render frames --noise sets the noise of the denoised picture, which needs fewer paths (with --denoiser "
        "off: of the noisy picture)\n");
    if (!r.contains("selftest")) return;
    for (const auto& [name, test] : r["selftest"].items()) {
        std::printf("self-test %s: %.5g +- %.2g, expected %.5g: %s (limit: %g standard errors and 0.01 %%)\n",
                    name.c_str(), test["found"].get<double>(), test["error"].get<double>(),
                    test["expected"].get<double>(), test["passed"].get<bool>() ? "passed" : "FAILED", allowedErrors);
    }
}

bool hasPassed(const json& result)
{
    if (!result.contains("selftest")) return true;
    const json& tests = result["selftest"];
    return std::all_of(tests.begin(), tests.end(), [](const json& test) { return test["passed"].get<bool>(); });
}

}  // namespace

ExitCode checkFrame(const CheckJob& job)
{
    stopAtOnce();
    const LoadedScene loaded = sceneOf(job.frames);
    const ThreadCount threads =
        chooseThreads(job.frames.threads > 0 ? job.frames.threads : loaded.scene.solver.threads);
    json result;
    runWithThreads(threads.count, [&] { result = FrameCheck(job, loaded).run(); });
    result["threads"] = threads.count;
    if (job.json) {
        std::printf("%s\n", jsonText(result, 1).c_str());
    } else {
        print(result);
    }
    return hasPassed(result) ? ExitCode::Done : ExitCode::Failed;
}

}  // namespace firn
