#pragma once
// A checkpoint: everything that a simulation needs to continue to the same bits, at full precision.
// File layout (little endian): "FIRNCHK1", u64 header bytes, header (JSON text), then per block
// u64 name bytes, name, u64 data bytes, data; last u64 xxh3 of everything before it.

#include <cstddef>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "common/error.h"

namespace firn {

/// A file that is no whole checkpoint.
class DamagedCheckpoint : public Error {
public:
    DamagedCheckpoint(const std::filesystem::path& path, const std::string& damage)
        : Error(ExitCode::File, "checkpoint " + path.string() + " is damaged: " + damage), m_damage(damage)
    {
    }
    /// What is wrong, without the file's name.
    const std::string& damage() const { return m_damage; }

private:
    std::string m_damage;
};

struct CheckpointView {
    std::string header;  // JSON text: format, scene hash, frame, counters
    std::vector<std::pair<std::string, std::span<const std::byte>>> blocks;
};

struct Checkpoint {
    std::string header;
    std::map<std::string, std::vector<std::byte>> blocks;
};

/// The content of the file.
std::vector<std::byte> checkpointBytes(const CheckpointView& view);

/// Written to a temporary name, synced and renamed; returns {bytes, checksum in hex}. Throws Error(File).
std::pair<std::size_t, std::string> writeCheckpoint(const std::filesystem::path& path, const CheckpointView& view);

/// Whether the file begins as a checkpoint does; it may be damaged all the same.
bool isCheckpoint(const std::filesystem::path& path);

/// Whether the file is shorter than the mark by which a checkpoint begins, and is the beginning of that mark; so is an
/// empty file.
bool isCutCheckpoint(const std::filesystem::path& path);

/// The header alone, at most 16 MB; no checksum is verified. Throws Error(File).
std::string readCheckpointHeader(const std::filesystem::path& path);

/// Verifies the checksum before it uses anything else of the file. Throws DamagedCheckpoint, or Error(File) when the
/// file cannot be read.
Checkpoint readCheckpoint(const std::filesystem::path& path);

}  // namespace firn
