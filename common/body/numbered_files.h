#pragma once
// The files of a sequence, one per frame: "cloth.####.obj".

#include <filesystem>
#include <map>
#include <string>

namespace firn {

struct NumberedFiles {
    int first = 0;
    int count = 0;
};

/// Throws Error(File) when there is no file, or when files are missing between the first and the last. The message
/// begins with `source`.
NumberedFiles numberedFiles(const std::filesystem::path& pattern, const std::string& source);

/// The content of the files of a sequence when it was opened. Its files are read while a command works, which may be
/// hours later, and what the command makes is known by their content at the start.
class SequenceContent {
public:
    /// Throws Error(File).
    explicit SequenceContent(const std::filesystem::path& pattern);

    /// Throws Error(File) if the file with this number has other content now. The message begins with `source`.
    void requireSame(int number, const std::string& source) const;

private:
    std::filesystem::path m_pattern;
    std::map<int, std::string> m_checksums;  // by the number of the file
};

}  // namespace firn
