#include "render/cli/playblast_page.h"

#include <nlohmann/json.hpp>

#include "common/cache/layout.h"
#include "common/cache/stats.h"
#include "common/error.h"
#include "common/io/checked_file.h"
#include "common/io/json.h"
#include "common/page/page.h"

namespace firn {

extern const std::string_view playblastBody, playblastStyle, playblastScript;  // render/cli/playblast

namespace {

constexpr std::string_view pageKind = "firn-render playblast";

using Json = nlohmann::ordered_json;

/// The lines of the cache's statistics, without the lists of files; none where they cannot be read.
Json statisticsOf(const std::filesystem::path& cache)
{
    Json lines = Json::array();
    try {
        const StatsFile stats(CacheLayout{cache}.statsPath());
        for (const StatsLine& line : stats.lines()) {
            Json json = parseOrderedJson(line.text);
            json.erase("files");
            lines.push_back(std::move(json));
        }
    } catch (const Error&) {
        return Json::array();  // firn-sim info tells of damage
    }
    return lines;
}

}  // namespace

void requirePlayblastPage(const std::filesystem::path& path) { requireReplaceablePage(path, pageKind); }

void writePlayblastPage(const std::filesystem::path& path, const PlayblastPage& page,
                        const std::filesystem::path& cache)
{
    requirePlayblastPage(path);
    const Json data = {{"title", page.title},           {"fps", page.fps},
                       {"last_frame", page.last_frame}, {"growing", page.is_growing},
                       {"frames", page.frames},         {"pictures", page.pictures},
                       {"color", page.color},           {"stats", statisticsOf(cache)}};
    writeFileChecked(path, makePage({.kind = pageKind,
                                     .title = page.title + ": playblast",
                                     .style = playblastStyle,
                                     .body = playblastBody,
                                     .script = playblastScript,
                                     .data = scriptJson(data),
                                     .payload = "",
                                     .has_files = true}));
}

}  // namespace firn
