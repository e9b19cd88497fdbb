#include "common/io/file_times.h"

#include <sys/stat.h>

namespace firn {

namespace fs = std::filesystem;

namespace {

/// The earliest time if there is no file.
fs::file_time_type timeOf(const fs::path& path)
{
    std::error_code none;
    const auto time = fs::last_write_time(path, none);
    return none ? fs::file_time_type::min() : time;
}

}  // namespace

void FileTimes::remember(const fs::path& path) { m_times[path] = timeOf(path); }

bool FileTimes::isChanged(const fs::path& path) const
{
    const auto known = m_times.find(path);
    return known != m_times.end() && known->second != timeOf(path);
}

FolderIdentity::FolderIdentity(const fs::path& folder)
{
    struct stat found {};
    if (::stat(folder.c_str(), &found) != 0) return;
    m_device = found.st_dev;
    m_inode = found.st_ino;
}

}  // namespace firn
