#include "sim/cli/run.h"

#include <algorithm>
#include <iostream>
#include <span>
#include <utility>

#include "common/cache/lock.h"
#include "common/cache/points_file.h"
#include "common/cache/usda.h"
#include "common/cache/wedge.h"
#include "common/cli/program.h"
#include "common/io/checked_file.h"
#include "common/io/folder_turn.h"
#include "common/io/frame_range.h"
#include "common/io/freed_memory.h"
#include "common/io/log.h"
#include "common/io/stop.h"
#include "common/io/threads.h"
#include "sim/cli/cache_folder.h"
#include "sim/cli/disk_advice.h"
#include "sim/cli/forecast.h"
#include "sim/cli/frame_file.h"
#include "sim/cli/frame_warnings.h"
#include "sim/cli/own_files.h"
#include "sim/cli/playblast_process.h"
#include "sim/cli/required_room.h"
#include "sim/cli/restore.h"
#include "sim/cli/resume.h"
#include "sim/cli/stats_line.h"
#include "sim/simulation.h"

namespace firn {
namespace {

struct ForeignUsda {};

/// One run from its start to its last frame. After every frame, another run can continue from the folder.
class SimulationRun {
public:
    SimulationRun(const LoadedScene& loaded, const RunOptions& options, const CacheFolder& folder,
                  const FolderLock& lock, const SceneIdentity& identity, std::vector<int> frames, Progress& progress)
        : m_loaded(loaded),
          m_scene(loaded.scene),
          m_options(options),
          m_folder(folder),
          m_lock(lock),
          m_identity(identity),
          m_frames(std::move(frames)),
          m_endFrame(m_frames.back()),
          m_progress(progress),
          m_stats(folder.layout().statsPath()),
          m_unlisted(folder.unlistedPoints(m_stats)),
          m_warnings(loaded.scene, progress)
    {
    }

    ExitCode simulate(const Start& start)
    {
        if (!restoreFiles(start.lost, m_scene, m_folder, m_identity, m_stats, m_progress)) {
            return stopped("while damaged files were restored",
                           start.lost.checkpoint ? "to continue" : "to begin the restoration again");
        }
        if (start.complete) return complete(!start.unmet.empty() || start.is_damaged);
        if (start.checkpoint) {
            continueFrom(*start.checkpoint);
        } else if (start.lost.checkpoint) {
            continueFrom(m_folder.readCheckpoint(m_folder.layout().checkpointPath(*start.lost.checkpoint)));
        } else {
            const auto warn = [&](const std::string& text) { m_progress.warning(text); };
            requireRoom(m_scene, countedForecast(m_scene, m_frames), m_folder.layout(), start.over, warn);
            m_simulation = std::make_unique<Simulation>(m_scene);
            m_warnings.tellOfScene(*m_simulation);
            if (start.over) {
                tryToWrite();
                clearFolder();
            }
            writeScene();
            finishFrame();
        }
        m_progress.start(done());
        while (m_simulation->frame() < m_endFrame) {
            if (!advance()) return stop();
            finishFrame();
        }
        return ExitCode::Done;
    }

private:
    void continueFrom(const RunCheckpoint& checkpoint)
    {
        try {
            m_simulation = std::make_unique<Simulation>(m_scene, checkpoint.state);
        } catch (const Error& error) {
            const std::string file = m_folder.layout().checkpointPath(checkpoint.frame).string();
            if (checkpoint.identity == m_identity) throw Error(error.code(), file + ": " + error.what());
            throw Error(ExitCode::Usage, file + " cannot be continued with the changed scene: " + error.what() +
                                             ". The snow of the changed scene needs values that the simulation in the "
                                             "cache does not have: undo the change, or choose another --out");
        }
        writeScene();
        m_lastLine = m_stats.lines().back().text;
        m_progress.message("continuing after frame " + std::to_string(checkpoint.frame));
        if (const std::string other = otherInstructionsText(m_stats.lines().back()); !other.empty())
            m_progress.warning(other + ": the last digits of the next frames depend on it");
    }

