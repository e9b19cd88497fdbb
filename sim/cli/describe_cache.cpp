#include "sim/cli/describe_cache.h"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>

#include "common/cache/checkpoint.h"
#include "common/cache/layout.h"
#include "common/cache/points_file.h"
#include "common/cache/stats.h"
#include "common/cache/wedge.h"
#include "common/error.h"
#include "common/io/checked_file.h"
#include "common/io/frame_range.h"
#include "common/io/json.h"
#include "common/io/own_file.h"
#include "common/scene/flat_scene.h"
#include "sim/cli/cache_folder.h"
#include "sim/cli/origin.h"
#include "sim/cli/own_files.h"
#include "sim/cli/stats_line.h"

namespace firn {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* moveAwayText = "move the file away before you continue with --resume";

Json vectorJson(const Vec3d& v) { return {v.x(), v.y(), v.z()}; }

Json describeFrame(const fs::path& path)
{
    ParticleFrame frame = readPointsFile(path);
    const ParticleFrame powder = takePowder(frame);
    Box3d bounds;
    double mass = 0;
    float speed = 0;
    for (std::size_t i = 0; i < frame.size(); ++i) {
        bounds.extend(frame.position_m[i]);
        mass += frame.mass_kg[i];
        speed = std::max(speed, frame.velocity_m_s[i].norm());
    }
    Json result = {{"kind", "frame"},
                   {"path", path.string()},
                   {"frame", frame.frame},
                   {"time_s", frame.time_s},
                   {"fps", frame.fps},
                   {"dx_m", frame.dx_m},
                   {"particles", frame.size()},
                   {"mass_kg", mass},
                   {"max_speed_m_s", speed},
                   {"scene_hash", frame.scene_hash},
                   {"bytes", fs::file_size(path)}};
    if (powder.size() > 0) {
        result["puffs"] = powder.size();
        result["powder_kg"] = std::accumulate(powder.mass_kg.begin(), powder.mass_kg.end(), 0.0);
    }
    if (!bounds.isEmpty()) {
        result["min_m"] = vectorJson(bounds.min());
        result["max_m"] = vectorJson(bounds.max());
    }
    return result;
}

Json describeCheckpoint(const fs::path& path)
{
    const Checkpoint checkpoint = readCheckpoint(path);
    const Json header = tryParseJson(checkpoint.header);
    if (!header.is_object()) throw Error(ExitCode::File, path.string() + ": its header is not a JSON object");
    Json blocks = Json::object();
    for (const auto& [name, data] : checkpoint.blocks) blocks[name] = data.size();
    return {{"kind", "checkpoint"},
            {"path", path.string()},
            {"frame", header.value("frame", Json())},
            {"program", header.value("program", Json())},
            {"scene_hash", header.value("scene_hash", Json())},
            {"blocks", blocks}};
}

/// Frames up to the end of the run that have no line: they are not simulated yet.
std::vector<int> framesToSimulate(const std::vector<StatsLine>& lines)
{
    std::vector<int> missing;
    if (lines.empty()) return missing;
    const int end = std::max(lines.back().frame, parseJson(lines.back().text).value("end_frame", lines.back().frame));
    auto line = lines.begin();
    for (int frame = lines.front().frame; frame <= end; ++frame) {
        if (line != lines.end() && line->frame == frame) {
            ++line;
        } else {
            missing.push_back(frame);
        }
    }
    return missing;
}

std::string regionKey(int region, const std::string& key) { return "snow." + std::to_string(region) + "." + key; }

std::string lastPart(const std::string& key) { return key.substr(key.rfind('.') + 1); }

/// A number, or text without quotes.
Json valueOf(const std::string& text)
{
    Json number = tryParseJson(text);
    if (number.is_number()) return number;
    const bool isQuoted = text.size() >= 2 && (text.front() == '"' || text.front() == '\'');
    return clampText(isQuoted ? text.substr(1, text.size() - 2) : text, 60);
}

/// What a cache has beside frames and checkpoints. Earlier versions called the scene scene.toml.
Json describeOthers(const CacheLayout& layout, const std::string& linesDoubt)
{
    Json others = Json::array();
    const auto add = [&](const fs::path& path, bool isMissing, const std::function<std::string()>& damage) {
        Json entry = {{"name", path.filename().string()}, {"missing", false}, {"unreadable", false}};
        try {
            requireReadable(path);
            entry["missing"] = isMissing;
            entry["damage"] = isMissing ? "missing" : damage();
        } catch (const Error& error) {
            entry["unreadable"] = true;
            entry["damage"] = error.what();
        }
        others.push_back(entry);
    };
    const std::string changed = "not as a run writes it";
    const bool hasScene = fs::exists(layout.scenePath());
    add(layout.statsPath(), false, [&] { return linesDoubt; });
    add(layout.scenePath(), !hasScene && readResolvedScene(layout).empty(),
        [&] { return !hasScene || beginsWith(layout.scenePath(), sceneMark) ? "" : changed; });
    add(layout.usdaPath(), !fs::exists(layout.usdaPath()), [&] { return framesOfUsda(layout) ? "" : changed; });
    return others;
}

/// Frames that were simulated, and not written because --frames left them out.
std::vector<int> leftOut(const StatsFile& stats)
{
    std::vector<int> frames;
    for (const StatsLine& line : stats.lines())
        if (!line.snowFile()) frames.push_back(line.frame);
    return frames;
}

/// Frames of a cache by what is known of them, in order.
struct KnownFrames {
    std::vector<int> open;      // not simulated yet
    std::vector<int> unlisted;  // a file without a line
    std::vector<int> missing;   // without a line, or a file of the line has been removed
    bool lacks_lines;           // lines before the last one have been removed

