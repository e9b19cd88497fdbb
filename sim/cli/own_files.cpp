#include "sim/cli/own_files.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <set>

#include "common/cache/checkpoint.h"
#include "common/cache/points_file.h"
#include "common/cache/stats.h"
#include "common/cache/usda.h"
#include "common/error.h"
#include "common/io/checked_file.h"
#include "common/io/own_file.h"

namespace firn {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t largestUsdaBytes = 1 << 26;  // 2 million frames

[[noreturn]] void refuseForeign(const fs::path& path)
{
    requireReadable(path);
    const CacheLayout layout{path.parent_path()};
    const bool hasLines = path == layout.statsPath() && !layout.frames().empty();  // that frames need
    throw Error(ExitCode::File,
                path.string() + " " + std::string(foreignText) +
                    (hasLines ? ". Runs use this name, and the frames beside it need its lines: restore "
                                "it from a backup, or choose another --out"
                              : ". Runs use this name: move the file away (a run writes its own), or "
                                "choose another --out"));
}

/// stats.jsonl has lines of a run before the one that is damaged. A checkpoint has a copy of the last line.
[[noreturn]] void refuseDamagedStatistics(const std::string& damage, bool isCut)
{
    throw Error(ExitCode::File, damage + (isCut ? ". The last line is cut: delete it, and --resume writes it "
                                                  "again or tells what is missing"
                                                : ". The file is damaged, and a run can only continue with all "
                                                  "its lines: restore it from a backup, or move the folder away "
                                                  "and start over"));
}

/// Also of a link that leads nowhere.
bool isThere(const fs::path& path)
{
    std::error_code error;
    return fs::exists(fs::symlink_status(path, error));
}

/// What stats.jsonl says, up to the first line that is not of a simulation.
struct Statistics {
    bool is_readable = false;  // at least one line
    bool is_firns = false;     // readable, or damaged in the first line
    std::string damage;        // what is wrong with the first line that no run writes
    bool is_cut = false;       // whether that is the last line, and its end is missing
    std::set<std::string> listed;
    std::optional<int> last_frame;

    explicit Statistics(const fs::path& path)
    {
        requireReadable(path);
        std::ifstream in(path);
        int number = 0;
        for (std::string text; std::getline(in, text);) {
            ++number;
            if (text.empty()) continue;
            try {
                const std::string source = path.string() + ":" + std::to_string(number);
                const StatsLine line = parseStatsLine(text, source);
                requireLater(line, last_frame, source);
                last_frame = line.frame;
                for (const WrittenFile& file : line.files) listed.insert(file.path);
                is_readable = is_firns = true;
            } catch (const Error& error) {
                damage = error.what();
                is_firns = is_firns || text.find("\"end_frame\":") != std::string::npos;
                is_cut = !text.ends_with('}') && in.peek() == std::ifstream::traits_type::eof();
                return;
            }
        }
    }
};

}  // namespace

void requireOwnFiles(const CacheLayout& layout)
{
    const fs::path scene = layout.scenePath();
    if (isThere(scene) && !beginsWith(scene, sceneMark)) refuseForeign(scene);
    const Statistics stats(layout.statsPath());
    const std::vector<int> checkpoints = layout.checkpoints();
    const bool isMarked = isThere(scene) || stats.is_readable || std::ranges::any_of(checkpoints, [&](int frame) {
                              return isCheckpoint(layout.checkpointPath(frame));
                          });
    if (stats.is_firns && !stats.damage.empty()) refuseDamagedStatistics(stats.damage, stats.is_cut);
    if (isThere(layout.statsPath()) && (!isMarked || !stats.damage.empty())) refuseForeign(layout.statsPath());
    if (isThere(layout.usdaPath()) && !framesOfUsda(layout)) {
        throw Error(ExitCode::File, layout.usdaPath().string() +
                                        " exists, and is not as a run writes it; it may have been edited. Runs use "
                                        "this name: rename the file, or choose another --out");
    }
    for (const int frame : checkpoints) {
        if (!isMarked || !isOwnCheckpoint(layout, frame)) refuseForeign(layout.checkpointPath(frame));
    }
    const auto requireOwnPoints = [&](const fs::path& path) {
        requireReadable(path);
        if (stats.listed.count(path.filename().string()) == 0 && !isPointsFile(path)) refuseForeign(path);
    };
    for (const int frame : layout.frames()) requireOwnPoints(layout.framePath(frame));
    for (const int frame : layout.frozenFrames()) requireOwnPoints(layout.frozenPath(frame));
}

void requireOwnFrame(const CacheLayout& layout, int frame, const std::vector<fs::path>& found)
{
    const Statistics stats(layout.statsPath());
    if (stats.is_firns && !stats.damage.empty()) refuseDamagedStatistics(stats.damage, stats.is_cut);
    if (!stats.damage.empty()) refuseForeign(layout.statsPath());
    for (const fs::path& path : {layout.framePath(frame), layout.frozenPath(frame), layout.checkpointPath(frame)}) {
        requireReadable(path);
        if (!isThere(path) || std::ranges::find(found, path) != found.end()) continue;
        throw Error(ExitCode::File, path.string() +
                                        " appeared while this run simulated its frame. The run would replace it: move "
                                        "it away, and continue with --resume");
    }
}

void requireWholeStatistics(const CacheLayout& layout)
{
    const Statistics stats(layout.statsPath());
    if (stats.is_firns && !stats.damage.empty()) refuseDamagedStatistics(stats.damage, stats.is_cut);
}

std::optional<std::vector<int>> framesOfUsda(const CacheLayout& layout)
{
    if (!isThere(layout.usdaPath())) return std::vector<int>();
    requireReadable(layout.usdaPath());
    const std::vector<std::byte> bytes = readFile(layout.usdaPath(), largestUsdaBytes);
    return framesOfUsdaText({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

bool isOwnCheckpoint(const CacheLayout& layout, int frame)
{
    const fs::path path = layout.checkpointPath(frame);
    return !isThere(path) || isCutCheckpoint(path) || isCheckpoint(path);
}

}  // namespace firn
