#include "sim/cli/frame_file.h"

#include "common/io/checksum.h"

namespace firn {
namespace {

namespace fs = std::filesystem;

bool holds(const fs::path& path, const std::string& bytes)
{
    std::error_code error;
    return fs::file_size(path, error) == bytes.size() && checksum(readFile(path)) == checksum(bytes);
}

}  // namespace

ParticleSource framePoints(ParticleSource snow, const Scene& scene, const std::string& sceneHash)
{
    snow.about.scene_hash = sceneHash;
    snow.about.fps = scene.fps;
    return snow;
}

WrittenFile writeFrameFile(const fs::path& path, const std::string& bytes,
                           const std::function<void(const std::string&)>& warn)
{
    fs::path kept;
    WrittenFile written = writeFileChecked(path, bytes, [&] {
        if (fs::exists(path) && !holds(path, bytes)) kept = setAside(path);
    });
    if (!kept.empty())
        warn(path.string() + " had no line in stats.jsonl and is not what this run simulates; it is kept in " +
             kept.string());
    return written;
}

}  // namespace firn
