#pragma once
// A folder of light caches, each under a name that is the checksum of everything that decides about its bits:
// "light.<16 hexadecimal digits>.firn". So no file is ever out of date, and any may be deleted.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "render/light_cache.h"

namespace firn {

class LightCacheStore {
public:
    /// Makes the folder. Throws Error(File) if it cannot be written.
    explicit LightCacheStore(std::filesystem::path folder);

    /// The cache that `description` tells, if it is there. A damaged one is reported to `warn`. Throws Error(File) if
    /// Firn did not write the file.
    std::optional<LightCache::Contents> find(const std::string& description,
                                             const std::function<void(const std::string&)>& warn) const;

    /// Throws Error(File).
    void keep(const std::string& description, const LightCache& cache) const;

    std::filesystem::path pathOf(const std::string& description) const;

private:
    std::filesystem::path m_folder;
};

}  // namespace firn
