#pragma once
// What stats.jsonl of a cache says of the frames that are rendered.

#include <optional>
#include <string>
#include <vector>

#include "common/cache/layout.h"
#include "common/cache/stats.h"

namespace firn {

class CacheListing {
public:
    /// A missing or damaged stats.jsonl lists nothing, and no text is given; firn-sim info tells of damage.
    explicit CacheListing(const std::filesystem::path& cache);

    /// Whether it lists frames.
    bool isKnown() const { return m_stats && !m_stats->lines().empty(); }

    /// The frames of which it lists a file with all snow, ascending. A run's --frames may have left out others.
    std::vector<int> frames() const;

    /// A warning about frames that are in the cache and not in its stats.jsonl; "" if there are none.
    std::string unlistedText(const std::vector<int>& frames) const;

    /// Whether it lists another file for `frame` than the one in the cache. Reads the file.
    bool isReplaced(int frame) const { return !replacedText(frame).empty(); }

    /// A warning about a file with the snow of `frame` whose checksum is not the listed one: the frame was edited, or
    /// copied from another run of the same scene. Otherwise "". Reads the files.
    std::string replacedText(int frame) const;

private:
    CacheLayout m_layout;
    std::optional<StatsFile> m_stats;
};

}  // namespace firn
