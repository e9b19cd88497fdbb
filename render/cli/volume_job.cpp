#include "render/cli/volume_job.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "common/cache/wedge.h"
#include "common/cli/program.h"
#include "common/io/checked_file.h"
#include "common/io/checksum.h"
#include "common/io/command_text.h"
#include "common/io/frame_range.h"
#include "common/io/json.h"
#include "common/io/stop.h"
#include "common/io/stopwatch.h"
#include "common/scene/hash.h"
#include "render/cli/cache_options.h"
#include "render/cli/frame_settings.h"
#include "render/cli/frame_snow.h"
#include "render/cli/path_keys.h"
#include "render/cli/picture_layout.h"
#include "render/export/vdb_volume.h"
#include "render/shot.h"
#include "render/snow_optics.h"

namespace firn {
namespace {

namespace fs = std::filesystem;

/// The scene as it is exported: at the time of the frame.
LoadedScene instantScene(const FramesJob& job)
{
    LoadedScene loaded = sceneOf(job);
    loaded.scene.camera.shutter_deg = 0;
    loaded.scene.render.glints = 0;
    return loaded;
}

/// Half of the density of the lightest snow: where a grid of density has its surface.
double surfaceDensity(const Scene& scene)
{
    const auto densityOf = [](const SnowRegion& region) { return region.material.density_kg_m3; };
    const auto least = std::ranges::min_element(scene.snow, {}, densityOf);
    return 0.5 * (least == scene.snow.end() ? SnowMaterial().density_kg_m3 : densityOf(*least));
}

class VolumeRun {
public:
    VolumeRun(const VolumeJob& job, const LoadedScene& loaded)
        : m_job(job),
          m_scene(loaded.scene),
          m_values(pictureText(loaded)),
          m_hash(sceneHash(m_scene)),
          m_frames(availableFrames(job.frames, m_scene)),
          m_rest(restChecksum(job.frames, m_scene)),
          m_shot(m_scene, firstFrame(job.frames, m_scene)),
          m_optics(snowOptics(m_scene)),
          m_progress(job.frames.progress)
    {
        requireUsableName(m_scene.name);
        requireNoCacheIn(job.frames.out);
        const std::string change = requireSameScene(job.frames, m_frames, m_scene, m_hash);
        for (const int frame : m_frames) requireReplaceable(frame);
        prepareFolder(job.frames.out);
        openLogIn(job.frames.out);
        for (const std::string& text : {change, missingRestText(job.frames, m_scene)})
            if (!text.empty()) m_progress.warning(text);
    }

    ExitCode run()
    {
        m_progress.start(0);
        for (m_done = 0; m_done < m_frames.size(); ++m_done) {
            const int frame = m_frames[m_done];
            if (stopRequested()) return stopped();
            if (m_job.frames.resume && isFinished(frame)) {
                m_progress.skip(share(), share(1), "frame " + std::to_string(frame) + "  is finished, skipped");
            } else {
                write(frame);
            }
        }
        return ExitCode::Done;
    }

private:
    double share(std::size_t more = 0) const
    {
        return static_cast<double>(m_done + more) / static_cast<double>(m_frames.size());
    }

    ExitCode stopped()
    {
        m_progress.message(std::string("stopped by ") + stopSignalName() + " after " + std::to_string(m_done) + " of " +
                           std::to_string(m_frames.size()) + " frames; run again with --resume to continue");
        return ExitCode::Stopped;
    }

    fs::path pathOf(int frame) const { return framePath(m_job.frames.out / (m_scene.name + ".####.vdb"), frame); }

    UpAxis up() const { return m_job.up == "z" ? UpAxis::Z : UpAxis::Y; }

    /// What decides about the bytes of a frame's file.
    std::string keyOf(int frame) const
    {
        const nlohmann::json key = {FIRN_VERSION,     m_values, snowChecksum(m_job.frames, frame, m_rest),
                                    m_job.voxel_m,    m_job.up, m_job.is_float,
                                    m_job.has_surface};
        return checksum(jsonText(key));
    }

    bool isFinished(int frame) const
    {
        const fs::path path = pathOf(frame);
        return fs::exists(path) && volumeOriginOf(path).key == keyOf(frame);
    }

