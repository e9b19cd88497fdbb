#include "render/cli/light_cache_store.h"

#include <span>

#include "common/cache/checkpoint.h"
#include "common/error.h"
#include "common/io/checked_file.h"
#include "common/io/checksum.h"
#include "common/io/own_file.h"
#include "render/light_cache_file.h"

namespace firn {

namespace fs = std::filesystem;

LightCacheStore::LightCacheStore(fs::path folder) : m_folder(std::move(folder)) { prepareFolder(m_folder); }

fs::path LightCacheStore::pathOf(const std::string& description) const
{
    return m_folder / ("light." + checksum(description) + ".firn");
}

std::optional<LightCache::Contents> LightCacheStore::find(const std::string& description,
                                                          const std::function<void(const std::string&)>& warn) const
{
    const fs::path path = pathOf(description);
    if (!fs::exists(path)) return std::nullopt;
    if (!isCheckpoint(path) && !isCutCheckpoint(path))
        throw Error(ExitCode::File, path.string() + " " + std::string(foreignText) + ": move it away");
    try {
        return readLightCache(path, description);
    } catch (const DamagedCheckpoint& error) {
        warn("light cache " + path.string() + " is damaged: " + error.damage() + "; the light cache is made again");
        return std::nullopt;
    } catch (const Error& error) {
        if (error.code() != ExitCode::File) throw;
        warn(std::string(error.what()) + "; the light cache is made again");
        return std::nullopt;
    }
}

void LightCacheStore::keep(const std::string& description, const LightCache& cache) const
{
    writeLightCache(pathOf(description), description, cache);
}

}  // namespace firn
