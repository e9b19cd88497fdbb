#pragma once
// stats.jsonl: one JSON object per finished frame, in order. A frame is finished when its line exists.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/io/checked_file.h"

namespace firn {

struct StatsLine {
    int frame = 0;
    std::vector<WrittenFile> files;  // "files" of the line; paths relative to the folder of stats.jsonl
    std::string text;                // the JSON object, without the line's end

    /// The file of the frame itself, or null where it was not written: there may be one of frozen snow alone.
    const WrittenFile* snowFile() const;
    /// Whether a file of this name is one of `files`.
    bool lists(const std::filesystem::path& name) const;
};

/// Reads the fields that Firn itself uses: "frame" and "files" (each "name", "bytes", "checksum"). Throws Error(File)
/// naming `source` when `text` is not such an object.
StatsLine parseStatsLine(const std::string& text, const std::string& source);

/// Throws Error(File) naming `source` when `line` is not of a later frame than `last`, that of the line before.
void requireLater(const StatsLine& line, std::optional<int> last, const std::string& source);

/// How the checksum of a file differs from the one that its line lists.
std::string otherChecksumText(const std::string& listed, const std::string& found);

/// What is wrong with a file that a line lists.
struct FileFault {
    enum class Kind { None, Missing, Unreadable, Damaged };
    Kind kind = Kind::None;
    std::string text;  // "missing", why it cannot be read, or how its checksum differs; "" for None
};
FileFault faultOf(const std::filesystem::path& folder, const WrittenFile& file);

/// The lines of a stats.jsonl. Every change rewrites the whole file (checked_file.h), so the file stays complete even
/// if the program is killed.
class StatsFile {
public:
    /// Reads `path`; a missing file counts as empty. Throws Error(File) that names the line when the file is damaged or
    /// frames are out of order.
    explicit StatsFile(std::filesystem::path path);

    const std::vector<StatsLine>& lines() const { return m_lines; }
    /// The line of `frame`, or null.
    const StatsLine* find(int frame) const;
    /// In the order of the frames. `line` must be of a frame that has none.
    void add(const StatsLine& line);
    /// A copy with one more line; the file does not change.
    StatsFile with(const StatsLine& line) const;
    /// Lists another file of `frame`, which must have a line. The path is relative to the folder of stats.jsonl.
    void addFile(int frame, const WrittenFile& file);
    /// Drops the lines of later frames.
    void keepUntil(int frame);

private:
    void insert(const StatsLine& line);
    void save() const;

    std::filesystem::path m_path;
    std::vector<StatsLine> m_lines;
};

}  // namespace firn
