#include "render/cli/frame_snow.h"

#include <algorithm>

#include "common/cache/layout.h"
#include "common/cache/points_file.h"
#include "common/error.h"
#include "common/io/checked_file.h"
#include "common/io/checksum.h"
#include "common/io/command_text.h"
#include "common/io/frame_range.h"
#include "common/scene/hash.h"
#include "common/scene/identity.h"
#include "render/cli/cache_listing.h"

namespace firn {

namespace {

namespace fs = std::filesystem;

/// How the scene of the shot differs from the one with the hash `found`, of which a frame of the cache is.
std::string sceneChange(const FramesJob& job, const fs::path& path, const std::string& found, const Scene& scene)
{
    std::string text = path.string() + ": was simulated from a scene that differs from " + job.shot.string();
    const SceneIdentity wanted = identityOf(scene);
    SceneIdentity cached = cachedIdentity({job.cache}, found).value_or(wanted);
    cached.program = wanted.program;  // any version's frames can be rendered
    text += listed(differences(cached, wanted, scene));
    if (cached.hash != wanted.hash) return text;
    return text + ": the hash of its scene is " + clampText(found, 32) + ", expected " + wanted.hash;
}

/// Those of `frames` that are of the scene with the hash `hash`. A run with --resume --force goes on with a changed
/// scene, and then the cache has frames of both.
std::vector<int> framesOfScene(const FramesJob& job, std::vector<int> frames, const std::string& hash)
{
    const CacheLayout layout{job.cache};
    std::erase_if(frames, [&](int frame) { return sceneHashIn(layout.framePath(frame)) != hash; });
    std::ranges::sort(frames);
    return frames;
}

/// Of a file that the cache's own run did not write: it is of another scene than the frames beside it.
[[noreturn]] void refuseReplaced(const FramesJob& job, const fs::path& path, const std::string& found,
                                 const Scene& scene)
{
    throw Error(ExitCode::File, sceneChange(job, path, found, scene) +
                                    ", and stats.jsonl lists another file for this frame: it was copied from another "
                                    "cache. 'firn-sim info " +
                                    job.cache.string() + "' tells how to restore it; --force renders it as it is");
}

/// `wanted`: the frames that are rendered.
[[noreturn]] void refuseScene(const FramesJob& job, const fs::path& path, const std::string& found, const Scene& scene,
                              const std::vector<int>& wanted)
{
    const std::vector<int> fitting = framesOfScene(job, wanted, sceneHash(scene));
    throw Error(
        ExitCode::Usage,
        sceneChange(job, path, found, scene) +
            (fitting.empty() ? "\nGive the same --quality, --set and files as for firn-sim; --force renders anyway"
                             : "\nOther frames are of this scene: --frames " + formatFrames(fitting) +
                                   " renders those, --force renders all. 'firn-sim info " + shellPath(job.cache) +
                                   "' tells where the frames are from"));
}

/// Frames up to `frame` in which snow left the simulation.
std::vector<int> frozenUntil(const CacheLayout& layout, int frame)
{
    std::vector<int> frames = layout.frozenFrames();
    std::erase_if(frames, [&](int frozen) { return frozen > frame; });
    return frames;
}

/// Whether the cache has the first frame of the scene.
bool hasRestPlaces(const FramesJob& job, const Scene& scene)
{
    return fs::exists(CacheLayout{job.cache}.framePath(scene.start_frame));
}

/// Of the cache's first frame; "" if the picture does not depend on it or the cache was simulated without it.
std::string firstFrameChecksum(const FramesJob& job, const Scene& scene)
{
    if (!needsRestPlaces(scene)) return "";
    const bool isUsed = hasRestPlaces(job, scene);
    if (!isUsed && !job.force && std::ranges::binary_search(CacheListing(job.cache).frames(), scene.start_frame))
        throw Error(ExitCode::File,
                    CacheLayout{job.cache}.framePath(scene.start_frame).string() +
                        " is missing. It tells where the snow lay at rest, so all pictures would change. Restore it "
                        "with firn-sim run --resume, or add --force to render without it");
    return isUsed ? checksum(readFile(CacheLayout{job.cache}.framePath(scene.start_frame))) : "";
}

}  // namespace

bool needsRestPlaces(const Scene& scene) { return scene.render.detail != "off" || scene.render.glints > 0; }

std::string unreadableText(const FramesJob& job, int frame)
{
    const fs::path path = CacheLayout{job.cache}.framePath(frame);
    try {
        requireReadable(path);
    } catch (const Error& error) {
        return error.what();
    }
    return fs::exists(path) ? "" : path.string() + " has been removed";
}

std::vector<int> readableFrames(const FramesJob& job, std::vector<int> frames)
{
    std::erase_if(frames, [&](int frame) { return !unreadableText(job, frame).empty(); });
    return frames;
}

std::string requireSameScene(const FramesJob& job, const std::vector<int>& frames, const Scene& scene,
                             const std::string& hash)
{
    const CacheListing listing(job.cache);
    for (const int frame : frames) {
        const fs::path path = CacheLayout{job.cache}.framePath(frame);
        const std::string found = sceneHashIn(path);
        if (found.empty() || found == hash) continue;  // the reader tells of damage
        if (job.force) return sceneChange(job, path, found, scene);
        if (listing.isReplaced(frame)) continue;  // readSnow() tells
        refuseScene(job, path, found, scene, frames);
    }
    return "";
}

std::string snowChecksum(const FramesJob& job, int frame, const std::string& rest)
{
    const CacheLayout layout{job.cache};
    std::string sum = checksum(readFile(layout.framePath(frame)));
    for (const int frozen : frozenUntil(layout, frame))
        sum = checksum(sum + checksum(readFile(layout.frozenPath(frozen))));
    return checksum(sum + rest);
}

SnowParticles readSnow(const FramesJob& job, int frame, const Scene& scene, const std::string& hash)
{
    const CacheLayout layout{job.cache};
    const auto read = [&](const fs::path& path, int number) {
        ParticleFrame particles = readPointsFile(path);
        requireFrameNumber(path, number);
        if (particles.scene_hash == hash || job.force) return particles;
        if (CacheListing(job.cache).isReplaced(number)) refuseReplaced(job, path, particles.scene_hash, scene);
        refuseScene(job, path, particles.scene_hash, scene, {});
    };
    ParticleFrame particles = read(layout.framePath(frame), frame);
    const std::size_t wanted = particles.frozen;
    std::size_t found = 0;
    SnowParticles snow = snowParticles(std::move(particles));
    for (const int number : frozenUntil(layout, frame)) {
        const fs::path path = layout.frozenPath(number);
        if (const std::string of = sceneHashIn(path); !job.force && !of.empty() && of != hash)
            throw Error(ExitCode::File, path.string() + ": is of another scene than the frame; 'firn-sim info " +
                                            shellPath(job.cache) + "' says what is wrong");
        const SnowParticles frozen = snowParticles(read(path, number));
        found += frozen.size();
        snow.append(frozen);
    }
    if (found != wanted)
        throw Error(ExitCode::File, layout.framePath(frame).string() + ": " + std::to_string(wanted) +
                                        " particles left the simulation until this frame, and the files " +
                                        layout.frozenPattern().filename().string() + " have " + std::to_string(found) +
                                        "; 'firn-sim info " + shellPath(job.cache) + "' says what is wrong");
    return snow;
}

std::optional<SnowParticles> firstFrame(const FramesJob& job, const Scene& scene)
{
    if (!needsRestPlaces(scene) || !hasRestPlaces(job, scene)) return std::nullopt;
    const fs::path path = CacheLayout{job.cache}.framePath(scene.start_frame);
    try {
        requireFrameNumber(path, scene.start_frame);
        // In a cache that was continued with a changed scene, it is of the earlier scene and has the same particles.
        const std::string found = sceneHashIn(path);
        if (!job.force && found != sceneHash(scene) && CacheListing(job.cache).isReplaced(scene.start_frame))
            refuseReplaced(job, path, found, scene);
        return snowParticles(readPointsFile(path));
    } catch (const Error& error) {
        throw Error(error.code(),
                    std::string(error.what()) +
                        ". This frame tells where the snow lay at rest, so all pictures would change "
                        "without it; to render without it, move it away and add --force and --frames with the "
                        "other frames");
    }
}

std::string restChecksum(const FramesJob& job, const Scene& scene)
{
    const std::string rest = firstFrameChecksum(job, scene);
    const auto scenery = sceneryKeys(scene);
    return scenery.empty() ? rest : checksum(rest + hashOf(scenery));
}

std::string missingRestText(const FramesJob& job, const Scene& scene)
{
    if (!needsRestPlaces(scene) || hasRestPlaces(job, scene)) return "";
    return "the cache lacks frame " + std::to_string(scene.start_frame) +
           ", which tells where the snow lay at rest: detail and glints do not move with the snow";
}

}  // namespace firn
