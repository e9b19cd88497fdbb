#include "sim/cli/stats_line.h"

#include <sys/resource.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>

#include "common/instruction_set.h"
#include "common/io/json.h"
#include "common/io/progress.h"

namespace firn {
namespace {

std::string format(const char* form, auto... values)
{
    char text[256];
    std::snprintf(text, sizeof text, form, values...);
    return text;
}

std::string formatCount(double count)
{
    if (count < 10000) return format("%.0f", count);
    return count < 1e6 ? format("%.0f k", count / 1e3) : format("%.2f M", count / 1e6);
}

}  // namespace

std::uint64_t peakMemory()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

StatsLine makeStatsLine(const FrameStats& stats, const std::vector<WrittenFile>& files, const std::string& sceneHash,
                        int endFrame)
{
    StatsLine line{stats.frame, files, ""};
    auto fileList = nlohmann::ordered_json::array();
    for (WrittenFile& file : line.files) {
        file.path = file.path.filename();
        fileList.push_back({{"name", file.path.string()}, {"bytes", file.bytes}, {"checksum", file.checksum}});
    }
    const double steps = static_cast<double>(stats.substeps) * static_cast<double>(stats.particles);
    double caught_kg = 0;
    for (const auto& [bodies, mass] : stats.diagnostics.caught_kg) caught_kg += mass;
    nlohmann::ordered_json text = {
        {"frame", stats.frame},
        {"end_frame", endFrame},
        {"time_s", stats.time_s},
        {"substeps", stats.substeps},
        {"dt_min_s", stats.dt_min_s},
        {"dt_max_s", stats.dt_max_s},
        {"dt_limit", stats.dt_limit},
        {"integrator", stats.integrator},
        {"integrator_reason", stats.integrator_reason},
        {"particles", stats.particles},
        {"sleeping", stats.sleeping},
        {"frozen", stats.frozen},
        {"leaves", stats.leaves},
        {"cr_iterations", stats.cr_iterations},
        {"cr_failures", stats.cr_failures},
        {"rollbacks", stats.rollbacks},
        {"seconds", stats.seconds},
        {"particle_steps_per_s", stats.seconds > 0 ? steps / stats.seconds : 0.0},
        {"peak_rss_bytes", peakMemory()},
        {"mass_kg", stats.mass_kg},
        {"momentum", {stats.momentum.x(), stats.momentum.y(), stats.momentum.z()}},
        {"max_speed_m_s", stats.max_speed_m_s},
        {"kinetic_energy_j", stats.diagnostics.kinetic_J},
        {"potential_energy_j", stats.diagnostics.potential_J},
        {"elastic_energy_j", stats.diagnostics.elastic_J},
        {"penetration_m", stats.diagnostics.penetration_m},
        {"penetrating", stats.diagnostics.penetrating},
        {"caught_kg", caught_kg},
        {"instructions", instructionSet},
        {"scene_hash", sceneHash},
        {"files", fileList},
    };
    if (stats.powder_kg > 0 || stats.settled_powder_kg > 0) {
        text["puffs"] = stats.puffs;
        text["powder_kg"] = stats.powder_kg;
        text["settled_powder_kg"] = stats.settled_powder_kg;
    }
    line.text = jsonText(text);
    return line;
}

std::string sceneHashOf(const StatsLine& line)
{
    const auto json = tryParseJson(line.text);
    const auto hash = json.find("scene_hash");
    return hash != json.end() && hash->is_string() ? hash->get<std::string>() : "";
}

std::string instructionsOf(const StatsLine& line)
{
    const auto json = tryParseJson(line.text);
    const auto name = json.find("instructions");
    return name != json.end() && name->is_string() ? name->get<std::string>() : "";
}

std::string otherInstructionsText(const StatsLine& line)
{
    const std::string instructions = instructionsOf(line);
    if (instructions.empty() || instructions == instructionSet) return "";
    return "frame " + std::to_string(line.frame) + " was simulated with " + clampText(instructions, 20) +
           " instructions, and this program uses " + instructionSet;
}

int firstSceneEnd(const std::vector<StatsLine>& lines)
{
    int end = lines.front().frame;
    for (const StatsLine& line : lines) {
        if (sceneHashOf(line) != sceneHashOf(lines.front())) break;
        end = line.frame;
    }
    return end;
}

std::vector<int> sceneEnds(const std::vector<StatsLine>& lines)
{
    std::vector<int> ends;
    for (std::size_t i = 1; i < lines.size(); ++i)
        if (sceneHashOf(lines[i]) != sceneHashOf(lines[i - 1])) ends.push_back(lines[i - 1].frame);
    return ends;
}

std::size_t sceneCount(const std::vector<StatsLine>& lines)
{
    std::set<std::string> scenes;
    for (const StatsLine& line : lines) scenes.insert(sceneHashOf(line));
    return scenes.size();
}

std::string frameText(const FrameStats& stats, int endFrame)
{
    if (stats.substeps == 0) {
        return format("frame %d/%d  initial state  ", stats.frame, endFrame) +
               formatCount(static_cast<double>(stats.particles)) + " particles";
    }
    return format("frame %d/%d  %ld substeps  dt %.3g-%.3g ms (%s)  ", stats.frame, endFrame, stats.substeps,
                  1e3 * stats.dt_min_s, 1e3 * stats.dt_max_s, stats.dt_limit.c_str()) +
           formatCount(static_cast<double>(stats.particles)) + " particles  " + std::to_string(stats.leaves) +
           " leaves  " + formatBytes(static_cast<double>(peakMemory())) + format("  %.1f s", stats.seconds);
}

std::string substepText(const SubstepStatus& status, int endFrame)
{
    return format("frame %d/%d %2.0f%%  substep %ld  dt %.3g ms (%s)  ", status.frame, endFrame,
                  100 * status.frame_fraction, status.substep, 1e3 * status.dt_s, status.dt_limit.c_str()) +
           formatCount(static_cast<double>(status.particles)) + " particles  " + std::to_string(status.leaves) +
           " leaves  " + formatBytes(static_cast<double>(peakMemory()));
}

}  // namespace firn