    /// Nothing is left to simulate. Writes what a complete cache has beside its frames, where it is missing.
    /// `isUnmet`: wanted frames cannot be made.
    ExitCode complete(bool isUnmet)
    {
        restoreScene();
        writeUsda();
        const bool hasFrameOfScene = std::ranges::any_of(
            m_stats.lines(), [&](const StatsLine& line) { return sceneHashOf(line) == m_identity.hash; });
        m_progress.message(
            m_folder.path().string() + (isUnmet ? " has nothing else left to simulate" : " is complete") +
            (hasFrameOfScene ? "" : ": nothing was left to simulate, so no frame is of the changed scene"));
        for (const int frame : m_folder.damagedCheckpoints()) {
            const std::filesystem::path checkpoint = m_folder.layout().checkpointPath(frame);
            std::filesystem::remove(checkpoint);
            m_progress.message("removed " + checkpoint.string() + ": it was damaged, and a complete cache needs none");
        }
        if (const std::size_t count = sceneCount(m_stats.lines()); count > 1)
            m_progress.warning("the frames of the cache are of " + std::to_string(count) + " different scenes");
        return ExitCode::Done;
    }

    /// If it is missing, or was changed or exchanged. Only where all frames are of this scene is it known what it was.
    void restoreScene() const
    {
        const std::filesystem::path path = m_folder.layout().scenePath();
        if (isSceneOfRun(path)) return;
        const bool isMissing = readResolvedScene(m_folder.layout()).empty();
        const std::string doubt = sceneDoubt(m_folder.layout(), m_stats);
        const bool isOfScene = std::ranges::all_of(
            m_stats.lines(), [&](const StatsLine& line) { return sceneHashOf(line) == m_identity.hash; });
        if (!isOfScene || (!isMissing && doubt.empty())) return;
        if (!isMissing) m_progress.message(path.string() + " " + doubt + ", and is written anew");
        writeScene();
    }

    /// Writes the files of the first frame to test it, and removes them: a full disk or a limit on the size of files
    /// costs no old cache.
    void tryToWrite() const
    {
        const int frame = m_simulation->frame();
        const auto explained = [](const Error& error) {
            return std::string(error.what()) +
                   ". This was a test before the old cache is removed, and it is not removed";
        };
        try {
            const std::string points =
                pointsFileBytes(framePoints(m_simulation->particleSource(), m_scene, m_identity.hash));
            tryToWriteFile(m_folder.layout().framePath(frame), std::as_bytes(std::span(points)));
            m_folder.tryToWriteCheckpoint(aboutCheckpoint(m_lastLine), m_simulation->checkpoint());
        } catch (const DiskFull& error) {
            throw DiskFull(error.code(), explained(error));
        } catch (const Error& error) {
            throw Error(error.code(), explained(error));
        }
    }

    /// Not before the new simulation has begun: a scene that cannot be simulated costs no old cache.
    void clearFolder()
    {
        m_lock.requireHeld();
        m_folder.clear();
        m_stats = StatsFile(m_folder.layout().statsPath());
    }

    /// Whether the run simulates the scene in that file: then it stays as it is.
    bool isSceneOfRun(const std::filesystem::path& path) const
    {
        std::error_code error;
        return std::filesystem::equivalent(m_options.shot, path, error);
    }

    void writeScene() const
    {
        if (isSceneOfRun(m_folder.layout().scenePath())) return;
        const std::filesystem::path kept = m_folder.writeScene(m_loaded.dump(), m_identity.hash);
        if (!kept.empty())
            m_progress.warning(m_folder.layout().scenePath().string() +
                               " was changed after the run wrote it; what it held is in " + kept.string());
    }

    double done(double fraction = 0) const
    {
        const double total = std::max(1, m_endFrame - m_scene.start_frame);
        return (m_simulation->frame() - m_scene.start_frame + fraction) / total;
    }

    /// Simulates to the next frame; false when a stop was requested.
    bool advance()
    {
        while (!stopRequested()) {
            bool statusWanted = false;
            SubstepStatus last;
            const bool finished = advanceFrame([&](const SubstepStatus& status) {
                last = status;
                m_progress.live(done(status.frame_fraction), substepText(status, m_endFrame));
                if (isLogged(LogLevel::Debug)) log(LogLevel::Debug, substepText(status, m_endFrame));
                statusWanted = statusWanted || takeStatusRequest();
                return !statusWanted && !stopRequested();
            });
            if (statusWanted) {
                if (!finished) saveCheckpoint(m_lastLine);
                m_progress.message(substepText(last, m_endFrame));
            }
            if (finished) return true;
        }
        return false;
    }

