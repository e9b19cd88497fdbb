#include "render/cli/frames_run.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "common/cache/layout.h"
#include "common/cli/program.h"
#include "common/io/frame_range.h"
#include "common/io/own_file.h"
#include "common/io/stop.h"
#include "common/io/stopwatch.h"
#include "common/scene/hash.h"
#include "render/cli/append_line.h"
#include "render/cli/cache_listing.h"
#include "render/cli/frame_headers.h"
#include "render/cli/frame_light_caches.h"
#include "render/cli/frame_places.h"
#include "render/cli/frame_record.h"
#include "render/cli/frame_settings.h"
#include "render/cli/frame_snow.h"
#include "render/cli/path_keys.h"
#include "render/cli/picture_output.h"
#include "render/cli/replaced_pictures.h"
#include "render/shot.h"

namespace firn {

namespace {

namespace fs = std::filesystem;

/// Renders the frames of one cache.
class FramesRun {
public:
    FramesRun(const FramesJob& job, const LoadedScene& loaded)
        : m_job(job),
          m_scene(loaded.scene),
          m_sceneText(pictureText(loaded)),
          m_layout{job.out, m_scene.name},
          m_settings(settingsOf(job, m_scene)),
          m_hash(sceneHash(m_scene)),
          m_frames(availableFrames(job, m_scene)),
          m_rest(restChecksum(job, m_scene)),
          m_shot(m_scene, firstFrame(m_job, m_scene)),
          m_denoiser(denoiserByName(job.samples.empty() ? job.denoiser : "off"), job.denoiser_weights),
          m_headers({job, m_scene, m_sceneText, m_hash, m_rest, m_denoiser}),
          m_places(job, m_scene, m_layout, pictureOfAllFrames(),
                   [this](int frame) { return m_headers.planned(frame); }),
          m_progress(job.progress),
          m_lightCaches({job, m_scene, m_sceneText, m_hash, m_settings}, m_progress),
          m_listing(job.cache)
    {
        requireUsableName(m_scene.name);
        m_written = written(readableFrames(job, m_frames));
        std::erase_if(m_written, [this](int frame) { return keepsPicture(frame); });
        const std::string change = requireSameScene(job, m_frames, m_scene, m_hash);
        prepareFolder(job.out);
        requireAppendable(m_layout.statsPath());
        if (job.preview) firn::requireReplaceable(m_layout.livePath(), "preview");
        const std::string replaced = m_places.requireReplaceable(m_written, plannedPaths(m_settings));
        m_places.requireContinuedFilms(m_written);
        m_places.remember(m_written);
        m_lightCaches.prepare();
        openLogIn(job.out);
        m_isReplacing = !replaced.empty();
        for (const std::string& text : {change, replaced, m_denoiser.remark(), m_places.lostFilmsText(m_written),
                                        m_places.unlistedText(m_written), m_places.damagedText(m_written),
                                        replaced.empty() ? m_places.otherOptionsText(m_written) : ""}) {
            if (!text.empty()) m_progress.warning(text);
        }
    }

    ExitCode run()
    {
        if (const std::string text = missingFramesText(m_job, m_scene, m_frames); !text.empty())
            m_progress.warning(text);
        if (const std::string text = m_listing.unlistedText(m_written); !text.empty()) m_progress.warning(text);
        if (!m_listing.isKnown())
            m_progress.warning(m_job.cache.string() +
                               " has no stats.jsonl that can be read, so it is not known whether "
                               "its frames are complete and unchanged");
        if (const std::string text = missingRestText(m_job, m_scene); !text.empty()) m_progress.warning(text);
        const bool isForPeople = m_job.progress == ProgressMode::Auto || m_job.progress == ProgressMode::Plain;
        if (!m_denoiser.isOff() && isForPeople) m_progress.message("denoiser: " + m_denoiser.description());
        m_progress.start(0);
        for (m_done = 0; m_done < m_frames.size(); ++m_done) {
            const int frame = m_frames[m_done];
            if (const std::string why = unreadableText(m_job, frame); !why.empty()) {
                fail(frame, why);
            } else if (written({frame}).empty()) {
                warnOfReplacedSnow(frame);
                warnOfForeignPicture(frame);
                m_progress.skip(share(0), share(1), "frame " + std::to_string(frame) + "  exists, skipped");
            } else if (m_job.resume && m_places.isFinished(frame)) {
                warnOfReplacedSnow(frame);
                m_places.placeKeptFilm(frame);
                m_progress.skip(share(0), share(1), "frame " + std::to_string(frame) + "  is finished, skipped");
            } else if (stopRequested() || !render(frame)) {
                return stopped();
            }
        }
        requireNoFailure();
        return ExitCode::Done;
    }

private:
    /// Without those that --skip-existing skips.
    std::vector<int> written(const std::vector<int>& frames) const
    {
        return writtenFrames(m_job, m_layout, frames, m_rest);
    }

