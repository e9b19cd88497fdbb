#include "render/cli/playblast_job.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include "common/cache/lock.h"
#include "common/cache/wedge.h"
#include "common/cli/program.h"
#include "common/image/text.h"
#include "common/io/checked_file.h"
#include "common/io/frame_range.h"
#include "common/io/own_file.h"
#include "common/io/stop.h"
#include "common/io/stopwatch.h"
#include "common/scene/hash.h"
#include "render/cli/cache_listing.h"
#include "render/cli/cache_options.h"
#include "render/cli/frame_settings.h"
#include "render/cli/frame_snow.h"
#include "render/cli/picture_layout.h"
#include "render/cli/playblast_page.h"
#include "render/playblast/playblast.h"

namespace firn {
namespace {

namespace fs = std::filesystem;

constexpr auto pollInterval = std::chrono::milliseconds(200);
constexpr const char* pictureKind = "playblast";

void label(Rgb8Image& image, const std::string& text)
{
    const int scale = std::max(1, image.height / 360);
    const int x = 4 * scale, y = image.height - (textCellHeight + 3) * scale;
    drawText(image, x + scale, y + scale, text, {20, 24, 30}, scale);
    drawText(image, x, y, text, {245, 247, 250}, scale);
}

class PlayblastRun {
public:
    PlayblastRun(const PlayblastJob& job, const LoadedScene& loaded)
        : m_job(job),
          m_scene(loaded.scene),
          m_hash(sceneHash(m_scene)),
          m_playblast(m_scene,
                      {m_scene.render.width, m_scene.render.height, snowColorByName(job.color), job.fastest_m_s}),
          m_progress(job.frames.progress)
    {
        requireUsableName(m_scene.name);
        const fs::path& out = job.frames.out;
        requireNoCacheIn(out);
        requirePlayblastPage(pagePath());
        prepareFolder(out);
    }

    ExitCode run()
    {
        m_progress.start(0);
        if (!m_job.follow) return draw(availableFrames(m_job.frames, m_scene));
        for (;;) {
            const bool isRunning =
                FolderLock::isHeld(m_job.frames.cache);  // asked first: frames may come before it ends
            const ExitCode code = draw(newFrames());
            if (code != ExitCode::Done) return code;
            // Without a run, it waits for one only as long as there are no frames.
            if (m_drawn.contains(m_scene.end_frame) || (!isRunning && (m_hasSeenRun || !m_drawn.empty()))) break;
            m_hasSeenRun = m_hasSeenRun || isRunning;
            if (stopRequested()) return ExitCode::Stopped;
            std::this_thread::sleep_for(pollInterval);
        }
        if (m_drawn.empty())
            throw Error(ExitCode::File, m_job.frames.cache.string() + ": the run ended without frames");
        writePage(false);
        return ExitCode::Done;
    }

private:
    fs::path pagePath() const { return m_job.frames.out / "playblast.html"; }
    fs::path picturePath(int frame) const { return PictureLayout{m_job.frames.out, m_scene.name}.pngPath(frame); }

    /// Frames with a line in the cache's statistics, which is written last, that are not drawn yet.
    std::vector<int> newFrames() const
    {
        std::vector<int> frames = CacheListing(m_job.frames.cache).frames();
        std::erase_if(frames, [&](int frame) { return m_drawn.contains(frame); });
        return frames;
    }

    ExitCode draw(const std::vector<int>& frames)
    {
        for (const int frame : frames) requireOwnPicture(frame);
        for (std::size_t i = 0; i < frames.size(); ++i) {
            if (stopRequested()) return ExitCode::Stopped;
            draw(frames[i], static_cast<double>(i + 1) / static_cast<double>(frames.size()));
            const bool isLast = i + 1 == frames.size();
            if (isLast || m_sincePage.seconds() > 1) writePage(m_job.follow || !isLast);
        }
        return ExitCode::Done;
    }

    /// Of an earlier playblast, or none.
    void requireOwnPicture(int frame) const { requireReplaceable(picturePath(frame), pictureKind); }

    void draw(int frame, double done)
    {
        const Stopwatch watch;
        SnowParticles snow = readSnow(m_job.frames, frame, m_scene, m_hash);
        const std::size_t particles = snow.size();
        const double seconds_reading = watch.seconds();
        Rgb8Image image = m_playblast.picture(std::move(snow));
        label(image, m_scene.name + "  frame " + std::to_string(frame));
        writePng(picturePath(frame), image, markOf(pictureKind), PngEffort::Quick);
        m_drawn.insert(frame);
        char line[128];
        std::snprintf(line, sizeof line, "frame %d  %zu particles  %.2f s, of which %.2f s to read", frame, particles,
                      watch.seconds(), seconds_reading);
        m_progress.frame(done, line, "{\"frame\":" + std::to_string(frame) + "}");
    }

    void writePage(bool isGrowing)
    {
        PlayblastPage page{.title = m_scene.name,
                           .fps = m_scene.fps,
                           .last_frame = m_scene.end_frame,
                           .is_growing = isGrowing,
                           .frames = {m_drawn.begin(), m_drawn.end()},
                           .pictures = {},
                           .color = m_job.color};
        for (const int frame : page.frames) page.pictures.push_back(picturePath(frame).filename().string());
        writePlayblastPage(pagePath(), page, m_job.frames.cache);
        m_sincePage = Stopwatch();
    }

    const PlayblastJob& m_job;
    const Scene& m_scene;
    std::string m_hash;
    Playblast m_playblast;
    Progress m_progress;
    std::set<int> m_drawn;
    Stopwatch m_sincePage;
    bool m_hasSeenRun = false;
};

}  // namespace

ExitCode drawPlayblast(const PlayblastJob& job)
{
    if (job.follow && !job.frames.frames.empty())
        throw Error(ExitCode::Usage, "--follow draws all frames as they come: give it without --frames");
    requireNoStrayWedge(job.frames.cache);
    LoadedScene loaded = sceneOf(job.frames);
    if (job.frames.resolution.empty()) {
        loaded.scene.render.height =
            std::max(1, static_cast<int>(std::lround(1280.0 * loaded.scene.render.height / loaded.scene.render.width)));
        loaded.scene.render.width = 1280;
    }
    return runWithThreadsOf(job.frames, loaded.scene, [&] { return PlayblastRun(job, loaded).run(); });
}

}  // namespace firn
