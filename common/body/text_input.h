#pragma once
// Reads text files of other programs line by line and word by word. Errors name the file, the line, what was found and
// what was expected.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "common/scene/scene.h"

namespace firn {

/// The content of a file. Throws Error(File) when it cannot be read or has more than `limit` bytes.
std::string readWholeFile(const std::filesystem::path& file, std::uintmax_t limit);

/// How messages about a file of a scene begin: `shot.toml:12:1: body "boot", /shots/boot.obj`. Without a place, the
/// first part is missing.
std::string fileSource(const std::string& kind, const std::string& name, const std::string& place,
                       const std::filesystem::path& file);

/// The same for the file of a body.
std::string bodySource(const BodySpec& spec);

/// The words of a text, which are separated by blanks, and their line numbers.
class TextInput {
public:
    TextInput(std::filesystem::path file, std::string_view text) : m_file(std::move(file)), m_text(text) {}

    /// Moves to the next line that contains a word. Returns false at the end of the text.
    bool nextLine();
    /// Takes the next word of the current line; empty at the end of the line.
    std::string_view word();
    std::string_view peek() const;
    std::size_t line() const { return m_lineNumber; }
    /// Offset of the line after the current one, in bytes.
    std::size_t position() const { return m_next; }

    /// Take the next word as a finite number or as an integer. Throw Error(File) if it is not one.
    double number(const std::string& what);
    long integer(const std::string& what, long low, long high);
    /// Whether the current line is the last one.
    bool atEnd() const { return m_next >= m_text.size(); }
    /// Throws Error(File) if another word follows on the line.
    void endOfLine();
    [[noreturn]] void fail(const std::string& message) const;
    [[noreturn]] void failFound(std::string_view found, const std::string& expected) const;

private:
    std::filesystem::path m_file;
    std::string_view m_text;
    std::string_view m_rest;  // of the current line
    std::size_t m_next = 0;
    std::size_t m_lineNumber = 0;
};

/// The rotation that turns the up axis of a file to y.
Mat3d yUpFrom(UpAxis axis);

}  // namespace firn
