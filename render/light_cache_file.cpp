#include "render/light_cache_file.h"

#include <span>

#include "common/error.h"
#include "render/packed_bytes.h"

namespace firn {

namespace {

namespace fs = std::filesystem;

template <class Item>
PackedBytes packed(const char* name, const std::vector<Item>& items)
{
    return {name, std::as_bytes(std::span(items)), sizeof(float)};
}

[[noreturn]] void refuse(const fs::path& path, const std::string& why)
{
    throw Error(ExitCode::File, "light cache " + path.string() + " is damaged: " + why);
}

template <class Item>
void unpackInto(std::vector<Item>& items, const Checkpoint& file, const std::string& name, const fs::path& path)
{
    items.resize(packedSize(file, name) / sizeof(Item));
    const std::string broken = unpack(file, name, std::as_writable_bytes(std::span(items)));
    if (!broken.empty()) refuse(path, "its block " + broken + " is missing or broken");
}

}  // namespace

void writeLightCache(const fs::path& path, const std::string& header, const LightCache& cache)
{
    const LightCache::Contents& contents = cache.contents();
    const PackedBytes blocks = packed("blocks", contents.blocks), depths = packed("depths", contents.depths),
                      collisions = packed("collisions", contents.collisions), light = packed("light", contents.light);
    CheckpointView view;
    view.header = header;
    for (const PackedBytes* const bytes : {&blocks, &depths, &collisions, &light}) bytes->addTo(view);
    writeCheckpoint(path, view);
}

LightCache::Contents readLightCache(const fs::path& path, const std::string& header)
{
    const Checkpoint file = readCheckpoint(path);
    if (file.header != header) refuse(path, "it is of another scene, camera or version than its name says");
    LightCache::Contents contents;
    unpackInto(contents.blocks, file, "blocks", path);
    unpackInto(contents.depths, file, "depths", path);
    unpackInto(contents.collisions, file, "collisions", path);
    unpackInto(contents.light, file, "light", path);
    return contents;
}

}  // namespace firn
