#include "sim/cli/required_room.h"

#include <filesystem>

#include "common/cache/stats.h"
#include "common/error.h"
#include "common/io/progress.h"

namespace firn {
namespace {

/// Of the files that stats.jsonl lists, and of checkpoints.
double bytesOfCache(const CacheLayout& layout)
{
    const StatsFile stats(layout.statsPath());
    double bytes = 0;
    for (const StatsLine& line : stats.lines())
        for (const WrittenFile& file : line.files) bytes += static_cast<double>(file.bytes);
    for (const int frame : layout.checkpoints()) {
        std::error_code error;
        const std::uintmax_t size = std::filesystem::file_size(layout.checkpointPath(frame), error);
        if (!error) bytes += static_cast<double>(size);
    }
    return bytes;
}

}  // namespace

void requireRoom(const Scene& scene, const Forecast& forecast, const CacheLayout& layout, bool replaces,
                 const std::function<void(const std::string&)>& warn)
{
    requireMemory(scene, forecast);
    std::error_code error;
    const auto disk = std::filesystem::space(layout.folder, error);
    if (error) return;
    const double free = static_cast<double>(disk.available) + (replaces ? bytesOfCache(layout) : 0);
    if (forecast.disk_bytes <= free) return;
    const std::string text = "the frames need about " + formatBytes(forecast.disk_bytes) + " of disk space, but only " +
                             formatBytes(free) + " are free";
    if (replaces)
        throw Error(ExitCode::File, layout.folder.string() + ": " + text +
                                        ", even without the old cache. The old cache was not removed: choose another "
                                        "--out, or remove it yourself");
    warn(text);
}

}  // namespace firn
