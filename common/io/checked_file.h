#pragma once
// Files that are whole or absent: written under a temporary name in the same folder, synced, measured, renamed.
// A reader never sees a part of one, whenever the writer is killed and however full the disk is.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/error.h"

namespace firn {

struct WrittenFile {
    std::filesystem::path path;
    std::uint64_t bytes = 0;
    std::string checksum;  // xxh3 of the content, 16 hex digits
};

/// There is no space left, or no more is allowed: whoever writes can say how to continue.
class DiskFull : public Error {
    using Error::Error;
};

/// Replaces `path` by `bytes`. After any failure the old file is unchanged, no temporary file is left, and Error(File)
/// names the file and the system's reason; it is a DiskFull if the disk is full. Refuses a `path` that exists and is
/// not a regular file. `mayReplace` is asked immediately before the rename; what it throws is such a failure.
WrittenFile writeFileChecked(const std::filesystem::path& path, std::span<const std::byte> bytes,
                             const std::function<void()>& mayReplace = {});
WrittenFile writeFileChecked(const std::filesystem::path& path, std::string_view text,
                             const std::function<void()>& mayReplace = {});

/// Writes `bytes` as writeFileChecked(path, bytes) does, up to the rename, and removes what it has written. Proves that
/// such a file can be written there; `path` stays as it is. Throws Error(File).
void tryToWriteFile(const std::filesystem::path& path, std::span<const std::byte> bytes);

/// Renames the file to PATH.1, or to the first further number that no file has, and returns that name. Throws
/// Error(File).
std::filesystem::path setAside(const std::filesystem::path& path);

/// Removes the files that exist in the given order, all or none: if one cannot be removed, those before it are put
/// back. Throws Error(File).
void removeFilesTogether(const std::vector<std::filesystem::path>& paths);

/// The whole file. Throws Error(File) when it cannot be read or is larger than `limit` bytes.
std::vector<std::byte> readFile(const std::filesystem::path& path, std::uint64_t limit = UINT64_MAX);

/// Throws Error(File) if the path is a link that leads nowhere, which could not be told from a missing file.
void requireNoDeadLink(const std::filesystem::path& path);

/// Throws Error(File) when the file exists and may not be read, or is no regular file: a folder, a pipe, a device, a
/// link that leads nowhere.
void requireReadable(const std::filesystem::path& path);

/// Whether the file is there and begins with `text`. Throws Error(File) when it may not be read.
bool beginsWith(const std::filesystem::path& path, std::string_view text);

/// Makes the folder (and those above it), proves that files can be written there, and removes temporary files that
/// killed writers left there. Throws Error(File).
void prepareFolder(const std::filesystem::path& folder);

/// Removes temporary files that killed writers left in `folder`: those named as writeFileChecked names them
/// (".firn-tmp-PROCESS-NUMBER-NAME") that no living writer has locked.
void removeTemporaries(const std::filesystem::path& folder);

}  // namespace firn
