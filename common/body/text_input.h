#pragma once
// Text files of others, read line by line and word by word, with errors that name file, line, found and expected.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "common/scene/scene.h"

namespace firn {

/// The whole file. Throws Error(File) when it cannot be read or has more than `limit` bytes.
std::string readWholeFile(const std::filesystem::path& file, std::uintmax_t limit);

/// Words of a text, separated by blanks, with the line each stands on.
class TextInput {
public:
    TextInput(std::filesystem::path file, std::string_view text) : m_file(std::move(file)), m_text(text) {}

    /// Moves to the next line that has a word; false at the end of the text.
    bool nextLine();
    /// The words of the present line that are left are taken one by one; empty when there is none.
    std::string_view word();
    std::string_view peek() const;
    std::size_t line() const { return m_lineNumber; }
    /// Where the line after the present one begins, in bytes.
    std::size_t position() const { return m_next; }

    /// The next word as a finite number, as an integer. Throws Error(Usage).
    double number(const std::string& what);
    long integer(const std::string& what, long low, long high);
    /// Whether the present line is the text's last.
    bool atEnd() const { return m_next >= m_text.size(); }
    /// Nothing may follow on the line.
    void endOfLine();
    [[noreturn]] void fail(const std::string& message) const;
    [[noreturn]] void failFound(std::string_view found, const std::string& expected) const;

private:
    std::filesystem::path m_file;
    std::string_view m_text;
    std::string_view m_rest;  // of the present line
    std::size_t m_next = 0;
    std::size_t m_lineNumber = 0;
};

/// The rotation that makes a file's up axis y.
Mat3d yUpFrom(UpAxis axis);

}  // namespace firn
