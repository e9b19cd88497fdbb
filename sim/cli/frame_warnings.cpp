#include "sim/cli/frame_warnings.h"

#include <cstdio>
#include <string>
#include <utility>

#include "sim/cli/fast_bodies.h"
#include "sim/cli/narrow_gaps.h"
#include "sim/cli/source_forecast.h"

namespace firn {

void FrameWarnings::tellOfScene(const Simulation& simulation)
{
    for (const std::string& remark : simulation.remarks()) m_progress.warning(remark);
    for (const std::string& remark : remarksOf(m_scene, sourcesOf(m_scene, simulation.bodies())))
        m_progress.warning(remark);
    for (const std::string& remark : remarksOnNarrowGaps(m_scene, simulation.bodies())) m_progress.warning(remark);
    for (const std::string& remark : remarksOnFastBodies(m_scene, simulation.bodies())) m_progress.warning(remark);
}

void FrameWarnings::tellOfFrame(const Simulation& simulation)
{
    const FrameStats& stats = simulation.stats();
    tellOfCaughtSnow(stats);
    tellOfShortSteps(stats);
    tellOfBorder(stats);
    tellOfFullMouths(simulation);
    tellOfFewPuffs(stats);
}

/// Once, where powder is coarser than it would be.
void FrameWarnings::tellOfFewPuffs(const FrameStats& stats)
{
    if (!stats.has_fewer_puffs || std::exchange(m_hasFewPuffs, true)) return;
    m_progress.warning("frame " + std::to_string(stats.frame) +
                       ": there would be more than air.most_puffs = " + std::to_string(m_scene.air.most_puffs) +
                       " puffs of powder, so puffs that are close to each other became one, and powder is coarser");
}

/// Once for each pair of bodies. Contact keeps snow out of a body unless another body leaves it no place.
void FrameWarnings::tellOfCaughtSnow(const FrameStats& stats)
{
    for (const auto& [bodies, mass_kg] : stats.diagnostics.caught_kg) {
        if (!m_caughtBetween.insert(bodies).second) continue;
        const auto name = [&](int body) { return quotedName(m_scene.bodies[static_cast<std::size_t>(body)].name); };
        char mass[40];
        std::snprintf(mass, sizeof mass, "%.3g kg", mass_kg);
        m_progress.warning("frame " + std::to_string(stats.frame) + ": " + mass + " of snow is inside the body " +
                           name(bodies[0]) + (bodies[1] < 0 ? "" : ", caught between it and " + name(bodies[1])));
    }
}

/// Once for each source whose snow does not flow away.
void FrameWarnings::tellOfFullMouths(const Simulation& simulation)
{
    for (const auto& [region, ratio] : simulation.fullMouths()) {
        if (!m_fullMouths.insert(region).second) continue;
        char text[240];
        std::snprintf(text, sizeof text,
                      ": the mouth of snow region %s holds %.1f times the snow that fills it. Its snow does not "
                      "flow away, and more is pressed into it; end the source earlier, or move its mouth",
                      quotedName(m_scene.snow[region].name).c_str(), ratio);
        m_progress.warning("frame " + std::to_string(simulation.frame()) + text);
    }
}

/// Once, where moving snow is beyond the window.
void FrameWarnings::tellOfBorder(const FrameStats& stats)
{
    if (stats.beyond == 0 || std::exchange(m_hasPassedBorder, true)) return;
    m_progress.warning("frame " + std::to_string(stats.frame) + ": " + std::to_string(stats.beyond) +
                       (stats.beyond == 1 ? " moving particle is" : " moving particles are") +
                       " beyond the window, where the snow on the ground is not simulated "
                       "yet: they fall through it. A larger window.reach_m avoids this");
}

/// Once, where snow has become so stiff that a frame takes very many steps.
void FrameWarnings::tellOfShortSteps(const FrameStats& stats)
{
    constexpr long many = 30;
    if (stats.substeps == 0 || m_firstSubsteps < 0) return;
    if (m_firstSubsteps == 0) m_firstSubsteps = stats.substeps;
    if (stats.substeps < many * m_firstSubsteps) return;
    m_progress.warning("frame " + std::to_string(stats.frame) + " took " +
                       std::to_string(stats.substeps / m_firstSubsteps) + " times as many steps as the first one (" +
                       stats.dt_limit +
                       "). Snow that bodies press beyond the density of ice, as between bodies that squeeze it, needs "
                       "shorter and shorter steps");
    m_firstSubsteps = -1;
}

}  // namespace firn
