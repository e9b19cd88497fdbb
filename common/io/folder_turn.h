#pragma once
// Programs that check and then replace files of the same folder do it one after the other.

#include <filesystem>

namespace firn {

/// Locks the folder itself as long as it lives, so no file is left. Another one of the same folder waits, in this
/// program and in others. The system releases it when the program ends, however it ends. On file systems that cannot
/// lock a folder (some network file systems) nobody waits.
class FolderTurn {
public:
    /// Waits for the turn. Throws Error(File) if the folder cannot be opened.
    explicit FolderTurn(const std::filesystem::path& folder);
    ~FolderTurn();
    FolderTurn(const FolderTurn&) = delete;
    FolderTurn& operator=(const FolderTurn&) = delete;

private:
    int m_fd = -1;
};

}  // namespace firn
