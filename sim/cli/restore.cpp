#include "sim/cli/restore.h"

#include <algorithm>
#include <memory>

#include "common/cache/points_file.h"
#include "common/cache/wedge.h"
#include "common/error.h"
#include "common/io/checksum.h"
#include "common/io/command_text.h"
#include "common/io/stop.h"
#include "sim/cli/frame_file.h"
#include "sim/cli/stats_line.h"

namespace firn {
namespace {

class Restoration {
public:
    Restoration(const LostFiles& lost, const Scene& scene, const CacheFolder& folder, const SceneIdentity& identity,
                StatsFile& stats, Progress& progress)
        : m_damaged(lost.frames),
          m_checkpoint(lost.checkpoint),
          m_scene(scene),
          m_folder(folder),
          m_identity(identity),
          m_stats(stats),
          m_progress(progress)
    {
    }

    bool run()
    {
        for (const DamagedFile& file : m_damaged) {
            if (file.isLeftOut()) continue;
            const std::string name = file.recorded.path.string();
            const bool isThere = std::filesystem::exists(m_folder.path() / file.recorded.path);
            m_progress.warning(name + (isThere ? " is damaged: " + file.damage : " is missing"));
        }
        useCheckpointsOfSameFrame();
        return (m_damaged.empty() && !m_checkpoint) || simulateAgain();
    }

private:
    /// A checkpoint of this cache that can be read and is of this scene.
    std::optional<RunCheckpoint> checkpointOf(int frame) const
    {
        try {
            RunCheckpoint checkpoint = m_folder.readCheckpoint(m_folder.layout().checkpointPath(frame));
            const std::string why = foreignCheckpointText(m_folder.layout(), frame, m_stats, "");
            if (checkpoint.identity == m_identity && why.empty()) return checkpoint;
        } catch (const Error& error) {
            m_progress.warning(error.what());
        }
        return std::nullopt;
    }

    /// False when the simulation's particles are not the recorded ones. Of a file that was left out, none are.
    bool writeIfSame(const Simulation& simulation, const WrittenFile& recorded)
    {
        const bool isFrozen = recorded.path == m_folder.layout().frozenPath(simulation.frame()).filename();
        const std::string bytes = bytesOf(isFrozen ? simulation.frozenSource() : simulation.particleSource());
        if (recorded.checksum.empty()) {
            const auto warn = [&](const std::string& text) { m_progress.warning(text); };
            m_stats.addFile(simulation.frame(), writeFrameFile(m_folder.path() / recorded.path, bytes, warn));
            m_progress.notice(recorded.path.string() + " is written");
            return true;
        }
        if (checksum(bytes) != recorded.checksum) return false;
        writeFileChecked(m_folder.path() / recorded.path, bytes);
        m_progress.notice(recorded.path.string() + " is restored");
        return true;
    }

    /// A checkpoint that was written when a run was stopped is of a moment after its frame, and does not fit.
    void useCheckpointsOfSameFrame()
    {
        for (const int frame : m_folder.layout().checkpoints()) {
            const auto isOfFrame = [&](const DamagedFile& file) { return file.frame == frame && !file.isLeftOut(); };
            if (std::ranges::none_of(m_damaged, isOfFrame)) continue;
            const auto checkpoint = checkpointOf(frame);
            if (!checkpoint) continue;
            const Simulation simulation(m_scene, checkpoint->state);
            std::erase_if(m_damaged, [&](const DamagedFile& file) {
                return isOfFrame(file) && writeIfSame(simulation, file.recorded);
            });
        }
    }

    std::unique_ptr<Simulation> simulationBefore(int frame) const
    {
        const std::vector<int> checkpoints = m_folder.layout().checkpoints();
        for (auto found = checkpoints.rbegin(); found != checkpoints.rend(); ++found) {
            if (*found >= frame) continue;
            if (const auto checkpoint = checkpointOf(*found)) {
                return std::make_unique<Simulation>(m_scene, checkpoint->state);
            }
        }
        return std::make_unique<Simulation>(m_scene);
    }

    /// Without a newer checkpoint that can be read, a longer shot could not go on from here.
    void restoreCheckpoint(const Simulation& simulation) const
    {
        const int frame = simulation.frame();
        m_folder.writeCheckpoint({frame, m_identity, m_stats.find(frame)->text, historyBefore(frame, m_stats), {}},
                                 simulation.checkpoint());
        m_progress.notice(m_folder.layout().checkpointPath(frame).filename().string() + " is restored");
    }

