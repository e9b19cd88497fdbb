#include "render/cli/usd_job.h"

#include <algorithm>
#include <iostream>

#include "common/io/checked_file.h"
#include "common/io/frame_range.h"
#include "common/io/own_file.h"
#include "common/scene/hash.h"
#include "render/export/usd_shot.h"
#include "render/export/vdb_volume.h"

namespace firn {
namespace {

namespace fs = std::filesystem;

std::vector<int> framesOf(const UsdJob& job, const Scene& scene, const fs::path& pattern)
{
    std::vector<int> frames;
    if (!job.frames.empty()) {
        frames = parseFrames(job.frames);
    } else if (!job.volumes.empty()) {
        frames = existingFrames(pattern);
    } else {
        for (int frame = scene.start_frame; frame <= scene.end_frame; ++frame) frames.push_back(frame);
    }
    std::ranges::sort(frames);
    if (frames.empty())
        throw Error(ExitCode::File, job.volumes.string() + " has no volumes " + pattern.filename().string() +
                                        ": write them with 'firn-render volume'");
    if (frames.front() < scene.start_frame || frames.back() > scene.end_frame)
        throw Error(ExitCode::Usage, "frames " + formatFrames(frames) + ": the scene has the frames " +
                                         std::to_string(scene.start_frame) + "-" + std::to_string(scene.end_frame));
    return frames;
}

/// Throws Error(File) for a file that is missing, or that firn-render volume did not write from this scene with y up.
void requireVolume(const fs::path& file, const std::string& sceneHash)
{
    if (!fs::exists(file)) throw Error(ExitCode::File, file.string() + ": no such file");
    const VolumeOrigin origin = volumeOriginOf(file);
    if (origin.key.empty())
        throw Error(ExitCode::File, file.string() + " was not written by firn-render volume, or is damaged");
    if (origin.up != "y")
        throw Error(ExitCode::File, file.string() + " was written with --up z; USD layers of Firn need --up y");
    if (origin.scene_hash != sceneHash)
        throw Error(ExitCode::File, file.string() + " is of another scene: give the same --quality and --set");
}

}  // namespace

ExitCode writeUsd(const UsdJob& job)
{
    if (job.out.extension() != ".usda")
        throw Error(ExitCode::Usage, "--out " + clampText(job.out.string()) + ": expected a name that ends in .usda");
    requireReplaceable(job.out, "shot");
    const Scene scene = loadScene(job.shot, job.scene_options).scene;
    const fs::path pattern = job.volumes / (scene.name + ".####.vdb");
    UsdShot shot{framesOf(job, scene, pattern), {}};
    const fs::path folder = fs::absolute(job.out).parent_path();
    if (!job.volumes.empty()) {
        const std::string hash = sceneHash(scene);
        for (const int frame : shot.frames) {
            const fs::path file = framePath(pattern, frame);
            requireVolume(file, hash);
            const std::string relative =
                fs::absolute(file).lexically_normal().lexically_relative(folder.lexically_normal()).string();
            shot.volumes.emplace_back(frame, relative.starts_with("..") ? relative : "./" + relative);
        }
    }
    prepareFolder(folder);
    writeFileChecked(job.out, usdShotText(scene, shot));
    std::cout << job.out.string() << '\n';
    return ExitCode::Done;
}

}  // namespace firn
