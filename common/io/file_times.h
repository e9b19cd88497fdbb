#pragma once
// Files as a program knows them, to see whether another program has written them since.

#include <filesystem>
#include <map>

namespace firn {

class FileTimes {
public:
    /// Remembers when the file was last written, or that there is none.
    void remember(const std::filesystem::path& path);
    bool knows(const std::filesystem::path& path) const { return m_times.contains(path); }
    /// Whether a file that it knows was written, made or removed since remember().
    bool isChanged(const std::filesystem::path& path) const;

private:
    std::map<std::filesystem::path, std::filesystem::file_time_type> m_times;
};

/// Which folder a path leads to, to see whether somebody has moved it away and made another one in its place.
class FolderIdentity {
public:
    FolderIdentity() = default;
    /// No folder if there is none.
    explicit FolderIdentity(const std::filesystem::path& folder);
    bool operator==(const FolderIdentity&) const = default;

private:
    unsigned long m_device = 0, m_inode = 0;
};

}  // namespace firn