    /// Whether a picture of the frame stays because the frame of the cache cannot be used any more.
    bool keepsPicture(int frame) const
    {
        if (!fs::exists(m_layout.exrPath(frame)) || !m_listing.isReplaced(frame)) return false;
        try {
            readSnow(m_job, frame, m_scene, m_hash);
            return false;
        } catch (const Error& error) {
            if (error.code() != ExitCode::File) throw;
            return true;
        }
    }

    PictureTraits pictureOfAllFrames() const
    {
        PictureTraits picture = plannedTraits(m_scene, m_sceneText, m_settings);
        picture.denoiser = m_denoiser.name();
        return picture;
    }

    double share(double ofFrame) const
    {
        return (static_cast<double>(m_done) + ofFrame) / static_cast<double>(m_frames.size());
    }

    ExitCode stopped()
    {
        m_progress.message(std::string("stopped by ") + stopSignalName() + " after " + std::to_string(m_done) + " of " +
                           std::to_string(m_frames.size()) + " frames; run again with " +
                           (m_isReplacing ? "--resume --force" : "--resume") + " to continue");
        return ExitCode::Stopped;
    }

    /// The particles of a frame; none if its files cannot be read. Then the other frames are rendered all the same, and
    /// requireNoFailure() ends the run with an error.
    std::optional<SnowParticles> snowOf(int frame)
    {
        try {
            SnowParticles particles = readSnow(m_job, frame, m_scene, m_hash);
            warnOfReplacedSnow(frame);
            return particles;
        } catch (const Error& error) {
            if (error.code() != ExitCode::File) throw;
            if (m_frames.size() == 1) throw UnreadableFrames(error.what());  // one message says it all
            fail(frame, error.what());
            return std::nullopt;
        }
    }

    void warnOfReplacedSnow(int frame)
    {
        if (const std::string text = m_listing.replacedText(frame); !text.empty()) m_progress.warning(text);
    }

    void warnOfForeignPicture(int frame)
    {
        const fs::path exr = m_layout.exrPath(frame);
        if (!isFirnPicture(exr))
            m_progress.warning(exr.string() +
                               " is kept, but it does not say that firn-render wrote it, so it is not known whether it "
                               "is a picture of this frame");
    }

    void fail(int frame, const std::string& why)
    {
        m_progress.warning(why + "; frame " + std::to_string(frame) + " is not rendered");
        m_failed.push_back(frame);
    }

    void requireNoFailure() const
    {
        if (m_failed.empty()) return;
        throw UnreadableFrames(m_job.cache.string() + ": " + std::to_string(m_failed.size()) + " of " +
                               std::to_string(m_frames.size()) + " frames could not be read and " +
                               (m_failed.size() == 1 ? "was" : "were") + " not rendered: " + framesText(m_failed) +
                               (m_failed.size() < m_frames.size() ? ". The others are finished" : ""));
    }

    /// Called by the renderer's threads when a tile is complete.
    bool goOn(int frame, double ofFrame, const std::string& phase = "")
    {
        const std::lock_guard lock(m_progressMutex);
        const std::string text =
            "frame " + std::to_string(frame) + "  " + phase + std::to_string(static_cast<int>(100 * ofFrame)) + " %";
        if (takeStatusRequest()) m_progress.message(text);
        m_progress.live(share(phase.empty() ? ofFrame : 0), text);
        return !stopRequested();
    }

    /// The frame as an earlier run left it, or without samples.
    FrameState beginning(int frame)
    {
        if (!m_job.resume) return FrameState(m_settings);
        try {
            auto state = m_places.earlierFilm(frame);
            if (!state) return FrameState(m_settings);
            m_progress.message("frame " + std::to_string(frame) + ": continues after " + std::to_string(state->spp()) +
                               " paths per pixel");
            return std::move(*state);
        } catch (const Error& error) {
            if (error.code() != ExitCode::File) throw;
            m_progress.warning(std::string(error.what()) +
                               "; the frame is rendered from the beginning, and the file stays; it may be deleted");
            return FrameState(m_settings);
        }
    }