    /// Files of other programs are never replaced. Other volumes of Firn's are, with --force.
    void requireReplaceable(int frame) const
    {
        const fs::path path = pathOf(frame);
        requireReadable(path);
        if (!fs::exists(path)) return;
        const std::string key = volumeOriginOf(path).key;
        if (key.empty())
            throw Error(ExitCode::File, path.string() +
                                            " was not written by firn-render volume, or is damaged: move "
                                            "the file away, or choose another --out");
        if (m_job.frames.force) return;
        if (!m_job.frames.resume)
            throw Error(ExitCode::Usage, path.string() +
                                             " exists: add --resume to keep finished files, or --force to "
                                             "replace them");
        if (key != keyOf(frame))
            throw Error(ExitCode::Usage, path.string() +
                                             " is of other snow, another scene or other options: add "
                                             "--force to replace it, or choose another --out");
    }

    void write(int frame)
    {
        const Stopwatch watch;
        const std::string key = keyOf(frame);
        SnowParticles snow = readSnow(m_job.frames, frame, m_scene, m_hash);
        if (const std::string text = voxelRemark(m_scene, snow.dx_m); !text.empty()) m_progress.warning(text);
        const StopsAtOnce stops("stopped while frame " + std::to_string(frame) +
                                " was prepared; repeat the command with --resume to continue");
        const double dx_m = snow.dx_m > 0 ? snow.dx_m : m_scene.solver.dx;
        const MeanField velocity(snow, snow.mass_kg, snow.velocity_m_s, dx_m);
        const ShotFrame prepared = m_shot.frame(std::move(snow));
        const SnowOptics& optics = m_optics.front();
        DensityGrid density{voxelOf(prepared), {}, {}};
        if (const Volume* const volume = prepared.renderScene().volume)
            density = sampledGrid(*volume, optics.extinction_m2_per_kg, voxelOf(prepared), up());
        VdbVolumeSettings settings{up(), !m_job.is_float, m_job.has_surface ? surfaceDensity(m_scene) : 0};
        const VdbVolumeAbout about{.frame = frame,
                                   .fps = m_scene.fps,
                                   .time_s = m_scene.timeOfFrame(frame),
                                   .scene_hash = m_hash,
                                   .key = key,
                                   .extinction_m2_per_kg = optics.extinction_m2_per_kg,
                                   .albedo = optics.albedo,
                                   .anisotropy = m_scene.render.anisotropy};
        const WrittenFile file = writeFileChecked(pathOf(frame), vdbVolumeBytes(density, velocity, settings, about));
        tell(frame, density, file, watch.seconds());
    }

    double voxelOf(const ShotFrame& frame) const { return m_job.voxel_m > 0 ? m_job.voxel_m : frame.voxel_m(); }

    void tell(int frame, const DensityGrid& density, const WrittenFile& file, double seconds)
    {
        const std::size_t voxels = density.voxelCount();
        char line[160];
        std::snprintf(line, sizeof line, "frame %d  %.2f M voxels of %.4g mm  %.4g kg  %s  %.1f s", frame,
                      1e-6 * static_cast<double>(voxels), 1e3 * density.voxel_m, massOf(density),
                      formatBytes(static_cast<double>(file.bytes)).c_str(), seconds);
        m_progress.frame(share(1), line,
                         jsonText(nlohmann::ordered_json{{"frame", frame},
                                                         {"file", file.path.filename().string()},
                                                         {"bytes", file.bytes},
                                                         {"checksum", file.checksum},
                                                         {"voxels", voxels},
                                                         {"voxel_m", density.voxel_m},
                                                         {"mass_kg", massOf(density)},
                                                         {"seconds", seconds}}));
    }

    const VolumeJob& m_job;
    const Scene& m_scene;
    std::string m_values;  // of the scene, those that decide about pictures
    std::string m_hash;
    std::vector<int> m_frames;
    std::string m_rest;
    Shot m_shot;
    std::vector<SnowOptics> m_optics;
    Progress m_progress;
    std::size_t m_done = 0;
};

}  // namespace

ExitCode exportVolumes(const VolumeJob& job)
{
    requireNoStrayWedge(job.frames.cache);
    const LoadedScene loaded = instantScene(job.frames);
    return runWithThreadsOf(job.frames, loaded.scene, [&] { return VolumeRun(job, loaded).run(); });
}

}  // namespace firn
