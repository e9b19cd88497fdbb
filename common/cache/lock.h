#pragma once
// At most one run writes into a folder.

#include <filesystem>

namespace firn {

/// Holds the lock file of a cache folder (layout.h) as long as it lives. The system releases it when the program ends,
/// however it ends.
class FolderLock {
public:
    /// Whether a run holds the lock of this folder now. A run that begins meanwhile may be refused: ask in the folder's
    /// turn (FolderTurn).
    static bool isHeld(const std::filesystem::path& folder);

    /// Throws Error(File) at once and names the process when another run holds the lock, or names the file when its
    /// content is not that of a lock.
    explicit FolderLock(const std::filesystem::path& folder);
    ~FolderLock();
    /// Throws Error(File) if the lock file in the folder is not the one that is held: somebody moved the folder or
    /// removed the file, and another run may write into the folder.
    void requireHeld() const;
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

private:
    std::filesystem::path m_folder;
    int m_fd = -1;
};

}  // namespace firn
