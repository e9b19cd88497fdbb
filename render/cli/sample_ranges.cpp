#include "render/cli/sample_ranges.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <tuple>

namespace firn {

namespace {

bool meet(int a, int sizeA, int b, int sizeB) { return a < b + sizeB && b < a + sizeA; }

auto placeOf(const SampleRange& range)
{
    const PixelWindow& w = range.window;
    return std::tuple(w.y, w.x, w.height, w.width, range.seed);
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
    std::sort(ranges.begin(), ranges.end(), [](const SampleRange& a, const SampleRange& b) {
        return std::tuple(placeOf(a), a.first) < std::tuple(placeOf(b), b.first);
    });
    std::vector<SampleRange> result;
    for (const SampleRange& range : ranges) {
        const bool follows = !result.empty() && placeOf(result.back()) == placeOf(range) &&
                             result.back().first + result.back().count == range.first;
        if (follows) {
            result.back().count += range.count;
        } else {
            result.push_back(range);
        }
    }
    return result;
}

std::string textOf(const std::vector<SampleRange>& ranges)
{
    const bool oneWindow = std::all_of(ranges.begin(), ranges.end(), [&](const SampleRange& range) {
        return pixelsOf(range.window) == pixelsOf(ranges.front().window);
    });
    std::string text;
    for (const SampleRange& range : ranges) {
        text += (text.empty() ? "seed " : ", seed ") + std::to_string(range.seed) + " samples " +
                std::to_string(range.first) + "-" + std::to_string(range.first + range.count - 1);
        if (!oneWindow) text += " of " + pixelsOf(range.window);
    }
    return text;
}

nlohmann::json rangesJson(const std::vector<SampleRange>& ranges)
{
    nlohmann::json list = nlohmann::json::array();
    for (const SampleRange& range : ranges) {
        const PixelWindow& w = range.window;
        list.push_back({{"seed", range.seed}, {"first", range.first}, {"count", range.count}});
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
                          {w[0], w[1], w[2], w[3]}});
    }
    return ranges;
}

}  // namespace firn
