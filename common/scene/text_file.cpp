#include "common/scene/text_file.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <fstream>
#include <optional>
#include <system_error>

#include "common/io/suggest.h"

namespace firn {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t longestScene = 1u << 20;
constexpr int deepestKey = 16;

/// The end of the string or comment that begins at `at`. A string without a closing quote ends with its line, or with
/// the text if it is a multi-line string.
std::size_t endOfStringOrComment(std::string_view text, std::size_t at)
{
    const char quote = text[at];
    const std::size_t endOfLine = std::min(text.find('\n', at), text.size());
    if (quote == '#') return endOfLine;
    const std::string triple(3, quote);
    const bool isLong = text.substr(at, 3) == triple;
    const std::size_t limit = isLong ? text.size() : endOfLine;
    for (std::size_t i = at + (isLong ? 3 : 1); i < limit; ++i) {
        if (text[i] == '\\' && quote == '"') {
            ++i;
        } else if (!isLong && text[i] == quote) {
            return i + 1;
        } else if (isLong && text.substr(i, 3) == triple) {
            i += 3;
            for (int more = 0; more < 2 && i < text.size() && text[i] == quote; ++more)
                ++i;  // up to two quotes may belong to the content
            return i;
        }
    }
    return limit;
}

/// toml++ recurses once for each part of a dotted key; a long "a.a.a.…" would exhaust the stack.
void refuseDeepKeys(std::string_view text, const Source& source)
{
    int depth = 0;
    unsigned line = 1;
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        const std::size_t next = c == '"' || c == '\'' || c == '#' ? endOfStringOrComment(text, i) : i + 1;
        if (c == '.') ++depth;
        if (std::string_view("=,[]{}\n").find(c) != std::string_view::npos) depth = 0;
        if (depth > deepestKey)
            fail({source.name, line, 1}, "more than " + std::to_string(deepestKey) + " dots in one key");
        line += static_cast<unsigned>(std::count(text.begin() + static_cast<std::ptrdiff_t>(i),
                                                 text.begin() + static_cast<std::ptrdiff_t>(next), '\n'));
        i = next;
    }
}

/// Whether parsing the first `lines` lines ends in a failed assertion of toml++ (TomlFault).
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

/// The line of a failed assertion of toml++, which gives no place. The parser reads from top to bottom: every part of
/// the text that ends before this line is without the fault, and every longer part has it. So a binary search finds the
/// line.
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

/// What stands after the "=" in the line of an error, without the spaces before it. None without a "=".
std::optional<std::string_view> assignedText(std::string_view text, const toml::source_position& where)
{
    for (unsigned line = 1; line < where.line; ++line) text.remove_prefix(std::min(text.find('\n') + 1, text.size()));
    text = text.substr(0, text.find('\n'));
    const auto equals = text.find('=');
    if (equals == std::string_view::npos) return std::nullopt;
    return text.substr(std::min(text.find_first_not_of(" \t\r", equals + 1), text.size()));
}

bool isCapitalTruth(std::string_view value)
{
    std::string word(value.substr(0, value.find_first_of(" \t\r#")));
    for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return word == "true" || word == "false";
}

/// What a line that is not TOML was probably meant to be; "" without a guess.
std::string hintFor(std::string_view value)
{
    constexpr std::string_view curlyQuotes = "\xe2\x80";  // the first two bytes of each of them
    if (value.empty()) return "; the value is missing";
    if (value.starts_with(curlyQuotes)) return "; use straight quotes: \"";
    if (isCapitalTruth(value)) return "; write true and false in small letters";
    if (std::isalpha(static_cast<unsigned char>(value[0]))) return "; text needs quotes";
    if (std::isdigit(static_cast<unsigned char>(value[0])) &&
        value.find_first_not_of("0123456789-x, \t\r") == std::string_view::npos && value.find('-') != value.npos)
        return "; frames are text, which needs quotes: \"1-24\"";
    const bool isText = value[0] == '"' || value[0] == '\'';
    if (isText && value.find(value[0], 1) == std::string_view::npos) return "; the closing quote is missing";
    if (value.find_first_not_of("+-0123456789.eE, \t\r") == std::string_view::npos && value.find(',') != value.npos)
        return "; the decimal sign is a point, and lists have brackets, as in [1, 2, 3]";
    if (value.find_first_not_of("0123456789./ \t\r") == std::string_view::npos && value.find('/') != value.npos)
        return "; fractions are not read: write 24000/1001 as 23.976";
    const bool isUnit = std::isdigit(static_cast<unsigned char>(value[0])) && value.find_first_of("mcsk") != value.npos;
    return isUnit ? "; numbers have no units: lengths are in metres, times in seconds" : "";
}

/// The hint where a table's name stands twice, as [snow]; "" elsewhere.
std::string tableHint(std::string_view description)
{
    return description.find("cannot redefine existing table") != description.npos
               ? "; lists such as snow, body and light have two brackets: [[snow]]"
               : "";
}