    std::vector<SampleRange> samplesOf(const Film& film) const
    {
        const auto [least, most] = film.sampleCounts();
        return {{m_settings.seed, m_settings.first_sample, most, least, film.window()}};
    }

    /// Traces the frame's paths; false when stopped. The film file has what was traced until then.
    bool trace(const FrameView& view, FilmHeader& header, FrameState& state)
    {
        const auto save = [&] {
            header.samples = samplesOf(state.film);
            tellOfFilm(m_places.saveFilm(header, state), header.frame);
        };
        FrameHooks hooks;
        hooks.go_on = [&](double done) { return goOn(header.frame, done); };
        hooks.checkpoint = save;
        hooks.checkpoint_s = 60 * m_job.checkpoint_minutes;
        if (m_job.preview) hooks.show = [&] { show(state.film.image()); };
        hooks.noise = [&](const Film& film) {
            const double noise = deliversDenoised() ? denoisedNoise(film, m_denoiser) : film.noise();
            tellNoise(header.frame, state.spp(), noise);
            return noise;
        };
        const bool isComplete = renderFrame(view, m_settings, state, hooks);
        header.samples = samplesOf(state.film);
        if (!isComplete) save();
        return isComplete;
    }

    /// After a pass of --noise.
    void tellNoise(int frame, int spp, double noise)
    {
        char line[96];
        std::snprintf(line, sizeof line, "frame %d  %d spp  noise %.2g %%, target %.2g %%", frame, spp, 100 * noise,
                      100 * m_settings.noise_target);
        m_progress.plain(line);
    }

    PreviewOptions previewOptions() const { return {m_scene.render.view, m_scene.render.exposure, m_job.raw_preview}; }

    /// Writes what --preview shows: a picture that is not complete has no denoised layers yet.
    void show(Image image)
    {
        if (deliversDenoised() && image.find("denoised.R") == nullptr)
            m_denoiser.addLayers(image, nullptr, [](const std::string&) {});
        writePng(m_layout.livePath(), shownPixels(image, previewOptions()), markOf("preview"));
    }

    /// Once for each file, if it is not the frame's usual film.
    void tellOfFilm(const fs::path& film, int frame)
    {
        if (film == m_layout.filmPath(frame) || !m_otherFilms.insert(film).second) return;
        m_progress.message("warning: " + m_layout.filmPath(frame).string() +
                           " is damaged or of another run and stays as it is. The samples of the frame are kept in " +
                           film.string());
    }

    /// It takes many seconds, and there is nothing of it to keep when the program is stopped.
    std::vector<ShotFrame> prepared(int frame, const SnowParticles& particles)
    {
        if (const std::string text = voxelRemark(m_scene, particles.dx_m); !text.empty()) m_progress.warning(text);
        const StopsAtOnce stops("stopped while frame " + std::to_string(frame) +
                                " was prepared; repeat the command with --resume to continue");
        if (const std::string text = m_shot.sliceRemark(particles); !text.empty() && m_scene.render.shutter_slices == 0)
            m_progress.warning("frame " + std::to_string(frame) + ": " + text);
        return m_shot.slices(particles);
    }

    /// What the picture shows. `first`: of the first slice, with the light cache.
    FrameView viewOf(int frame, const std::vector<ShotFrame>& slices, const RenderScene& first) const
    {
        const Shutter shutter = m_shot.shutterOf(frame);
        const MovingCamera camera(m_shot.focusedCamera(shutter.middle_s()), shutter, m_settings.width,
                                  m_settings.height);
        if (shutter.isInstant()) return {first, camera.at(0)};
        std::vector<const RenderScene*> scenes{&first};
        for (std::size_t k = 1; k < slices.size(); ++k) scenes.push_back(&slices[k].renderScene());
        return {std::move(scenes), camera};
    }

    bool deliversDenoised() const { return !m_denoiser.isOff() && !m_job.raw_preview; }

    /// What all slices take together.
    static FrameFacts factsOf(const std::vector<ShotFrame>& slices)
    {
        FrameFacts facts;
        facts.detail = slices.front().detail();
        facts.detail.bytes = 0;
        for (const ShotFrame& slice : slices) {
            facts.voxels += slice.voxelCount();
            facts.detail.bytes += slice.detail().bytes;
        }
        return facts;
    }

