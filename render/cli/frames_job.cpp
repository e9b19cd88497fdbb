#include "render/cli/frames_job.h"

#include <algorithm>
#include <iostream>

#include "common/cache/layout.h"
#include "common/cache/points_file.h"
#include "common/cache/wedge.h"
#include "common/cli/program.h"
#include "common/error.h"
#include "common/io/checked_file.h"
#include "common/scene/hash.h"
#include "render/cli/cache_options.h"
#include "render/cli/frame_places.h"
#include "render/cli/frame_settings.h"
#include "render/cli/frame_snow.h"
#include "render/cli/frame_takes.h"
#include "render/cli/frames_run.h"
#include "render/cli/path_keys.h"
#include "render/cli/picture_layout.h"
#include "render/cli/replaced_pictures.h"
#include "render/cli/sequences.h"

namespace firn {

namespace {

namespace fs = std::filesystem;

ExitCode renderTake(const FramesJob& job)
{
    const LoadedScene loaded = sceneOf(job);
    return runWithThreadsOf(job, loaded.scene, [&] { return renderCache(job, loaded); });
}

bool isSimulated(const FramesJob& take) { return !CacheLayout{take.cache}.frames().empty(); }

/// Throws what is wrong with the scene of a take, with its cache or with files in the place of its pictures, so that no
/// error is found only after other takes have rendered for hours. Takes that are not simulated yet are passed over.
void checkTake(const FramesJob& job)
{
    const LoadedScene loaded = sceneOf(job);
    const Scene& scene = loaded.scene;
    if (!isSimulated(job)) return;
    const PictureLayout layout{job.out, scene.name};
    const std::vector<int> available = availableFrames(job, scene);
    const std::string hash = sceneHash(scene);
    requireSameScene(job, available, scene, hash);
    const std::vector<int> frames =
        writtenFrames(job, layout, readableFrames(job, available), restChecksum(job, scene));
    requireOwnPictures(layout, frames);
    const FrameSettings settings = settingsOf(job, scene);
    PictureTraits picture = plannedTraits(scene, pictureText(loaded), settings);
    picture.spp = plannedPaths(settings);
    ReplacedPictures replaced(&scene, job.force);
    for (const int frame : frames) {
        picture.simulation = sceneHashIn(CacheLayout{job.cache}.framePath(frame));
        if (!job.force && !picture.simulation.empty() && picture.simulation != hash) continue;  // readSnow() refuses it
        replaced.add(layout.exrPath(frame), picture);
    }
}

std::string settingsText(const Take& take)
{
    std::string text;
    for (const std::string& setting : take.set) text += (text.empty() ? "" : " ") + clampText(setting, 60);
    return text.empty() ? "none" : text;
}

/// Throws Error(Usage) if the scene now has other settings for a take than wedge.json, of which it was simulated.
void requireSameTakes(const FramesJob& job, const Wedge& wedge)
{
    const std::vector<Take> ofScene = loadScene(job.shot, job.scene_options).takes;
    for (const Take& take : wedge.takes) {
        const auto same = [&](const Take& other) { return other.name == take.name; };
        const auto now = std::ranges::find_if(ofScene, same);
        if (now == ofScene.end() || now->set == take.set) continue;
        const std::string text = "take '" + take.name + "' has other settings in " + job.shot.string() + " (" +
                                 settingsText(*now) + ") than in " + wedgePath(job.cache).string() + " (" +
                                 settingsText(take) + ")";
        if (!job.force)
            throw Error(ExitCode::Usage,
                        text +
                            ". Undo the change, simulate the takes in another folder with 'firn-sim wedge', or add "
                            "--force to render it as wedge.json has it");
        warn("warning: " + text + " and is rendered as wedge.json has it");
    }
}

void checkTakes(const FramesJob& job, const Wedge& wedge)
{
    for (const Take& take : wedge.takes) {
        try {
            checkTake(namedJobOf(job, wedge, take));
        } catch (const Error& error) {
            throw Error(error.code(), "take '" + take.name + "': " + error.what());
        }
    }
}

std::string quotedNames(const std::vector<std::string>& takes)
{
    std::string text = takes.size() == 1 ? "take " : "takes ";
    for (const std::string& take : takes) text += (&take == takes.data() ? "'" : ", '") + take + "'";
    return text;
}

[[noreturn]] void refuseMissing(const FramesJob& job, const std::vector<std::string>& missing)
{
    throw Error(ExitCode::File, job.cache.string() + ": no frames of " + quotedNames(missing) +
                                    ": simulate them with 'firn-sim wedge', then render again with --resume");
}

/// Tells it before the other takes render for hours. Throws Error(File) if no take has frames.
void warnOfMissingTakes(const FramesJob& job, const Wedge& wedge)
{
    std::vector<std::string> missing;
    for (const Take& take : wedge.takes) {
        if (!isSimulated(jobOf(job, wedge, take))) missing.push_back(take.name);
    }
    if (missing.size() == wedge.takes.size()) refuseMissing(job, missing);
    if (!missing.empty()) warn("warning: no frames yet of " + quotedNames(missing));
}

/// Renders take after take, also those that are simulated in the meantime. Throws Error(File) at the end if takes had
/// no frames when their turn came, or files that could not be read.
ExitCode renderTakes(const FramesJob& job, const Wedge& wedge)
{
    std::vector<std::string> missing, failed;
    for (std::size_t i = 0; i < wedge.takes.size(); ++i) {
        const Take& take = wedge.takes[i];
        const FramesJob ofTake = namedJobOf(job, wedge, take);
        if (!isSimulated(ofTake)) {
            missing.push_back(take.name);
            continue;
        }
        std::cerr << "take " << i + 1 << "/" << wedge.takes.size() << ": " << take.name << std::endl;
        try {
            const ExitCode code = renderTake(ofTake);
            if (code != ExitCode::Done) return code;
        } catch (const UnreadableFrames& error) {
            warn("warning: " + std::string(error.what()));
            failed.push_back(take.name);
        }
    }
    if (!failed.empty())
        throw Error(ExitCode::File, job.cache.string() + ": frames of " + quotedNames(failed) +
                                        " could not be read and were not rendered");
    if (!missing.empty()) refuseMissing(job, missing);
    return ExitCode::Done;
}

/// Throws Error(Usage) if `out` is another folder than `cache` and holds a cache or the caches of a wedge.
void requireNoSimulation(const fs::path& out, const fs::path& cache)
{
    std::error_code error;
    if (!fs::is_directory(out) || fs::equivalent(out, cache, error)) return;
    if (CacheLayout{out}.isUsed()) refuseMixedFolder(out, "a cache");
    const auto wedge = readWedge(out);
    if (!wedge) return;
    for (const Take& take : wedge->takes) {
        if (CacheLayout{out / take.name}.isUsed())
            throw Error(ExitCode::Usage, out.string() + " holds the caches of another wedge: choose another --out");
    }
}

void requireNoPictures(const fs::path& out)
{
    if (!fs::is_directory(out)) return;
    if (sequences(out).empty() && !fs::exists(PictureLayout{out, ""}.statsPath())) return;
    refuseMixedFolder(out, "pictures of one cache");
}

ExitCode renderCaches(const FramesJob& given)
{
    FramesJob job = given;
    if (job.resume && job.skip_existing)
        throw Error(
            ExitCode::Usage,
            "--resume and --skip-existing cannot be given together: --resume skips finished frames after it has "
            "verified them, --skip-existing does not verify them");
    if (!job.samples.empty()) job.keep_film = true;  // a part is of no use without its film
    requireNoStrayWedge(job.cache);
    const auto wedge = readWedge(job.cache);
    if (!wedge) {
        availableFrames(job, sceneOf(job).scene);  // the cache may be a wedge without its list
        if (fs::exists(wedgePath(job.out))) refuseMixedFolder(job.out, "a wedge");
        job.take = takeOfCache(job);
        return renderTake(job);
    }
    requireNoSimulation(job.out, job.cache);
    requireNoPictures(job.out);
    requireSameTakes(job, *wedge);
    checkTakes(job, *wedge);
    warnOfMissingTakes(job, *wedge);
    claimWedgeFolder(job.out, *wedge, job.force,
                     "With --force, wedge.json lists only the takes of " + job.cache.string() +
                         ", whose pictures are rendered again; the folders of other takes stay, but belong to no wedge",
                     [&] { requireNoPictures(job.out); });
    return renderTakes(job, *wedge);
}

}  // namespace

ExitCode renderFrames(const FramesJob& job)
{
    try {
        return renderCaches(job);
    } catch (const DiskFull& error) {
        throw Error(error.code(),
                    error.what() + std::string(". Free disk space, then repeat the command with --resume: "
                                               "it keeps the finished pictures"));
    }
}

}  // namespace firn
