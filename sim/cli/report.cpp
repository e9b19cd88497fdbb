#include "sim/cli/report.h"

#include <deque>
#include <iostream>
#include <nlohmann/json.hpp>

#include "common/cache/layout.h"
#include "common/cache/points_file.h"
#include "common/cache/stats.h"
#include "common/cache/wedge.h"
#include "common/cli/program.h"
#include "common/io/checked_file.h"
#include "common/io/command_text.h"
#include "common/io/frame_range.h"
#include "common/io/json.h"
#include "common/page/page.h"
#include "sim/cli/density_preview.h"
#include "sim/cli/describe_cache.h"

namespace firn {

extern const std::string_view runReportBody, runReportStyle, runReportScript;  // sim/cli/report

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Evenly spaced over the lines that have a points file, the first and the last among them.
std::vector<const StatsLine*> previewed(const StatsFile& stats, int count)
{
    std::vector<const StatsLine*> written, chosen;
    for (const StatsLine& line : stats.lines()) {
        if (line.snowFile()) written.push_back(&line);
    }
    const std::size_t most = std::min(written.size(), static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < most; ++i) {
        chosen.push_back(written[most == 1 ? written.size() - 1 : i * (written.size() - 1) / (most - 1)]);
    }
    return chosen;
}

/// A cache, and those of its frames that are shown.
struct Cache {
    fs::path folder;
    Json description;  // describeCache
    StatsFile stats;
    std::vector<const StatsLine*> shown;
};

/// Calls `use` with one frame after the other, so that memory holds one at a time. Frames that cannot be read are
/// removed from `shown`, with a warning.
template <typename Use>
void forEachShown(Cache& cache, Use use)
{
    std::erase_if(cache.shown, [&](const StatsLine* line) {
        try {
            const WrittenFile& file = *line->snowFile();
            ParticleFrame frame = readPointsFile(cache.folder / file.path, file.checksum);
            takePowder(frame);
            frame.frame = line->frame;
            use(frame);
            return false;
        } catch (const Error& error) {
            warn(std::string("no preview: ") + error.what());
            return true;
        }
    });
}

/// One window for all, so that the pictures of two runs show the same part of space.
PreviewWindow windowOf(std::deque<Cache>& caches)
{
    SnowBounds bounds;
    for (Cache& cache : caches) forEachShown(cache, [&](const ParticleFrame& frame) { bounds.extend(frame); });
    return previewWindow(bounds);
}

Json previewsOf(Cache& cache, PreviewWindow& window)
{
    Json previews = Json::array();
    forEachShown(cache, [&](const ParticleFrame& frame) {
        if (window.reference <= 0) window.reference = middleColumnMass(frame, window);
        previews.push_back({{"frame", frame.frame}, {"png", base64(encodePng(densityPreview(frame, window)))}});
    });
    return previews;
}

/// Between the first line and the last one, or else those of files after the last one, where lines have been lost; as a
/// range.
std::string framesWithoutLine(const Json& description, const std::vector<StatsLine>& lines)
{
    std::vector<int> frames;
    for (std::size_t i = 1; i < lines.size(); ++i)
        for (int frame = lines[i - 1].frame + 1; frame < lines[i].frame; ++frame) frames.push_back(frame);
    if (!frames.empty()) return formatFrames(frames);
    return description.at("lacks_lines") ? description.at("unlisted").get<std::string>() : "";
}

std::string nameOf(const Json& file) { return file.at("name").get<std::string>(); }

/// Calls `use` with each file that is not as a run leaves it (describeCache).
template <typename Use>
void forEachFault(const Json& description, Use use)
{
    const auto look = [&](const Json& files) {
        for (const Json& file : files)
            if (file.value("missing", false) || !file.at("damage").get<std::string>().empty()) use(file);
    };
    for (const Json& frame : description.at("frames")) look(frame.at("files"));
    for (const char* kind : {"checkpoints", "others", "strays"}) look(description.at(kind));
}

/// What is damaged or missing in a cache, with a warning.
Json damagedFiles(const Cache& cache)
{
    Json damaged = Json::array();
    std::string lost, unreadable;  // names
    const std::string folder = cache.folder.string(), advice = "'firn-sim info " + shellPath(cache.folder) + "' says ";
    forEachFault(cache.description, [&](const Json& file) {
        damaged.push_back(nameOf(file) + ": " +
                          (file.value("missing", false) ? "missing" : file.at("damage").get<std::string>()));
        std::string& names = file.value("unreadable", false) ? unreadable : lost;
        names += (names.empty() ? "" : ", ") + clampText(nameOf(file), 60);
    });
    if (const std::string frames = framesWithoutLine(cache.description, cache.stats.lines()); !frames.empty()) {
        damaged.push_back("stats.jsonl has no line of " + framesText(frames));
        warn(folder + ": " + damaged.back().get<std::string>() + "; " + advice + "what to do");
    }
    if (!lost.empty()) warn(folder + ": damaged or missing: " + lost + "; " + advice + "how to restore them");
    if (!unreadable.empty()) warn(folder + ": cannot be read: " + unreadable);
    return damaged;
}

/// The scene as text. Where resolved.scene is not that of the frames, none, and what is wrong, with a warning.
struct ShownScene {
    std::string text, fault;
};
ShownScene sceneOf(const Cache& cache)
{
    const CacheLayout layout{cache.folder};
    std::string fault;
    for (const Json& note : cache.description.at("notes")) {
        const std::string text = note.get<std::string>();
        warn("warning: " + cache.folder.string() + ": " + text);
        if (text.starts_with(layout.scenePath().filename().string())) fault = text;
    }
    return fault.empty() ? ShownScene{readResolvedScene(layout), ""} : ShownScene{"", fault};
}

Json runOf(Cache& cache, PreviewWindow& window)
{
    Json frames = Json::array();
    for (const StatsLine& line : cache.stats.lines()) {
        Json frame = parseOrderedJson(line.text);
        frame.erase("files");
        frames.push_back(std::move(frame));
    }
    const ShownScene scene = sceneOf(cache);
    return {{"name", cache.folder.string()},         {"frames", frames},    {"damaged", damagedFiles(cache)},
            {"previews", previewsOf(cache, window)}, {"scene", scene.text}, {"scene_fault", scene.fault}};
}

}  // namespace

