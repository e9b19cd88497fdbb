#include "render/cli/sample_ranges.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <tuple>

namespace firn {

namespace {

bool meet(int a, int sizeA, int b, int sizeB) { return a < b + sizeB && b < a + sizeA; }

bool areSame(const PixelWindow& a, const PixelWindow& b)
{
    return a.x == b.x && a.y == b.y && a.width == b.width && a.height == b.height;
}

/// Extends `a` by `b` if it follows: in its samples, to the right or below.
bool join(SampleRange& a, const SampleRange& b)
{
    if (a.seed != b.seed) return false;
    PixelWindow &w = a.window, v = b.window;
    if (areSame(w, v) && a.first + a.count == b.first && a.least == a.count && b.least == b.count) {
        a.count += b.count;
        a.least = a.count;
        return true;
    }
    if (a.first != b.first || a.count != b.count || a.least != b.least) return false;
    if (w.y == v.y && w.height == v.height && w.x + w.width == v.x) {
        w.width += v.width;
        return true;
    }
    if (w.x == v.x && w.width == v.width && w.y + w.height == v.y) {
        w.height += v.height;
        return true;
    }
    return false;
}

std::string pixelsOf(const PixelWindow& window)
{
    return std::to_string(window.x) + "," + std::to_string(window.y) + "," + std::to_string(window.width) + "," +
           std::to_string(window.height);
}

}  // namespace

bool overlap(const SampleRange& a, const SampleRange& b)
{
    return a.seed == b.seed && meet(a.first, a.count, b.first, b.count) &&
           meet(a.window.x, a.window.width, b.window.x, b.window.width) &&
           meet(a.window.y, a.window.height, b.window.y, b.window.height);
}

std::vector<SampleRange> joined(std::vector<SampleRange> ranges)
{
    // Each round joins one pair, until no pair can be joined.
    for (bool isChanged = true; isChanged;) {
        isChanged = false;
        for (std::size_t a = 0; a < ranges.size() && !isChanged; ++a) {
            for (std::size_t b = 0; b < ranges.size() && !isChanged; ++b) {
                if (a == b || !join(ranges[a], ranges[b])) continue;
                ranges.erase(ranges.begin() + static_cast<std::ptrdiff_t>(b));
                isChanged = true;
            }
        }
    }
    std::sort(ranges.begin(), ranges.end(), [](const SampleRange& a, const SampleRange& b) {
        return std::tuple(a.seed, a.first, a.window.y, a.window.x) <
               std::tuple(b.seed, b.first, b.window.y, b.window.x);
    });
    return ranges;
}

std::string textOf(const std::vector<SampleRange>& ranges)
{
    const bool oneWindow = std::all_of(ranges.begin(), ranges.end(), [&](const SampleRange& range) {
        return areSame(range.window, ranges.front().window);
    });
    std::string text;
    const auto samples = [](int first, int count) {
        return std::to_string(first) + "-" + std::to_string(first + count - 1);
    };
    for (const SampleRange& range : ranges) {
        text += (text.empty() ? "seed " : ", seed ") + std::to_string(range.seed) + " samples ";
        if (range.least < range.count) text += samples(range.first, range.least) + " to ";
        text += samples(range.first, range.count);
        if (!oneWindow) text += " of " + pixelsOf(range.window);
    }
    return text;
}

nlohmann::json rangesJson(const std::vector<SampleRange>& ranges)
{
    nlohmann::json list = nlohmann::json::array();
    for (const SampleRange& range : ranges) {
        const PixelWindow& w = range.window;
        list.push_back({{"seed", range.seed}, {"first", range.first}, {"count", range.count}, {"least", range.least}});
        list.back()["window"] = {w.x, w.y, w.width, w.height};
    }
    return list;
}

std::vector<SampleRange> rangesOf(const nlohmann::json& json)
{
    std::vector<SampleRange> ranges;
    for (const nlohmann::json& entry : json) {
        const auto w = entry.at("window").get<std::array<int, 4>>();
        ranges.push_back({entry.at("seed").get<std::uint64_t>(),
                          entry.at("first").get<int>(),
                          entry.at("count").get<int>(),
                          entry.at("least").get<int>(),
                          {w[0], w[1], w[2], w[3]}});
    }
    return ranges;
}

}  // namespace firn
