#include "common/io/frame_range.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <unordered_set>

#include "common/error.h"

namespace firn {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t mostFrames = 1000000;

struct FrameSequence {
    int first = 0, last = 0, step = 1;
};

bool isDigit(char c) { return c >= '0' && c <= '9'; }

std::optional<int> integer(const std::string& text)
{
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

[[noreturn]] void failRange(const std::string& part)
{
    throw Error(ExitCode::Usage,
                "frame range '" + clampText(part) + "': expected 12, 1-100, 1-100x2 or a list of those with commas");
}

/// Takes a number of one to nine digits off the front of `text`.
std::optional<int> takeNumber(std::string_view& text, bool maySign)
{
    const std::size_t sign = maySign && text.starts_with('-') ? 1 : 0;
    std::size_t end = sign;
    while (end < text.size() && isDigit(text[end])) ++end;
    if (end == sign || end - sign > 9) return std::nullopt;
    const std::optional<int> number = integer(std::string(text.substr(0, end)));
    text.remove_prefix(end);
    return number;
}

bool takeCharacter(std::string_view& text, char c)
{
    if (!text.starts_with(c)) return false;
    text.remove_prefix(1);
    return true;
}

std::string_view trimmed(std::string_view text)
{
    constexpr const char* spaces = " \t\n\v\f\r";
    const std::size_t begin = std::min(text.find_first_not_of(spaces), text.size());
    return text.substr(begin, text.find_last_not_of(spaces) + 1 - begin);
}

FrameSequence parseSequence(const std::string& part)
{
    std::string_view rest = trimmed(part);
    const std::optional<int> first = takeNumber(rest, true);
    if (!first) failRange(part);
    FrameSequence sequence{*first, *first, 1};
    if (takeCharacter(rest, '-')) {
        const std::optional<int> last = takeNumber(rest, true);
        const std::optional<int> step = takeCharacter(rest, 'x') ? takeNumber(rest, false) : 1;
        if (!last || !step || *step < 1) failRange(part);
        sequence = {*first, *last, *step};
    }
    if (!rest.empty()) failRange(part);
    if (sequence.last < sequence.first) {
        throw Error(ExitCode::Usage, "frame range '" + clampText(part) + "': its end is before its start");
    }
    return sequence;
}

/// The place of the frame number in a file name, and its number of digits.
struct NumberPlace {
    std::size_t begin = 0, length = 0;
    int width = 1;
};

std::optional<NumberPlace> placeAt(std::string_view name, std::size_t begin)
{
    const std::string_view rest = name.substr(begin);
    const auto digit = [&](std::size_t i) { return i < rest.size() && isDigit(rest[i]) ? rest[i] - '0' : -1; };
    if (rest.starts_with('#')) {
        const std::size_t length = std::min(rest.find_first_not_of('#'), rest.size());
        return NumberPlace{begin, length, static_cast<int>(length)};
    }
    if (rest.starts_with("%d")) return NumberPlace{begin, 2, 1};
    if (rest.starts_with("%0") && digit(2) >= 0 && rest.substr(3).starts_with('d'))
        return NumberPlace{begin, 4, digit(2)};
    if (rest.starts_with("$F")) return digit(2) >= 0 ? NumberPlace{begin, 3, digit(2)} : NumberPlace{begin, 2, 1};
    return std::nullopt;
}

NumberPlace findPlace(const fs::path& pattern)
{
    const std::string name = pattern.filename().string();
    std::vector<NumberPlace> places;
    for (std::size_t i = 0; i < name.size();) {
        const std::optional<NumberPlace> place = placeAt(name, i);
        if (place) places.push_back(*place);
        i += place ? place->length : 1;
    }
    if (places.size() != 1) {
        throw Error(ExitCode::Usage,
                    "file name '" + clampText(name) + "': expected one place for the frame number: ####, %04d or $F4");
    }
    return places.front();
}

std::string padded(int frame, int width)
{
    const std::string digits = std::to_string(std::abs(frame));
    std::string result = frame < 0 ? "-" : "";
    const std::size_t used = result.size() + digits.size();
    result.append(std::max<std::size_t>(used, width) - used, '0');
    return result + digits;
}

}  // namespace

bool isFramePattern(const fs::path& path)
{
    const std::string name = path.filename().string();
    for (std::size_t i = 0; i < name.size(); ++i)
        if (placeAt(name, i)) return true;
    return false;
}

std::vector<int> parseFrames(const std::string& text)
{
    std::vector<int> frames;
    std::unordered_set<int> seen;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const FrameSequence sequence = parseSequence(text.substr(begin, end - begin));
        if ((static_cast<std::size_t>(sequence.last) - sequence.first) / sequence.step + frames.size() >= mostFrames) {
            throw Error(ExitCode::Usage, "frame range '" + clampText(text) + "': it has more than a million frames");
        }
        for (long frame = sequence.first; frame <= sequence.last; frame += sequence.step) {
            if (seen.insert(static_cast<int>(frame)).second) frames.push_back(static_cast<int>(frame));
        }
        begin = end + 1;
    }
    return frames;
}

std::string formatFrames(const std::vector<int>& frames)
{
    std::string result;
    for (std::size_t first = 0; first < frames.size();) {
        std::size_t last = first;
        while (last + 1 < frames.size() && frames[last + 1] == frames[last] + 1) ++last;
        if (!result.empty()) result += ',';
        result += std::to_string(frames[first]);
        if (last > first) result += "-" + std::to_string(frames[last]);
        first = last + 1;
    }
    return result;
}

std::string framesText(const std::string& formatted)
{
    return (formatted.find_first_of(",-x", 1) == std::string::npos ? "frame " : "frames ") + formatted;
}

std::string framesText(const std::vector<int>& frames) { return framesText(formatFrames(frames)); }

fs::path framePath(const fs::path& pattern, int frame)
{
    const NumberPlace place = findPlace(pattern);
    std::string name = pattern.filename().string();
    name.replace(place.begin, place.length, padded(frame, place.width));
    return pattern.parent_path() / name;
}

std::vector<int> existingFrames(const fs::path& pattern)
{
    const NumberPlace place = findPlace(pattern);
    const std::string form = pattern.filename().string();
    const std::string before = form.substr(0, place.begin), after = form.substr(place.begin + place.length);
    std::vector<int> frames;
    std::error_code error;
    const fs::path folder = pattern.has_parent_path() ? pattern.parent_path() : fs::path(".");
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        if (name.size() < before.size() + after.size() || !name.starts_with(before) || !name.ends_with(after)) continue;
        const std::string digits = name.substr(before.size(), name.size() - before.size() - after.size());
        const std::optional<int> frame = integer(digits);
        if (frame && padded(*frame, place.width) == digits) frames.push_back(*frame);
    }
    std::sort(frames.begin(), frames.end());
    return frames;
}

}  // namespace firn