    bool advanceFrame(const std::function<bool(const SubstepStatus&)>& goOn)
    {
        try {
            return m_simulation->advanceFrame(goOn);
        } catch (const Error& error) {
            if (error.code() != ExitCode::Diverged) throw;
            throw Error(ExitCode::Diverged, std::string(error.what()) +
                                                "; last good frame: " + std::to_string(m_stats.lines().back().frame) +
                                                " in " + m_folder.path().string());
        }
    }

    /// Writes points file, checkpoint and stats line in this order, see common/cache/layout.h.
    void finishFrame()
    {
        const FrameStats& stats = m_simulation->stats();
        const int frame = m_simulation->frame();
        m_warnings.tellOfFrame(*m_simulation);
        m_lock.requireHeld();
        requireOwnFrame(m_folder.layout(), frame, m_unlisted);
        std::vector<WrittenFile> files;
        const CacheLayout& layout = m_folder.layout();
        if (std::ranges::binary_search(m_frames, frame))
            files.push_back(writePoints(layout.framePath(frame), m_simulation->particleSource()));
        if (const ParticleSource frozen = m_simulation->frozenSource(); frozen.count > 0)
            files.push_back(writePoints(layout.frozenPath(frame), frozen));
        const StatsLine line = makeStatsLine(stats, files, m_identity.hash, m_endFrame);
        const bool due = (frame - m_scene.start_frame) % m_options.checkpoint_every == 0;
        if (due || frame == m_endFrame) saveCheckpoint(line.text);
        m_stats.add(line);
        m_lastLine = line.text;
        m_folder.pruneCheckpoints(m_stats);
        writeUsda();
        m_progress.frame(done(), frameText(stats, m_endFrame), line.text);
    }

    WrittenFile writePoints(const std::filesystem::path& path, const ParticleSource& snow) const
    {
        WrittenFile file = writeFrameFile(path, pointsFileBytes(framePoints(snow, m_scene, m_identity.hash)),
                                          [&](const std::string& text) { m_progress.warning(text); });
        returnFreedBlocks();
        return file;
    }

    /// An edited one stays as it is.
    void writeUsda()
    {
        const std::filesystem::path path = m_folder.layout().usdaPath();
        std::vector<std::pair<int, std::string>> files;
        for (const StatsLine& line : m_stats.lines()) {
            if (const WrittenFile* snow = line.snowFile()) files.emplace_back(line.frame, snow->path.string());
        }
        const std::string text = usdaText(files, m_scene.fps);
        const auto requireOwn = [&] {
            if (!framesOfUsda(m_folder.layout())) throw ForeignUsda();
        };
        try {
            const bool isSame = std::filesystem::exists(path) && std::filesystem::file_size(path) == text.size() &&
                                beginsWith(path, text);
            if (isSame) return;
            if (m_simulation == nullptr && std::filesystem::exists(path))
                m_progress.message(path.string() + " did not list the frames of the cache, and is written anew");
            writeFileChecked(path, text, requireOwn);
        } catch (const ForeignUsda&) {
            if (std::exchange(m_hasForeignUsda, true)) return;
            m_progress.warning(path.string() +
                               " was changed by another program: this run leaves it as it is. Move it away before the "
                               "next run into this folder");
        }
    }

    RunCheckpoint aboutCheckpoint(const std::string& statsLine) const
    {
        const int frame = m_simulation->frame();
        return {frame, m_identity, statsLine, historyBefore(frame, m_stats), {}};
    }

    void saveCheckpoint(const std::string& statsLine) const
    {
        m_lock.requireHeld();
        m_folder.writeCheckpoint(aboutCheckpoint(statsLine), m_simulation->checkpoint());
    }

    ExitCode stop() const
    {
        saveCheckpoint(m_lastLine);
        return stopped("after frame " + std::to_string(m_simulation->frame()) + " of " + std::to_string(m_endFrame));
    }

    ExitCode stopped(const std::string& when, const std::string& purpose = "to continue") const
    {
        m_progress.message(std::string("stopped by ") + stopSignalName() + " " + when +
                           (m_options.is_take ? " in " + m_options.out.string() + "; repeat the command "
                                              : "; run again with --resume ") +
                           purpose);
        return ExitCode::Stopped;
    }

