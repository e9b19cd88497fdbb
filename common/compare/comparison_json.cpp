#include "common/compare/comparison_json.h"

#include <nlohmann/json.hpp>

namespace firn {

namespace {

using Json = nlohmann::ordered_json;

Json layerJson(const LayerMetrics& layer)
{
    Json json = {
        {"layer", layer.layer},
        {"pixels", layer.pixels},
        {"not_finite_a", layer.not_finite_a},
        {"not_finite_b", layer.not_finite_b},
        {"not_finite_in_one", layer.not_finite_in_one},
        {"mean_a", layer.mean_a},
        {"mean_b", layer.mean_b},
        {"mean_difference", layer.mean_difference},
        {"mean_absolute", layer.mean_absolute},
        {"rms", layer.rms},
        {"relative_mse", layer.relative_mse},
        {"psnr_db", layer.psnr_db},
    };
    if (!layer.largest.channel.empty()) {
        json["largest"] = {{"value", layer.largest.value},
                           {"channel", layer.largest.channel},
                           {"x", layer.largest.x},
                           {"y", layer.largest.y}};
    }
    return json;
}

Json significanceJson(const Significance& significance)
{
    return {{"level", significance.level},
            {"pixels", significance.pixels},
            {"share_below_level", significance.share_below_level},
            {"share_significant", significance.share_significant},
            {"least_significant", significance.least_significant},
            {"mean_deviations", significance.mean_deviations}};
}

}  // namespace

Json comparisonJson(const Comparison& comparison)
{
    Json json;
    json["same"] = comparison.isSame();
    if (comparison.flip_mean) {
        json["flip"] = {{"mean", *comparison.flip_mean},
                        {"max", *comparison.flip_max},
                        {"exposure_start", comparison.exposures.start},
                        {"exposure_stop", comparison.exposures.stop},
                        {"exposures", comparison.exposures.count}};
    }
    if (comparison.ssim) json["ssim"] = *comparison.ssim;
    if (comparison.significance) json["significance"] = significanceJson(*comparison.significance);
    json["alpha_errors_a"] = comparison.alpha_errors_a;
    json["alpha_errors_b"] = comparison.alpha_errors_b;
    json["layers"] = Json::array();
    for (const LayerMetrics& layer : comparison.layers) json["layers"].push_back(layerJson(layer));
    json["layers_only_a"] = comparison.only_a;
    json["layers_only_b"] = comparison.only_b;
    json["metadata"] = Json::array();
    for (const MetadataDifference& difference : comparison.metadata) {
        json["metadata"].push_back({{"key", difference.key}, {"a", difference.a}, {"b", difference.b}});
    }
    return json;
}

}  // namespace firn
