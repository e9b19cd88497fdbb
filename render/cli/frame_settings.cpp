#include "render/cli/frame_settings.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "common/body/file_camera.h"
#include "common/cache/layout.h"
#include "common/cache/points_file.h"
#include "common/cache/wedge.h"
#include "common/error.h"
#include "common/image/exr.h"
#include "common/image/png.h"
#include "common/image/view.h"
#include "common/io/frame_range.h"
#include "common/io/json.h"
#include "render/cli/cache_listing.h"
#include "render/cli/frame_snow.h"
#include "render/cli/picture_layout.h"
#include "render/cli/picture_options.h"
#include "render/cli/replaced_pictures.h"
#include "render/light_cache.h"

namespace firn {

namespace {

namespace fs = std::filesystem;

/// Whether the frame has a picture and a preview. Files that are empty or cut do not count, nor does a picture of
/// another frame, of another take, of another simulation or of other snow; a picture without Firn's metadata does.
bool hasPicture(const FramesJob& job, const PictureLayout& layout, int frame, const std::string& rest)
{
    const fs::path exr = layout.exrPath(frame);
    const fs::path png = layout.pngPath(frame);
    if (!fs::exists(exr) || !fs::exists(png) || !isUncutPng(png) || !isUncutExr(exr)) return false;
    const PictureTraits picture = traitsOf(readExrHeader(exr));
    const std::string simulation = sceneHashIn(CacheLayout{job.cache}.framePath(frame));
    return picture.frame.value_or(frame) == frame &&
           (picture.values.empty() || job.take.empty() || picture.take == job.take) &&
           (picture.simulation.empty() || simulation.empty() || picture.simulation == simulation) &&
           (picture.snow.empty() || picture.snow == snowChecksum(job, frame, rest));
}

std::vector<int> allFrames(const Scene& scene)
{
    std::vector<int> frames(static_cast<std::size_t>(scene.end_frame - scene.start_frame + 1));
    std::iota(frames.begin(), frames.end(), scene.start_frame);
    return frames;
}

/// From the first frame of the cache to its last, without those that the scene does not have. Frames that stats.jsonl
/// lists count, although their files may have been lost.
std::vector<int> framesOfBoth(const FramesJob& job, const Scene& scene, const std::vector<int>& cached)
{
    std::vector<int> frames;
    const std::vector<int> listed = CacheListing(job.cache).frames();
    const int first = listed.empty() ? cached.front() : std::min(cached.front(), listed.front());
    const int end = listed.empty() ? cached.back() : std::max(cached.back(), listed.back());
    const int last = std::min(end, scene.end_frame);
    for (int frame = std::max(first, scene.start_frame); frame <= last; ++frame) frames.push_back(frame);
    if (!frames.empty()) return frames;
    throw Error(ExitCode::File, job.cache.string() + " has " + framesText(cached) + ", but the scene has " +
                                    framesText(allFrames(scene)));
}

/// Why a folder has no frame.
std::string noFramesText(const fs::path& cache)
{
    if (!fs::exists(cache)) return "no such folder";
    if (!fs::is_directory(cache)) return "is a file; expected a folder";
    const std::vector<std::string> takes = cacheFolders(cache);
    if (takes.empty()) return "holds no frame snow.####.vdb";
    if (fs::exists(wedgePath(cache)))
        return "holds the caches of a wedge; expected that of one take, such as " + (cache / takes.front()).string();
    return "holds folders of caches, such as " + takes.front() +
           ", but no wedge.json that lists them: repeat firn-sim wedge, which writes it, or give --cache " +
           (cache / takes.front()).string();
}

std::vector<int> wantedFrames(const FramesJob& job, const Scene& scene, const std::vector<int>& cached)
{
    if (job.frames.empty()) return framesOfBoth(job, scene, cached);
    std::vector<int> frames = parseFrames(job.frames);
    for (const int frame : frames) {
        if (frame >= scene.start_frame && frame <= scene.end_frame) continue;
        throw Error(ExitCode::Usage, "--frames " + clampText(job.frames) + ": frame " + std::to_string(frame) +
                                         " lies outside the scene's frames " + std::to_string(scene.start_frame) +
                                         " to " + std::to_string(scene.end_frame));
    }
    return frames;
}

/// Photons of the light cache: those of the scene, or as many per pixel as a quarter of the paths, within limits.
std::uint64_t photonCount(const Render& render, const FrameSettings& settings, const PixelWindow& window)
{
    if (render.cache_photons > 0) return static_cast<std::uint64_t>(render.cache_photons);
    constexpr double least = 16, most = 64;
    const double perPixel =
        settings.hasTarget() ? most : std::clamp(0.25 * render.spp, least, most);  // the number of paths is not known
    return static_cast<std::uint64_t>(perPixel * window.width * window.height);
}

/// Throws Error(File) if a cached frame is not the one that its name says: then others that seem to be missing may be
/// there under another name.
void requireNoRenamed(const CacheLayout& layout, const std::vector<int>& cached)
{
    for (const int frame : cached) {
        const std::filesystem::path path = layout.framePath(frame);
        const int held = frameNumberIn(path).value_or(frame);
        if (held != frame)
            throw Error(ExitCode::File, path.string() + " holds frame " + std::to_string(held) +
                                            ": it was renamed or copied. Give the files their own names again, or move "
                                            "them away; firn-sim info " +
                                            layout.folder.string() + " lists them");
    }
}

}  // namespace

LoadedScene sceneOf(const FramesJob& job)
{
    LoadedScene loaded = loadScene(job.shot, job.scene_options);
    Render& render = loaded.scene.render;
    if (job.spp) render.spp = *job.spp;
    if (!job.resolution.empty()) parseResolution(job.resolution, render.width, render.height);
    if (job.seed) render.seed = *job.seed;
    if (!job.format.empty()) render.half = job.format == "half";
    if (!job.view.empty()) render.view = job.view;
    if (job.exposure) render.exposure = *job.exposure;
    viewByName(render.view);
    playCamera(loaded.scene);
    return loaded;
}

FrameSettings settingsOf(const FramesJob& job, const Scene& scene)
{
    const Render& render = scene.render;
    FrameSettings settings;
    settings.width = render.width;
    settings.height = render.height;
    if (!job.crop.empty()) settings.crop = parseCrop(job.crop);
    settings.spp = render.spp;
    settings.noise_target = job.noise_target;
    settings.time_limit_s = job.time_limit_s;
    settings.filter_radius_px = render.filter_radius_px;
    settings.seed = render.seed;
    settings.layers = {lightGroups(scene.lights), std::ranges::any_of(scene.bodies, [](const BodySpec& body) {
                           return body.visible && body.shadow_catcher;
                       })};
    if (!job.samples.empty() && settings.hasTarget())
        throw Error(ExitCode::Usage,
                    "--samples needs a fixed number of samples per pixel: give --spp, not --noise or --time");
    if (!job.samples.empty()) parseSamples(job.samples, settings.spp, settings.first_sample, settings.spp);
    windowOf(settings);
    return settings;
}

std::uint64_t seedOf(int frame, const Render& render)
{
    constexpr std::uint64_t distance = 1000003;  // prime and large, so that frames do not share seeds by accident
    return render.vary_seed ? render.seed + distance * static_cast<std::uint64_t>(frame) : render.seed;
}

std::vector<int> availableFrames(const FramesJob& job, const Scene& scene)
{
    const std::vector<int> cached = CacheLayout{job.cache}.frames();
    if (cached.empty()) throw Error(ExitCode::File, job.cache.string() + ": " + noFramesText(job.cache));
    std::vector<int> wanted = wantedFrames(job, scene, cached);
    std::vector<int> sorted = wanted, missing;
    std::sort(sorted.begin(), sorted.end());
    std::set_difference(sorted.begin(), sorted.end(), cached.begin(), cached.end(), std::back_inserter(missing));
    if (!missing.empty()) {
        requireNoRenamed(CacheLayout{job.cache}, cached);
        std::vector<int> available;
        std::set_intersection(cached.begin(), cached.end(), sorted.begin(), sorted.end(),
                              std::back_inserter(available));
        if (available.empty()) available = cached;
        const bool lacksRest = needsRestPlaces(scene) && std::ranges::count(missing, scene.start_frame) > 0 &&
                               std::ranges::count(CacheListing(job.cache).frames(), scene.start_frame) > 0;
        throw Error(ExitCode::File,
                    job.cache.string() + ": " + framesText(missing) + (missing.size() == 1 ? " is" : " are") +
                        " missing. Render those that are there with --frames " + formatFrames(available) +
                        (lacksRest ? " --force (without the first frame, they change)" : "") +
                        ", or simulate the others with firn-sim run --resume, those of a take with firn-sim wedge");
    }
    return wanted;
}

std::map<std::string, std::string> optionTexts(const FramesJob& job, const std::string& denoiser)
{
    const auto text = [](const std::string& value) { return value.empty() ? "not given" : value; };
    const auto flag = [](bool isGiven) { return isGiven ? "given" : "not given"; };
    const auto number = [](double value) { return value == 0 ? "not given" : jsonText(nlohmann::json(value)); };
    return {{"--crop", text(job.crop)},
            {"--samples", text(job.samples)},
            {"--noise", number(job.noise_target)},
            {"--time", number(job.time_limit_s)},
            {"--denoiser", denoiser},
            {"--film", flag(job.keep_film)},
            {"--raw-preview", flag(job.raw_preview)}};
}

std::vector<int> writtenFrames(const FramesJob& job, const PictureLayout& layout, const std::vector<int>& frames,
                               const std::string& rest)
{
    std::vector<int> written;
    std::ranges::copy_if(frames, std::back_inserter(written),
                         [&](int frame) { return !job.skip_existing || !hasPicture(job, layout, frame, rest); });
    return written;
}

std::string missingFramesText(const FramesJob& job, const Scene& scene, const std::vector<int>& available)
{
    if (!job.frames.empty() || (available.front() <= scene.start_frame && available.back() >= scene.end_frame))
        return "";
    return "the cache has " + framesText(available) + " of " + formatFrames(allFrames(scene));
}

PixelWindow cacheWindow(const FramesJob& job, const FrameSettings& settings)
{
    return job.keep_film ? PixelWindow{0, 0, settings.width, settings.height} : windowOf(settings);
}

LightCacheSettings lightCacheSettings(const Render& render, const FrameSettings& settings, const PixelWindow& window)
{
    return {render.cache_cell_m, static_cast<float>(render.cache_depth), photonCount(render, settings, window),
            settings.seed};
}

}  // namespace firn