/// The library's text in plain words.
std::string plainText(std::string_view description)
{
    std::string text(description);
    for (const std::string_view end : {"'\\n'", "'\\r'", "'\\r\\n'"}) {
        const std::size_t at = text.find(end);
        if (at != std::string::npos) text.replace(at, end.size(), "the end of the line");
    }
    return text;
}

bool isInside(const fs::path& path, const fs::path& folder)
{
    const auto [folderEnd, pathEnd] = std::ranges::mismatch(folder, path);
    return folderEnd == folder.end() && pathEnd != path.end();
}

/// "; did you mean 'boot.obj'?" where the folder has a file of a similar name, or where a link leads.
std::string nearestFileText(const fs::path& missing)
{
    std::error_code error;
    if (const fs::path target = fs::read_symlink(missing, error); !error)
        return ": it is a link to '" + clampText(target.string(), 500) + "', which does not exist";
    std::string first = missing.filename().string();
    if (const std::size_t digits = std::ranges::count(first, '#'); digits > 0) {
        std::ranges::replace(first, '#', '0');
        first[missing.filename().string().rfind('#')] = '1';
        return "; each # stands for a digit of the frame's number, so the first file is called " + first +
               ", or has a later number";
    }
    constexpr std::size_t most = 10'000;  // entries that are looked at
    const fs::path folder = missing.has_parent_path() ? missing.parent_path() : fs::path(".");
    std::vector<std::string> names;
    error.clear();
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        if (names.size() == most) break;
        names.push_back(entry->path().filename().string());
    }
    std::ranges::sort(names);
    const std::string hint = didYouMean(missing.filename().string(), {names.begin(), names.end()});
    return hint.starts_with("; did you mean") ? hint : "";
}

}  // namespace

std::string readSceneText(const fs::path& file, const Origin& where)
{
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    const std::string name = clampText(file.string(), 500);
    if (!fs::exists(status)) throw Error(ExitCode::File, "cannot find the scene " + name + nearestFileText(file));
    if (fs::is_directory(status)) throw Error(ExitCode::File, "'" + name + "' is a folder, expected a scene file");
    if (!fs::is_regular_file(status)) fail(where, "'" + file.string() + "' is not a file", ExitCode::File);
    const std::uintmax_t size = fs::file_size(file, error);
    if (error || size > longestScene)
        fail(where,
             "'" + file.string() + "' is larger than " + std::to_string(longestScene) + " bytes, the limit for a scene",
             ExitCode::File);
    std::ifstream stream(file, std::ios::binary);
    std::string text(size, '\0');
    stream.read(text.data(), static_cast<std::streamsize>(size));
    if (!stream) {
        const std::string reason = std::generic_category().message(errno);
        fail(where, "cannot read '" + file.string() + "': " + reason, ExitCode::File);
    }
    if (text.find('\0') != std::string::npos) fail(where, "'" + file.string() + "' is not a text; expected a scene");
    return text;
}

toml::table parseToml(const std::string& text, const Source& source)
{
    refuseDeepKeys(text, source);
    try {
        return toml::parse(text, source.name);
    } catch (const toml::parse_error& error) {
        const auto value = assignedText(text, error.source().begin);
        fail(source.at(error.source()), "not TOML: " + plainText(error.description()) +
                                            (value ? hintFor(*value) : tableHint(error.description())));
    } catch (const TomlFault&) {
        const unsigned line = lineOfFault(text);
        fail(source.at({{line, 1}, {line, 1}, nullptr}), "not TOML: expected a key or a table's name between brackets");
    }
}

fs::path resolveReferenced(const fs::path& path, const fs::path& folder, bool allowOutside, const Origin& where)
{
    fs::path complete = (folder / path).lexically_normal();
    std::error_code error;
    const fs::path canonicalFolder = fs::weakly_canonical(folder.empty() ? fs::path(".") : folder, error);
    const fs::path canonical = fs::weakly_canonical(fs::absolute(complete), error);
    if (error) fail(where, "cannot resolve the path '" + path.string() + "': " + error.message(), ExitCode::File);
    if (!allowOutside && !isInside(canonical, canonicalFolder))
        fail(where, "'" + path.string() + "' is outside the scene's folder '" + canonicalFolder.string() +
                        "'; move the file into the folder or use --allow-outside");
    const fs::file_status status = fs::status(complete, error);
    if (!fs::exists(status)) {
        const std::string in = path.is_absolute() ? "" : " in the scene's folder '" + canonicalFolder.string() + "'";
        fail(where, "cannot find the file '" + path.string() + "'" + in + nearestFileText(complete), ExitCode::File);
    }
    if (!fs::is_regular_file(status)) fail(where, "'" + complete.string() + "' is not a file", ExitCode::File);
    return complete;
}

}  // namespace firn