    KnownFrames(const CacheLayout& layout, const StatsFile& stats)
        : open(framesToSimulate(stats.lines())), unlisted(layout.frames()), missing(open)
    {
        const std::vector<int> files = unlisted;
        std::erase_if(unlisted, [&](int frame) { return stats.find(frame) != nullptr; });
        std::erase_if(open, [&](int frame) { return std::ranges::binary_search(files, frame); });
        const auto isBeforeLastLine = [&](const std::vector<int>& unknown) {
            return !unknown.empty() && unknown.front() < stats.lines().back().frame;
        };
        lacks_lines = stats.lines().empty() ? !files.empty() : isBeforeLastLine(missing) || isBeforeLastLine(unlisted);
        for (const StatsLine& line : stats.lines()) {
            for (const WrittenFile& file : line.files) {
                if (!fs::exists(layout.folder / file.path)) missing.push_back(line.frame);
            }
        }
        std::ranges::sort(missing);
    }
};

/// Points files that no line lists and no run of this cache wrote. A run that was killed may have left one of a changed
/// scene, which resolved.scene has then. If lines have been lost, later frames may be of this cache.
Json describeStrays(const CacheLayout& layout, const StatsFile& stats, bool lacksLines)
{
    const std::string scene = sceneHashInResolved(layout);
    Json strays = Json::array();
    for (const fs::path& pattern : {layout.framePattern(), layout.frozenPattern()}) {
        for (const int frame : existingFrames(pattern)) {
            const fs::path path = framePath(pattern, frame);
            const StatsLine* const line = stats.find(frame);
            if (line != nullptr && line->lists(path.filename())) continue;
            const std::string why =
                lacksLines ? strayText(path, frame, stats, scene) : unlistedText(path, frame, stats, scene);
            if (!why.empty())
                strays.push_back({{"name", path.filename().string()}, {"damage", why + "; " + moveAwayText}});
        }
    }
    return strays;
}

/// What is not as a run leaves it, and costs no frame.
Json describeNotes(const CacheLayout& layout, const StatsFile& stats, bool lacksLines)
{
    Json notes = Json::array();
    if (!foreignStatsText(layout, stats).empty()) return notes;
    if (const std::string doubt = sceneDoubt(layout, stats); !doubt.empty())
        notes.push_back(layout.scenePath().filename().string() + " " + doubt +
                        ", so it does not tell what their snow is. A run of their scene with --resume writes it anew");
    if (stats.lines().empty()) return notes;
    std::vector<int> frames;
    for (const StatsLine& line : stats.lines())
        if (line.snowFile()) frames.push_back(line.frame);
    if (lacksLines || !fs::exists(layout.usdaPath())) return notes;
    const std::optional<std::vector<int>> inLayer = framesOfUsda(layout);
    if (inLayer && *inLayer != frames)
        notes.push_back(layout.usdaPath().filename().string() + " lists " +
                        (inLayer->empty() ? "no frames" : framesText(*inLayer)) + ", and the cache has " +
                        (frames.empty() ? "no frames" : framesText(frames)) +
                        ": programs that read it see other frames. A run with --resume writes it anew");
    return notes;
}

/// What the regions of snow are, as resolved.scene says; empty if it cannot be read or is not of the frames.
Json describeRegions(const CacheLayout& layout, const StatsFile& stats)
{
    Json regions = Json::array();
    try {
        if (!sceneDoubt(layout, stats).empty()) return regions;
        const auto values = flatScene(readResolvedScene(layout), layout.scenePath().string());
        for (int i = 0; values.contains(regionKey(i, "name")); ++i) {
            Json region = {{"name", valueOf(values.at(regionKey(i, "name")))}};
            for (const char* key : {"preset", "material.density_kg_m3", "look.grain_radius_mm", "look.wetness"}) {
                const auto value = values.find(regionKey(i, key));
                if (value != values.end()) region[lastPart(key)] = valueOf(value->second);
            }
            regions.push_back(region);
        }
    } catch (const Error&) {
        return Json::array();
    }
    return regions;
}

/// What a file that a line lists is instead; "" if it is damaged or whole. Where stats.jsonl itself is foreign, it
/// cannot tell which files are.
std::string foreignFileText(const fs::path& path, const FileFault& fault, const StatsLine& line, const StatsFile& stats,
                            bool areLinesForeign)
{
    if (fault.kind != FileFault::Kind::Damaged || areLinesForeign) return "";
    std::string why = exchangedText(path, line.frame, stats, "");
    if (why.empty()) why = otherFrameText(path);
    return why.empty() ? "" : why + "; " + moveAwayText;
}

Json describeFrames(const fs::path& folder, const StatsFile& stats, bool areLinesForeign)
{
    Json frames = Json::array();
    for (const StatsLine& line : stats.lines()) {
        Json entry = {{"frame", line.frame}, {"instructions", instructionsOf(line)}, {"files", Json::array()}};
        for (const WrittenFile& file : line.files) {
            const FileFault fault = faultOf(folder, file);
            const std::string foreign = foreignFileText(folder / file.path, fault, line, stats, areLinesForeign);
            const bool isWhole = fault.kind == FileFault::Kind::Damaged && areLinesForeign &&
                                 !otherFrameText(folder / file.path).empty();
            entry["files"].push_back({{"name", file.path.string()},
                                      {"bytes", file.bytes},
                                      {"missing", fault.kind == FileFault::Kind::Missing},
                                      {"unreadable", fault.kind == FileFault::Kind::Unreadable},
                                      {"damage", !foreign.empty() ? foreign
                                                 : isWhole        ? ""
                                                                  : fault.text},
                                      {"foreign", !foreign.empty()}});
        }
        frames.push_back(entry);
    }
    return frames;
}

/// Whether no file is the listed one, and at least one is another frame: then stats.jsonl is from elsewhere. Files that
/// are no frames at all tell nothing.
bool areAllForeign(const Json& frames)
{
    bool hasOther = false;
    for (const Json& frame : frames) {
        for (const Json& file : frame.at("files")) {
            if (file.at("missing")) continue;
            if (!file.at("foreign")) return false;
            hasOther = hasOther || !file.at("damage").get<std::string>().starts_with(foreignText);
        }
    }
    return hasOther;
}

bool isDamaged(const Json& file) { return !file.at("damage").get<std::string>().empty(); }

/// Whether checkpoints can be read, and stats.jsonl lacks lines that each of them needs.
bool lackLinesOf(const Json& checkpoints, const StatsFile& stats)
{
    const auto isWhole = [](const Json& checkpoint) { return !isDamaged(checkpoint); };
    const auto isCovered = [&](const Json& checkpoint) {
        if (stats.lines().empty()) return true;
        for (int frame = stats.lines().front().frame; frame < checkpoint.at("frame"); ++frame)
            if (!stats.find(frame)) return false;
        return true;
    };
    return std::ranges::any_of(checkpoints, isWhole) && std::ranges::none_of(checkpoints, [&](const Json& checkpoint) {
               return isWhole(checkpoint) && isCovered(checkpoint);
           });
}

Json describeCheckpoints(const CacheLayout& layout, const StatsFile& stats, bool areLinesForeign)
{
    Json checkpoints = Json::array();
    for (const int frame : layout.checkpoints()) {
        const fs::path path = layout.checkpointPath(frame);
        std::string damage;
        bool isForeign = false;
        try {
            readCheckpoint(path);
            if (!areLinesForeign) damage = foreignCheckpointText(layout, frame, stats, "");
            isForeign = !damage.empty();
        } catch (const DamagedCheckpoint& error) {
            damage = error.damage();
        } catch (const Error& error) {
            damage = error.what();
        }
        isForeign = isForeign || !isOwnCheckpoint(layout, frame);
        if (isForeign) damage += std::string("; ") + moveAwayText;
        checkpoints.push_back(
            {{"name", path.filename().string()}, {"frame", frame}, {"damage", damage}, {"foreign", isForeign}});
    }
    return checkpoints;
}

void requireStatistics(const CacheLayout& layout)
{
    requireNoDeadLink(layout.statsPath());
    if (fs::exists(layout.statsPath())) return;
    const std::string folder = layout.folder.string();
    requireNoWedge(layout.folder);
    const std::vector<int> frames = layout.frames();
    if (frames.empty()) {
        const std::vector<int> checkpoints = layout.checkpoints();
        throw Error(
            ExitCode::File,
            folder + (checkpoints.empty() ? " holds no cache: it has no stats.jsonl"
                                          : " has checkpoints of " + framesText(checkpoints) +
                                                " but neither frames nor stats.jsonl: copy these from a backup"));
    }
    const std::string first =
        frames.size() == 1 ? "If the run stopped in this frame, --resume simulates it again; otherwise copy " : "Copy ";
    throw Error(ExitCode::File, folder + " has " + framesText(frames) + " but no stats.jsonl, which lists them. " +
                                    first + "the file from a backup, or simulate anew in another folder");
}

Json describeFolder(const fs::path& folder)
{
    const CacheLayout layout{folder};
    requireNoStrayWedge(folder);
    requireStatistics(layout);
    requireWholeStatistics(layout);
    const StatsFile stats(layout.statsPath());
    std::string linesDoubt = foreignStatsText(layout, stats);
    Json frames = describeFrames(folder, stats, !linesDoubt.empty());
    if (areAllForeign(frames)) {
        linesDoubt = "lists other files than all frames beside it: it was copied from another cache";
        frames = describeFrames(folder, stats, true);
    }
    const bool areLinesForeign = !linesDoubt.empty();
    const Json others = describeOthers(layout, linesDoubt);
    const Json checkpoints = describeCheckpoints(layout, stats, areLinesForeign);
    KnownFrames known(layout, stats);
    known.lacks_lines = known.lacks_lines || lackLinesOf(checkpoints, stats);
    const bool hasLater = std::ranges::any_of(checkpoints, [&](const Json& checkpoint) {
        return !isDamaged(checkpoint) && !stats.lines().empty() && checkpoint.at("frame") > stats.lines().back().frame;
    });
    const Json strays = describeStrays(layout, stats, known.lacks_lines || hasLater);
    const auto foreignFrames = std::ranges::count_if(
        strays, [](const Json& stray) { return stray.at("name").get<std::string>().starts_with("snow."); });
    const bool mustContinue = !known.open.empty() || known.unlisted.size() > static_cast<std::size_t>(foreignFrames);
    const bool lacksCheckpoint = mustContinue && std::ranges::all_of(checkpoints, isDamaged);
    const bool isStuck = lacksCheckpoint && sceneCount(stats.lines()) != 1;
    bool isWhole = !known.lacks_lines && !isStuck && std::ranges::none_of(checkpoints, isDamaged) &&
                   std::ranges::none_of(others, isDamaged) && strays.empty();
    std::uint64_t bytes = 0;
    for (const Json& frame : frames) {
        for (const Json& file : frame.at("files")) {
            isWhole = isWhole && !isDamaged(file);
            if (!file.at("missing")) bytes += file.at("bytes").get<std::uint64_t>();
        }
    }
    return {{"kind", "cache"},
            {"path", folder.string()},
            {"whole", isWhole},
            {"complete", known.missing.empty() && known.unlisted.empty() && !stats.lines().empty()},
            {"lines_are_foreign", areLinesForeign},
            {"missing", formatFrames(known.missing)},
            {"not_simulated", formatFrames(known.open)},
            {"unlisted", formatFrames(known.unlisted)},
            {"left_out", formatFrames(leftOut(stats))},
            {"lacks_lines", known.lacks_lines},
            {"lacks_checkpoint", lacksCheckpoint},
            {"scenes", sceneCount(stats.lines())},
            {"scene_ends", formatFrames(sceneEnds(stats.lines()))},
            {"first_scene_end", stats.lines().empty() ? Json() : Json(firstSceneEnd(stats.lines()))},
            {"bytes", bytes},
            {"regions", describeRegions(layout, stats)},
            {"frames", frames},
            {"checkpoints", checkpoints},
            {"others", others},
            {"notes", describeNotes(layout, stats, known.lacks_lines)},
            {"strays", strays}};
}

}  // namespace

Json describeCache(const fs::path& path)
{
    if (!fs::exists(path)) throw Error(ExitCode::File, path.string() + ": no such file or folder");
    if (fs::is_directory(path)) return describeFolder(path);
    if (path.extension() == ".firn") return describeCheckpoint(path);
    if (path.extension() == ".vdb") return describeFrame(path);
    throw Error(ExitCode::File,
                path.string() + ": expected the folder of a cache, a frame (.vdb) or a checkpoint (.firn)");
}

}  // namespace firn
