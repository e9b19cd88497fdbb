#include "common/io/frame_range.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <regex>
#include <unordered_set>

#include "common/error.h"

namespace firn {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t mostFrames = 1000000;

struct FrameSequence {
    int first = 0, last = 0, step = 1;
};

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

FrameSequence parseSequence(const std::string& part)
{
    static const std::regex form(R"(\s*(-?\d{1,9})(?:-(-?\d{1,9})(?:x(\d{1,9}))?)?\s*)");
    std::smatch match;
    if (part.size() > 64 || !std::regex_match(part, match, form)) failRange(part);
    const int first = *integer(match[1]);
    const FrameSequence sequence{first, match[2].matched ? *integer(match[2]) : first,
                                 match[3].matched ? *integer(match[3]) : 1};
    if (sequence.step < 1) failRange(part);
    if (sequence.last < sequence.first) {
        throw Error(ExitCode::Usage, "frame range '" + part + "': its end is before its start");
    }
    return sequence;
}

/// The place of the frame number in a file name, and its number of digits.
struct Place {
    std::size_t begin = 0, length = 0;
    int width = 1;
};

Place findPlace(const fs::path& pattern)
{
    const std::string name = pattern.filename().string();
    static const std::regex form(R"(#+|%(?:0(\d))?d|\$F(\d?))");
    const std::sregex_iterator found(name.begin(), name.end(), form);
    if (std::distance(found, std::sregex_iterator()) != 1) {
        throw Error(ExitCode::Usage,
                    "file name '" + clampText(name) + "': expected one place for the frame number: ####, %04d or $F4");
    }
    const std::smatch& match = *found;
    int width = static_cast<int>(match.length());
    if (name[match.position()] == '%') width = match[1].matched ? *integer(match[1]) : 1;
    if (name[match.position()] == '$') width = match.length(2) > 0 ? *integer(match[2]) : 1;
    return {static_cast<std::size_t>(match.position()), static_cast<std::size_t>(match.length()), width};
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

fs::path framePath(const fs::path& pattern, int frame)
{
    const Place place = findPlace(pattern);
    std::string name = pattern.filename().string();
    name.replace(place.begin, place.length, padded(frame, place.width));
    return pattern.parent_path() / name;
}

std::vector<int> existingFrames(const fs::path& pattern)
{
    const Place place = findPlace(pattern);
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
