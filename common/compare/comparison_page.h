#pragma once
// The page of a comparison: one HTML file that contains its pixels and needs no network.

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "common/compare/comparison.h"

namespace firn {

class ComparisonPage {
public:
    /// For `frames` pictures, each at most `width` pixels wide. With 0 the width is chosen so that the page stays
    /// small.
    ComparisonPage(std::size_t frames, int width) : m_frames(frames), m_width(width) {}

    /// Adds the pixels of frame number `index` (from 0) of the metrics.
    void add(std::size_t index, const Image& a, const Image& b, const Comparison& comparison);

    /// `metrics` as in metrics.json.
    std::string html(nlohmann::ordered_json metrics) const;

private:
    /// How pictures are shown at first, and their scenes: from the metadata of the first pair.
    struct FirstView {
        std::string view = "filmic";
        double exposure = 0, fps = 24;
        std::string scene_a, scene_b;
    };
    /// What the page's data say about the pixels of a frame.
    struct FramePixels {
        int width = 0, height = 0;  // in the page
        int factor = 1;             // pixels of the picture per pixel of the page, both ways
        int full_width = 0, full_height = 0;
        int origin_x = 0, origin_y = 0;
        std::vector<std::string> channels;
        bool has_few_paths = false, has_light_cache = false;  // where significance is tested, of either picture
    };

    int factorFor(const Image& image) const;
    void addPayload(std::size_t index, const char* what, const std::string& text);
    void noteFirst(const Image& a, const Image& b);

    std::size_t m_frames;
    int m_width;
    bool m_isNoted = false;
    FirstView m_view;
    std::map<std::size_t, FramePixels> m_pixels;
    double m_greatestRms = 0;
    std::string m_payload;
};

}  // namespace firn
