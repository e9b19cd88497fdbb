#include "common/scene/text_file.h"

#include <algorithm>
#include <fstream>

namespace firn {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t longest_scene = 1u << 20;
constexpr int deepest_key = 16;

/// Where the string or comment that begins at `at` ends; strings that TOML would refuse end with the line or the text.
std::size_t endOfStringOrComment(std::string_view text, std::size_t at)
{
    const char quote = text[at];
    const std::size_t end_of_line = std::min(text.find('\n', at), text.size());
    if (quote == '#') return end_of_line;
    const std::string triple(3, quote);
    const bool is_long = text.substr(at, 3) == triple;
    const std::size_t limit = is_long ? text.size() : end_of_line;
    for (std::size_t i = at + (is_long ? 3 : 1); i < limit; ++i) {
        if (text[i] == '\\' && quote == '"') {
            ++i;
        } else if (!is_long && text[i] == quote) {
            return i + 1;
        } else if (is_long && text.substr(i, 3) == triple) {
            i += 3;
            for (int more = 0; more < 2 && i < text.size() && text[i] == quote; ++more)
                ++i;  // content may end in quotes
            return i;
        }
    }
    return limit;
}

/// toml++ recurses once for each part of a dotted key, so that "a.a.a.…" of any length would exhaust the stack.
void refuseDeepKeys(std::string_view text, const Source& source)
{
    int depth = 0;
    unsigned line = 1;
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        const std::size_t next = c == '"' || c == '\'' || c == '#' ? endOfStringOrComment(text, i) : i + 1;
        if (c == '.') ++depth;
        if (std::string_view("=,[]{}\n").find(c) != std::string_view::npos) depth = 0;
        if (depth > deepest_key)
            fail({source.name, line, 1}, "more than " + std::to_string(deepest_key) + " dots in one key");
        line += static_cast<unsigned>(std::count(text.begin() + static_cast<std::ptrdiff_t>(i),
                                                 text.begin() + static_cast<std::ptrdiff_t>(next), '\n'));
        i = next;
    }
}

/// Whether toml++ finds a fault of its own in the first `lines` lines.
bool hasFault(std::string_view text, std::size_t lines)
{
    std::size_t end = 0;
    for (; lines > 0 && end < text.size(); --lines) end = std::min(text.find('\n', end), text.size() - 1) + 1;
    try {
        static_cast<void>(toml::parse(text.substr(0, end)));
    } catch (const toml::parse_error&) {
    } catch (const TomlFault&) {
        return true;
    }
    return false;
}

/// The line at which toml++ finds a fault that it gives no place for: the parser reads from top to bottom, so that all
/// beginnings of the text up to there are without fault and all longer ones have it.
unsigned lineOfFault(std::string_view text)
{
    std::size_t without = 0;
    std::size_t with = static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1;
    while (with - without > 1) {
        const std::size_t middle = (without + with) / 2;
        (hasFault(text, middle) ? with : without) = middle;
    }
    return static_cast<unsigned>(with);
}

bool isInside(const fs::path& path, const fs::path& folder)
{
    const auto [folder_end, path_end] = std::ranges::mismatch(folder, path);
    return folder_end == folder.end() && path_end != path.end();
}

}  // namespace

std::string readSceneText(const fs::path& file, const Origin& where)
{
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    if (!fs::exists(status)) fail(where, "cannot find the scene file '" + file.string() + "'", ExitCode::File);
    if (!fs::is_regular_file(status)) fail(where, "'" + file.string() + "' is not a file", ExitCode::File);
    const std::uintmax_t size = fs::file_size(file, error);
    if (error || size > longest_scene)
        fail(where, "'" + file.string() + "' has more than " + std::to_string(longest_scene) + " bytes: not a scene",
             ExitCode::File);
    std::ifstream stream(file, std::ios::binary);
    std::string text(size, '\0');
    stream.read(text.data(), static_cast<std::streamsize>(size));
    if (!stream) fail(where, "cannot read '" + file.string() + "'", ExitCode::File);
    return text;
}

toml::table parseToml(const std::string& text, const Source& source)
{
    refuseDeepKeys(text, source);
    try {
        return toml::parse(text, source.name);
    } catch (const toml::parse_error& error) {
        fail(source.at(error.source()), "not TOML: " + std::string(error.description()));
    } catch (const TomlFault&) {
        const unsigned line = lineOfFault(text);
        fail(source.at({{line, 1}, {line, 1}, nullptr}), "not TOML: expected a key or a table's name between brackets");
    }
}

fs::path resolveReferenced(const fs::path& path, const fs::path& folder, bool allow_outside, const Origin& where)
{
    const fs::path complete = (folder / path).lexically_normal();
    std::error_code error;
    const fs::path canonical_folder = fs::weakly_canonical(folder.empty() ? fs::path(".") : folder, error);
    const fs::path canonical = fs::weakly_canonical(complete, error);
    if (error) fail(where, "cannot resolve the path '" + path.string() + "': " + error.message(), ExitCode::File);
    if (!allow_outside && !isInside(canonical, canonical_folder))
        fail(where, "'" + path.string() + "' lies outside of the scene's folder '" + canonical_folder.string() +
                        "'; put the file into it, or say --allow-outside");
    const fs::file_status status = fs::status(complete, error);
    if (!fs::exists(status)) fail(where, "cannot find the file '" + complete.string() + "'", ExitCode::File);
    if (!fs::is_regular_file(status)) fail(where, "'" + complete.string() + "' is not a file", ExitCode::File);
    return complete;
}

}  // namespace firn