    /// Restores the damaged checkpoints that it passes, and goes on to them where none can be read.
    bool simulateAgain()
    {
        const std::vector<int> checkpoints = m_folder.layout().checkpoints();
        std::vector<int> lost = m_folder.damagedCheckpoints();
        std::erase_if(lost, [&](int frame) { return !m_stats.find(frame); });
        std::vector<int> wanted;
        for (const DamagedFile& file : m_damaged) wanted.push_back(file.frame);
        if (m_checkpoint) wanted.push_back(*m_checkpoint);
        int last = std::ranges::max(wanted);
        if (!lost.empty() && lost == checkpoints) last = std::max(last, lost.back());
        const auto simulation = simulationBefore(wanted.front());
        const int first = simulation->frame();
        m_progress.message("simulating frames " + std::to_string(first) + "-" + std::to_string(last) + " again to " +
                           purpose());
        const double total = std::max(1, last - first);
        for (auto file = m_damaged.begin();;) {
            for (; file != m_damaged.end() && file->frame == simulation->frame(); ++file)
                if (!writeIfSame(*simulation, file->recorded))
                    refuse((m_folder.path() / file->recorded.path).string() + " is damaged or missing", file->frame);
            if (simulation->frame() == m_checkpoint) requireSameFrame(*simulation);
            if (std::ranges::binary_search(lost, simulation->frame()) || simulation->frame() == m_checkpoint)
                restoreCheckpoint(*simulation);
            if (simulation->frame() >= last) return true;
            const bool isAdvanced = simulation->advanceFrame([&](const SubstepStatus& status) {
                m_progress.live((simulation->frame() - first + status.frame_fraction) / total,
                                substepText(status, last));
                return !stopRequested();
            });
            if (!isAdvanced) {
                if (m_checkpoint) restoreCheckpoint(*simulation);
                return false;
            }
        }
    }

    /// A checkpoint that is made again must be of the frame that stats.jsonl lists.
    void requireSameFrame(const Simulation& simulation) const
    {
        const WrittenFile* const recorded = m_stats.find(simulation.frame())->snowFile();
        if (recorded == nullptr || checksum(bytesOf(simulation.particleSource())) == recorded->checksum) return;
        refuse(m_folder.path().string() + " has no checkpoint of frame " + std::to_string(simulation.frame()),
               simulation.frame());
    }

    std::string bytesOf(ParticleSource snow) const
    {
        return pointsFileBytes(framePoints(std::move(snow), m_scene, m_identity.hash));
    }

    std::string purpose() const
    {
        if (m_damaged.empty()) return "continue, because no checkpoint can be used";
        const auto leftOut = std::ranges::count_if(m_damaged, &DamagedFile::isLeftOut);
        const bool isAll = leftOut == static_cast<std::ptrdiff_t>(m_damaged.size());
        return leftOut == 0 ? "restore what is damaged"
               : isAll      ? "write the frames that the earlier --frames left out"
                            : "restore what is damaged and to write the frames that the earlier --frames left out";
    }

    /// Whether a run with --force goes on from a checkpoint before this frame.
    bool isReplacedByForce(int frame) const
    {
        const std::vector<int> checkpoints = m_folder.layout().checkpoints();
        const auto newest = std::find_if(checkpoints.rbegin(), checkpoints.rend(),
                                         [&](int found) { return m_folder.hasReadableCheckpoint(found); });
        return newest != checkpoints.rend() && *newest < frame;
    }

    [[noreturn]] void refuse(const std::string& lost, int frame) const
    {
        const StatsLine* const line = m_stats.find(frame);
        const std::string other = line == nullptr ? "" : otherInstructionsText(*line);
        throw Error(
            ExitCode::File,
            lost + ", and simulating it again gives another checksum than stats.jsonl has" +
                (other.empty() ? ". Perhaps another kind of machine or another build wrote it, or stats.jsonl has "
                                 "changed"
                               : ": " + other) +
                ". Copy the file, or stats.jsonl, from a backup, resume with that machine and build, " +
                (isReplacedByForce(frame) ? "add --force to replace the frames after the last checkpoint, " : "") +
                "or start over with --force without --resume");
    }

    std::vector<DamagedFile> m_damaged;
    std::optional<int> m_checkpoint;
    const Scene& m_scene;
    const CacheFolder& m_folder;
    const SceneIdentity& m_identity;
    StatsFile& m_stats;
    Progress& m_progress;
};

}  // namespace

std::string restoreCommand(const std::filesystem::path& folder, const std::string& frames)
{
    if (const std::filesystem::path wedge = wedgeFolderOf(folder); !wedge.empty())
        return "the same 'firn-sim wedge ... --out " + shellPath(wedge) + "' as before";
    return "'firn-sim run SCENE --out " + shellPath(folder) + " --resume" +
           (frames.empty() ? "" : " --force --frames " + frames) + "'";
}

bool restoreFiles(const LostFiles& lost, const Scene& scene, const CacheFolder& folder, const SceneIdentity& identity,
                  StatsFile& stats, Progress& progress)
{
    return Restoration(lost, scene, folder, identity, stats, progress).run();
}

}  // namespace firn
