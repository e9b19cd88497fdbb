#include "common/body/text_input.h"

#include <charconv>
#include <cmath>
#include <fstream>

#include "common/error.h"

namespace firn {
namespace {

constexpr std::string_view blanks = " \t\r\v\f";

/// from_chars takes no plus sign, but files have them.
template <class T>
bool parse(std::string_view word, T& value)
{
    if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    return error == std::errc() && end == word.data() + word.size();
}

}  // namespace

std::string readWholeFile(const std::filesystem::path& file, std::uintmax_t limit)
{
    const auto refuse = [&](const std::string& what) { throw Error(ExitCode::File, file.string() + ": " + what); };
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error)) refuse(error ? error.message() : "not a file");
    const std::uintmax_t size = std::filesystem::file_size(file, error);
    if (error) refuse(error.message());
    if (size > limit) refuse("found " + std::to_string(size) + " bytes; expected at most " + std::to_string(limit));
    std::string text(size, '\0');
    std::ifstream in(file, std::ios::binary);
    if (!in.read(text.data(), static_cast<std::streamsize>(size))) refuse("cannot be read");
    return text;
}

std::string fileSource(const std::string& kind, const std::string& name, const std::string& place,
                       const std::filesystem::path& file)
{
    return (place.empty() ? "" : place + ": ") + kind + " \"" + clampText(name) + "\", " + file.string();
}

std::string bodySource(const BodySpec& spec) { return fileSource("body", spec.name, spec.file_place, spec.file); }

bool TextInput::nextLine()
{
    while (m_next < m_text.size()) {
        const std::size_t end = std::min(m_text.find('\n', m_next), m_text.size());
        m_rest = m_text.substr(m_next, end - m_next);
        m_next = std::min(end + 1, m_text.size());
        ++m_lineNumber;
        if (m_rest.find_first_not_of(blanks) != std::string_view::npos) return true;
    }
    m_rest = {};
    return false;
}

std::string_view TextInput::peek() const
{
    const std::size_t begin = m_rest.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return {};
    return m_rest.substr(begin, std::min(m_rest.find_first_of(blanks, begin), m_rest.size()) - begin);
}

std::string_view TextInput::word()
{
    const std::string_view found = peek();
    if (!found.empty()) m_rest.remove_prefix(static_cast<std::size_t>(found.data() + found.size() - m_rest.data()));
    return found;
}

double TextInput::number(const std::string& what)
{
    const std::string_view found = word();
    double value = 0;
    if (!parse(found, value) || !std::isfinite(value)) failFound(found, what + ", a finite number");
    return value;
}

long TextInput::integer(const std::string& what, long low, long high)
{
    const std::string_view found = word();
    long value = 0;
    if (!parse(found, value) || value < low || value > high)
        failFound(found, what + ", an integer from " + std::to_string(low) + " to " + std::to_string(high));
    return value;
}

void TextInput::endOfLine()
{
    if (!peek().empty()) failFound(peek(), "the end of the line");
}

void TextInput::fail(const std::string& message) const
{
    throw Error(ExitCode::File, m_file.string() + ":" + std::to_string(m_lineNumber) + ": " + message);
}

void TextInput::failFound(std::string_view found, const std::string& expected) const
{
    fail("found " +
         (found.empty() ? std::string("nothing") : "\"" + clampText(std::string(found.substr(0, 80)), 60) + "\"") +
         "; expected " + expected);
}

Mat3d yUpFrom(UpAxis axis)
{
    Mat3d turn = Mat3d::Identity();
    if (axis == UpAxis::X) turn << 0, -1, 0, 1, 0, 0, 0, 0, 1;  // +90 degrees about z
    if (axis == UpAxis::Z) turn << 1, 0, 0, 0, 0, 1, 0, -1, 0;  // -90 degrees about x
    return turn;
}

}  // namespace firn