    /// Returns false when stopped.
    bool render(int frame)
    {
        const Stopwatch watch;
        m_settings.seed = seedOf(frame, m_scene.render);
        std::optional<SnowParticles> particles = snowOf(frame);
        if (!particles) return true;
        m_places.requireReplaceable(
            {frame}, plannedPaths(m_settings));  // as at the start: somebody may have put files there since
        const std::size_t particleCount = particles->size();
        const std::vector<ShotFrame> slices = prepared(frame, *particles);
        const double preparation = watch.seconds();
        FrameFacts facts = factsOf(slices);
        char line[96];
        std::snprintf(line, sizeof line, "frame %d  prepared: %zu voxels  %.1f s", frame, facts.voxels, preparation);
        m_progress.plain(line);
        reportDetail(frame, facts.detail);
        if (std::exchange(m_isFirst, false))
            if (const std::string text = m_shot.lightRemark(slices[slices.size() / 2]); !text.empty())
                m_progress.warning("frame " + std::to_string(frame) + ": " + text);
        RenderScene scene = slices.front().renderScene();
        const FrameView view = viewOf(frame, slices, scene);
        const PlacedCamera camera = view.camera.at(0.5f);
        const Stopwatch filling;
        const auto cache =
            m_lightCaches.make(scene, camera, frame, [&](double done) { return goOn(frame, done, "light cache "); });
        if (cache && !cache->isComplete()) return false;
        scene.light_cache = cache.get();
        const double filled = filling.seconds();
        FilmHeader header = m_headers.rendered(frame, camera, slices.front().voxel_m(), cache != nullptr);
        FrameState state = beginning(frame);
        const double earlier = state.seconds;
        if (!trace(view, header, state)) return false;

        facts.time_s = m_scene.timeOfFrame(frame);
        facts.seconds_preparing = preparation;
        facts.seconds_light_cache = filled;
        facts.light_cache_cells = cache ? cache->cellCount() : 0;
        facts.particles = particleCount;
        facts.denoiser = m_denoiser.name();
        facts.scene_hash = m_hash;
        deliver(header, state, facts, earlier + watch.seconds());
        return true;
    }

    /// Writes the picture of a traced frame and its line of statistics. `seconds`: spent on the frame before.
    void deliver(const FilmHeader& header, const FrameState& state, const FrameFacts& facts, double seconds)
    {
        const Stopwatch watch;
        const MadePicture made = makePicture(header, state, m_denoiser, [&](const std::string& text) {
            m_progress.message("warning: frame " + std::to_string(header.frame) + ": " + text);
        });
        FrameRecord record;
        const auto write = [&] {
            const WrittenPicture written = writePicture(m_layout, header, made, previewOptions());
            record = frameRecord(header, state, made, written, facts, seconds + watch.seconds());
            appendLine(m_layout.statsPath(), record.line);
        };
        if (m_job.preview) show(made.image);
        if (const auto film = m_places.deliver(header, state, write)) tellOfFilm(*film, header.frame);
        m_progress.frame(share(1), record.summary, record.line);
    }

    void reportDetail(int frame, const ShotFrame::Detail& detail)
    {
        if (!detail.is_limited) return;
        char text[192];
        std::snprintf(text, sizeof text,
                      "frame %d: render.detail_memory_MB = %g does not suffice; voxels of snow are %.2g pixels wide "
                      "where the camera sees it",
                      frame, static_cast<double>(m_scene.render.detail_memory_MB),
                      static_cast<double>(detail.voxel_pixels));
        m_progress.message(text);
    }

    const FramesJob& m_job;
    const Scene& m_scene;
    std::string m_sceneText;
    bool m_isFirst = true;  // no frame has been rendered
    PictureLayout m_layout;
    FrameSettings m_settings;
    std::string m_hash;
    std::vector<int> m_frames;
    std::string m_rest;          // checksum of the snow at rest
    std::vector<int> m_written;  // of m_frames, without those that --skip-existing skips
    Shot m_shot;
    LayerDenoiser m_denoiser;  // parts of a picture are denoised when they are merged
    FrameHeaders m_headers;
    FramePlaces m_places;
    Progress m_progress;
    FrameLightCaches m_lightCaches;
    CacheListing m_listing;
    std::vector<int> m_failed;        // frames that could not be read
    std::set<fs::path> m_otherFilms;  // told of
    std::mutex m_progressMutex;
    std::size_t m_done = 0;
    bool m_isReplacing = false;  // pictures of other values
};

}  // namespace

ExitCode renderCache(const FramesJob& job, const LoadedScene& loaded) { return FramesRun(job, loaded).run(); }

}  // namespace firn
