#pragma once
// What a run warns of while it simulates. Each thing is told once.

#include <array>
#include <cstddef>
#include <set>

#include "common/io/progress.h"
#include "sim/simulation.h"

namespace firn {

class FrameWarnings {
public:
    /// Both must outlive this.
    FrameWarnings(const Scene& scene, Progress& progress) : m_scene(scene), m_progress(progress) {}

    /// Before the first frame: remarks on the scene, its sources, and narrow gaps between its bodies.
    void tellOfScene(const Simulation& simulation);

    /// After each frame.
    void tellOfFrame(const Simulation& simulation);

private:
    void tellOfCaughtSnow(const FrameStats& stats);
    void tellOfFullMouths(const Simulation& simulation);
    void tellOfFewPuffs(const FrameStats& stats);
    void tellOfBorder(const FrameStats& stats);
    void tellOfShortSteps(const FrameStats& stats);

    const Scene& m_scene;
    Progress& m_progress;
    long m_firstSubsteps = 0;                      // of the first frame of this run; -1 after the warning
    bool m_hasPassedBorder = false;                // warned of
    bool m_hasFewPuffs = false;                    // warned of
    std::set<std::array<int, 2>> m_caughtBetween;  // pairs of bodies that were warned of
    std::set<std::size_t> m_fullMouths;            // regions that were warned of
};

}  // namespace firn