ExitCode report(const ReportOptions& options)
{
    if (options.folders.size() > 2) throw Error(ExitCode::Usage, "report: give one folder, or two to compare");
    std::deque<Cache> caches;  // stays in place: `shown` points into its lines
    for (const fs::path& folder : options.folders) {
        requireNoWedge(folder);
        if (!fs::is_directory(folder)) throw Error(ExitCode::File, folder.string() + " is not the folder of a cache");
        Cache& cache =
            caches.emplace_back(Cache{folder, describeCache(folder), StatsFile(CacheLayout{folder}.statsPath()), {}});
        if (cache.stats.lines().empty())
            throw Error(ExitCode::File, CacheLayout{folder}.statsPath().string() + " has no lines; 'firn-sim info " +
                                            shellPath(folder) + "' says what to do");
        cache.shown = previewed(cache.stats, options.previews);
    }
    PreviewWindow window = windowOf(caches);
    Json runs = Json::array();
    std::string title;
    bool isWhole = true;
    for (Cache& cache : caches) {
        runs.push_back(runOf(cache, window));
        isWhole = isWhole && runs.back().at("damaged").empty();
        title += (title.empty() ? "" : " and ") + clampText(cache.folder.string());
    }
    const fs::path out = options.out.empty() ? options.folders.front() / "report.html" : options.out;
    requireReplaceablePage(out, "firn-sim report");
    prepareFolder(fs::absolute(out).parent_path());
    writeFileChecked(out, makePage({"firn-sim report", title, runReportStyle, runReportBody, runReportScript,
                                    scriptJson({{"runs", runs}}), ""}));
    std::cout << out.string() << std::endl;
    return isWhole ? ExitCode::Done : ExitCode::File;
}

}  // namespace firn
