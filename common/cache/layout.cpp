#include "common/cache/layout.h"

#include "common/io/checked_file.h"
#include "common/io/frame_range.h"

namespace firn {

namespace fs = std::filesystem;

fs::path CacheLayout::framePath(int frame) const { return firn::framePath(framePattern(), frame); }

fs::path CacheLayout::frozenPath(int frame) const { return firn::framePath(frozenPattern(), frame); }

fs::path CacheLayout::checkpointPath(int frame) const { return firn::framePath(checkpointPattern(), frame); }

std::vector<int> CacheLayout::frames() const { return existingFrames(framePattern()); }

std::vector<int> CacheLayout::frozenFrames() const { return existingFrames(frozenPattern()); }

std::vector<int> CacheLayout::checkpoints() const { return existingFrames(checkpointPattern()); }

bool CacheLayout::isUsed() const
{
    return std::filesystem::exists(statsPath()) || !frames().empty() || !frozenFrames().empty() ||
           !checkpoints().empty();
}

std::string readResolvedScene(const CacheLayout& layout)
{
    constexpr std::uint64_t largestSceneBytes = 1 << 22;
    fs::path path = layout.scenePath();
    if (!fs::exists(path)) path = layout.folder / "scene.toml";
    if (!fs::exists(path)) return "";
    const std::vector<std::byte> bytes = readFile(path, largestSceneBytes);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace firn