    const LoadedScene& m_loaded;
    const Scene& m_scene;
    const RunOptions& m_options;
    const CacheFolder& m_folder;
    const FolderLock& m_lock;
    const SceneIdentity& m_identity;
    std::vector<int> m_frames;  // to write, ascending
    int m_endFrame;
    Progress& m_progress;
    StatsFile m_stats;
    std::vector<std::filesystem::path> m_unlisted;  // points files that were there before the run
    std::unique_ptr<Simulation> m_simulation;
    FrameWarnings m_warnings;
    std::string m_lastLine;         // stats line of the last finished frame
    bool m_hasForeignUsda = false;  // it was warned of
};

void requireNoWedge(const RunOptions& options)
{
    requireNoStrayWedge(options.out);
    if (!options.is_take && std::filesystem::exists(wedgePath(options.out))) refuseMixedFolder(options.out, "a wedge");
}

/// A wedge may begin in the folder at the same time: the first of both has it.
FolderLock lockedCache(const RunOptions& options, const std::filesystem::path& folder)
{
    const FolderTurn turn(folder);
    requireNoWedge(options);
    return FolderLock(folder);
}

/// The lock is gone at the end.
ExitCode runInFolder(const LoadedScene& loaded, const RunOptions& options, const std::vector<int>& frames,
                     PlayblastProcess& playblast)
{
    requireOwnFiles(CacheLayout{options.out});  // before the lock is made: a refused run leaves no file
    const CacheFolder folder(options.out);
    const FolderLock lock = lockedCache(options, folder.path());
    requireOwnFiles(folder.layout());
    openLogIn(folder.path());

    Progress progress(options.progress);
    const SceneIdentity identity = identityOf(loaded.scene);
    const Start start = prepareStart(folder, loaded.scene, identity,
                                     {options.resume, options.force, options.is_take, frames, !options.frames.empty()},
                                     [&](const std::string& text) { progress.warning(text); });
    const ThreadCount threads = chooseThreads(options.threads > 0 ? options.threads : loaded.scene.solver.threads);
    if (!start.complete || !start.lost.frames.empty()) {
        progress.message(options.shot.string() + " -> " + folder.layout().framePattern().string() + ", frames " +
                         formatFrames(frames) + ", threads " + std::to_string(threads.count) + " (" + threads.source +
                         ")");
    }
    playblast.start();
    ExitCode result = ExitCode::Failed;
    runWithThreads(threads.count, [&] {
        result = SimulationRun(loaded, options, folder, lock, identity, frames, progress).simulate(start);
    });
    if (result == ExitCode::Done && !start.unmet.empty()) throw Error(ExitCode::File, start.unmet);
    return result;
}

}  // namespace

std::vector<int> framesToWrite(const Scene& scene, const std::string& range)
{
    const std::string all = std::to_string(scene.start_frame) + "-" + std::to_string(scene.end_frame);
    std::vector<int> frames = parseFrames(range.empty() ? all : range);
    std::sort(frames.begin(), frames.end());
    if (frames.front() < scene.start_frame || frames.back() > scene.end_frame) {
        const std::string wanted = std::to_string(std::min(frames.front(), scene.start_frame)) + "-" +
                                   std::to_string(std::max(frames.back(), scene.end_frame));
        throw Error(ExitCode::Usage,
                    "--frames " + range + ": the scene has the frames " + all +
                        ". For a longer shot, change 'frames' in the scene or add --set frames=" + wanted);
    }
    return frames;
}

ExitCode run(const RunOptions& options)
{
    const LoadedScene loaded = loadScene(options.shot, options.scene);
    if (options.dump_config) {
        std::cout << loaded.dump();
        return ExitCode::Done;
    }
    if (options.out.empty()) throw Error(ExitCode::Usage, "--out DIR is required");
    requireNoWedge(options);
    const std::vector<int> frames = framesToWrite(loaded.scene, options.frames);
    try {
        PlayblastProcess playblast(options);
        const ExitCode result = runInFolder(loaded, options, frames, playblast);
        if (const std::string text = playblast.finish(); !text.empty()) warn("warning: " + text);
        return result;
    } catch (const DiskFull& error) {
        throw Error(error.code(), error.what() + diskAdvice(options, loaded.scene));
    }
}

}  // namespace firn
