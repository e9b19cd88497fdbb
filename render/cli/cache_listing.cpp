#include "render/cli/cache_listing.h"

#include <algorithm>
#include <iterator>

#include "common/error.h"
#include "common/io/command_text.h"
#include "common/io/frame_range.h"

namespace firn {

namespace {

std::optional<StatsFile> readStats(const std::filesystem::path& path)
{
    try {
        if (std::filesystem::exists(path)) return StatsFile(path);
    } catch (const Error&) {
    }
    return std::nullopt;
}

}  // namespace

CacheListing::CacheListing(const std::filesystem::path& cache)
    : m_layout{cache}, m_stats(readStats(m_layout.statsPath()))
{
}

std::vector<int> CacheListing::frames() const
{
    std::vector<int> frames;
    if (!m_stats) return frames;
    for (const StatsLine& line : m_stats->lines())
        if (line.snowFile()) frames.push_back(line.frame);
    return frames;
}

std::string CacheListing::unlistedText(const std::vector<int>& frames) const
{
    std::vector<int> unlisted;
    if (m_stats)
        std::ranges::copy_if(frames, std::back_inserter(unlisted), [&](int frame) { return !m_stats->find(frame); });
    if (unlisted.empty()) return "";
    return m_layout.statsPath().string() + " does not list " + framesText(unlisted) +
           " of the cache: a run has not finished them, their lines have been lost, or they were copied from "
           "elsewhere";
}

std::string CacheListing::replacedText(int frame) const
{
    const StatsLine* const line = m_stats ? m_stats->find(frame) : nullptr;
    if (!line) return "";
    for (const WrittenFile& file : line->files) {
        const std::filesystem::path path = m_layout.folder / file.path;
        const bool isSnow = path == m_layout.framePath(frame) || path == m_layout.frozenPath(frame);
        const FileFault fault = isSnow ? faultOf(m_layout.folder, file) : FileFault{};
        if (fault.kind == FileFault::Kind::Damaged)
            return path.string() + " is not the file that stats.jsonl lists: " + fault.text + ". 'firn-sim info " +
                   shellPath(m_layout.folder) + "' tests the whole cache";
    }
    return "";
}

}  // namespace firn
