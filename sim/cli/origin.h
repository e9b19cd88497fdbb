#pragma once
// Whether a file in a cache folder is from a run of this cache, or was copied from elsewhere.

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "common/cache/layout.h"
#include "common/cache/stats.h"

namespace firn {

/// The scenes of the frames before a checkpoint, in order. A cache has several if --force continued it with a changed
/// scene. Each checkpoint keeps them, so that one of another cache is told from that of a run that was killed before it
/// wrote its line.
struct SceneSpan {
    int first = 0, last = 0;  // frames
    std::string hash;         // sceneHash

    bool operator==(const SceneSpan&) const = default;
};
using SceneHistory = std::vector<SceneSpan>;

/// Of the frames before `frame` that have a line.
SceneHistory historyBefore(int frame, const StatsFile& stats);

/// The member of a checkpoint's header: [[first, last, "hash"], ...].
inline constexpr const char* historyKey = "history";
nlohmann::json historyJson(const SceneHistory& history);

/// The reason why the file named as the checkpoint of `frame` is not from a run of this cache, such as "is of another
/// scene than the frames in stats.jsonl: the file was copied from another cache". "" if its header cannot be read, or
/// agrees with the lines of `stats` in its frame, in the scene of that frame and in the scenes of those before. If
/// there are no lines, its scene must be `hash`, that of the present run ("": any).
std::string foreignCheckpointText(const CacheLayout& layout, int frame, const StatsFile& stats,
                                  const std::string& hash);

/// The warning about a checkpoint that foreignCheckpointText() gives a reason `why` for.
std::string unusedCheckpointText(const std::filesystem::path& path, const std::string& why);

/// Why the points file of `frame` is not from a run of this cache. "" if it is an undamaged points file of Firn with
/// this frame, whose scene hash is in `stats` or equals `hash`. A frame or hash that its first bytes do not contain is
/// not compared.
std::string strayText(const std::filesystem::path& path, int frame, const StatsFile& stats, const std::string& hash);

/// The same for a points file that `stats` does not list. A run that was killed leaves one of the frame after the last
/// line at most; later ones are foreign.
std::string unlistedText(const std::filesystem::path& path, int frame, const StatsFile& stats, const std::string& hash);

/// The same for a points file that `stats` lists and that may be damaged. "" too if it is not there.
std::string exchangedText(const std::filesystem::path& path, int frame, const StatsFile& stats,
                          const std::string& hash);

/// Why a points file whose checksum is not the listed one is not a damaged frame of the cache: "" if it is damaged.
/// Reads the file.
std::string otherFrameText(const std::filesystem::path& path);

/// Why stats.jsonl is not of the cache: all frames that it lists and that are there are of scenes that it does not
/// have. If none is there: resolved.scene and the checkpoints are all of such scenes, and there is more than one of
/// these files. "" otherwise.
std::string foreignStatsText(const CacheLayout& layout, const StatsFile& stats);

/// The second line of resolved.scene: the scene's hash, and the checksum of the text that follows.
std::string sceneOriginLine(const std::string& resolved, const std::string& sceneHash);

/// Why resolved.scene does not tell what the snow of the frames is: "was changed after the run wrote it", "is of
/// another scene than the frames". "" if it tells it, if it is not there, and for the files of earlier versions, which
/// do not have the line. Throws Error(File).
/// Without lines, "" too.
std::string sceneDoubt(const CacheLayout& layout, const StatsFile& stats);

/// Whether resolved.scene has another text than the run wrote. False for the files of earlier versions.
bool isResolvedSceneEdited(const CacheLayout& layout);

/// The scene's hash in the second line of resolved.scene; "" without one.
std::string sceneHashInResolved(const CacheLayout& layout);

}  // namespace firn
