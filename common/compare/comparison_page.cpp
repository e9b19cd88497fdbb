#include "common/compare/comparison_page.h"

#include <tbb/parallel_invoke.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "common/compare/heat_map.h"
#include "common/compare/page_pixels.h"
#include "common/error.h"
#include "common/page/page.h"

namespace firn {

extern const std::string_view comparisonPageBody, comparisonPageStyle, comparisonPageScript;  // common/compare/page

namespace {

using Json = nlohmann::ordered_json;

/// Each takes 9 to 12 bytes of the page, because noise does not compress.
constexpr double pixelsInAll = 2.5e6;
constexpr int leastWidth = 320;

template <typename Value>
Value metadataOr(const Image& image, const char* key, const Value& otherwise)
{
    const auto entry = image.metadata.find(key);
    const Value* const value = entry == image.metadata.end() ? nullptr : std::get_if<Value>(&entry->second);
    return value ? *value : otherwise;
}

/// The colours of the heat map from 0 to 1.
Json heatColors()
{
    constexpr int count = 65;
    PixelPlane ramp(count, 1);
    for (int i = 0; i < count; ++i) ramp.values[static_cast<std::size_t>(i)] = static_cast<float>(i) / (count - 1);
    const Rgb8Image image = heatMap(ramp);
    Json colors = Json::array();
    for (std::size_t i = 0; i < count; ++i) {
        colors.push_back({image.pixels[3 * i], image.pixels[3 * i + 1], image.pixels[3 * i + 2]});
    }
    return colors;
}

/// The gain, in stops, with which differences are shown at first: four times the RMS is at the end of the scale.
int firstGain(double rms)
{
    return rms > 0 ? std::clamp(static_cast<int>(std::lround(-std::log2(4 * rms))), 0, 10) : 0;
}

bool hasFewPaths(const Image& image)
{
    constexpr int few = 8;
    return metadataOr(image, "firn.spp", few + 1) <= few;
}

bool hasLightCache(const Image& image) { return metadataOr<std::string>(image, "firn.transport", "") == "cached"; }

}  // namespace

int ComparisonPage::factorFor(const Image& image) const
{
    if (m_width > 0) return std::max(1, static_cast<int>(std::ceil(static_cast<double>(image.width) / m_width)));
    const double pixels = static_cast<double>(image.pixelCount()) * static_cast<double>(m_frames);
    const int wanted = static_cast<int>(std::ceil(std::sqrt(pixels / pixelsInAll) - 1e-9));
    return std::clamp(wanted, 1, std::max(1, image.width / leastWidth));
}

void ComparisonPage::addPayload(std::size_t index, const char* what, const std::string& text)
{
    if (text.empty()) return;
    m_payload +=
        "<script type=\"text/plain\" id=\"pixels-" + std::to_string(index) + "-" + what + "\">" + text + "</script>\n";
}

void ComparisonPage::noteFirst(const Image& a, const Image& b)
{
    if (m_isNoted) return;
    m_isNoted = true;
    const char* const otherwise = a.metadata.empty() ? "srgb" : "filmic";  // PNG has no metadata
    m_view.view = metadataOr<std::string>(a, "firn.view", otherwise);
    m_view.exposure = std::clamp(static_cast<double>(metadataOr(a, "firn.exposure", 0.0f)), -10.0, 10.0);
    m_view.fps = std::clamp(static_cast<double>(metadataOr(a, "firn.fps", 24.0f)), 1.0, 120.0);
    m_view.scene_a = metadataOr<std::string>(a, sceneAttribute, "");
    m_view.scene_b = metadataOr<std::string>(b, sceneAttribute, "");
}

void ComparisonPage::add(std::size_t index, const Image& a, const Image& b, const Comparison& comparison)
{
    noteFirst(a, b);
    const std::vector<Layer> layers = layersOf(a);
    const Layer& layer = *std::find_if(layers.begin(), layers.end(), [&](const Layer& candidate) {
        return candidate.name == comparison.main().layer;
    });
    const int factor = factorFor(a);
    m_greatestRms = std::max(m_greatestRms, comparison.main().rms);
    std::string ofA, ofB, ofFlip, ofDeviations;
    tbb::parallel_invoke([&] { ofA = halfPayload(a, layer, factor); }, [&] { ofB = halfPayload(b, layer, factor); },
                         [&] {
                             if (comparison.flip_mean) ofFlip = flipPayload(comparison.flip, factor);
                             if (const auto& s = comparison.significance) {
                                 ofDeviations = deviationPayload(s->deviations, factor, s->least_significant);
                             }
                         });
    addPayload(index, "a", ofA);
    addPayload(index, "b", ofB);
    addPayload(index, "flip", ofFlip);
    addPayload(index, "deviations", ofDeviations);
    std::vector<std::string> channels = layer.channels;
    channels.resize(std::min<std::size_t>(3, channels.size()));
    for (std::string& channel : channels) channel.erase(0, channel.rfind('.') + 1);
    m_pixels[index] = {(a.width + factor - 1) / factor,
                       (a.height + factor - 1) / factor,
                       factor,
                       a.width,
                       a.height,
                       a.origin_x,
                       a.origin_y,
                       channels,
                       comparison.significance && (hasFewPaths(a) || hasFewPaths(b)),
                       comparison.significance && (hasLightCache(a) || hasLightCache(b))};
}

std::string ComparisonPage::html(Json metrics) const
{
    metrics["view"] = m_view.view;
    metrics["exposure"] = m_view.exposure;
    metrics["fps"] = m_view.fps;
    metrics["scene_a"] = m_view.scene_a;
    metrics["scene_b"] = m_view.scene_b;
    for (const auto& [index, pixels] : m_pixels) {
        metrics["frames"][index]["pixels"] = {{"width", pixels.width},
                                              {"height", pixels.height},
                                              {"factor", pixels.factor},
                                              {"full_width", pixels.full_width},
                                              {"full_height", pixels.full_height},
                                              {"origin_x", pixels.origin_x},
                                              {"origin_y", pixels.origin_y},
                                              {"channels", pixels.channels},
                                              {"few_paths", pixels.has_few_paths},
                                              {"light_cache", pixels.has_light_cache}};
    }
    metrics["gain"] = firstGain(m_greatestRms);
    metrics["deviation_step"] = deviationStep;
    metrics["heat"] = heatColors();
    const std::string title = metrics["a"].get<std::string>() + " and " + metrics["b"].get<std::string>();
    return makePage({"firn-render compare", clampText(title), comparisonPageStyle, comparisonPageBody,
                     comparisonPageScript, scriptJson(metrics), m_payload});
}

}  // namespace firn
