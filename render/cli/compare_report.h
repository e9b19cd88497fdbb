#pragma once
// The page of a comparison: one HTML file with its pixels, works from disk without a network.

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "render/compare/comparison.h"

namespace firn {

class CompareReport {
public:
    /// Of `frames` pictures, at most `width` pixels wide each; 0: as large as keeps the page small.
    CompareReport(std::size_t frames, int width) : m_frames(frames), m_width(width) {}

    /// The pixels of frame number `index` (from 0) of the metrics.
    void add(std::size_t index, const Image& a, const Image& b, const Comparison& comparison);

    /// `metrics` as in metrics.json.
    std::string page(nlohmann::ordered_json metrics) const;

private:
    int factorFor(const Image& image) const;
    void addPayload(std::size_t index, const char* what, const std::string& text);
    void noteFirst(const Image& a, const Image& b);

    std::size_t m_frames;
    int m_width;
    bool m_isNoted = false;
    nlohmann::ordered_json m_view = {  // how to show pictures, and their scenes; from the first ones
        {"view", "filmic"},
        {"exposure", 0},
        {"fps", 24},
        {"scene_a", ""},
        {"scene_b", ""}};
    std::map<std::size_t, nlohmann::ordered_json> m_pixels;  // what the page's data say of each frame's
    double m_greatestRms = 0;
    std::string m_payload;
};

}  // namespace firn
