#pragma once
// How far pictures of several seeds are from a reference, and from each other.

#include <nlohmann/json.hpp>

#include "common/error.h"
#include "common/image/exr.h"

namespace firn::bench {

/// Of one channel, relative to the reference.
struct ChannelErrors {
    double mean = 0;       // sum of the pixels of all pictures / that of the reference
    double mean_error = 0;  // standard error of `mean`, from the pictures' own means
    double squares = 0;    // mean over pictures and pixels of (picture / reference - 1)^2
    double variance = 0;   // of a pixel from picture to picture, / reference^2; mean over pixels
};

/// Pixels where the reference's channel A is above 0.
inline std::vector<std::size_t> pixelsWithSnow(const Image& reference)
{
    std::vector<std::size_t> pixels;
    const std::vector<float>& alpha = reference.at("A").pixels;
    for (std::size_t i = 0; i < alpha.size(); ++i) {
        if (alpha[i] > 0) pixels.push_back(i);
    }
    return pixels;
}

/// Variance of the population that the values are from; they are at least two.
inline double sampleVariance(const std::vector<double>& values)
{
    double mean = 0, squares = 0;
    for (const double value : values) mean += value / static_cast<double>(values.size());
    for (const double value : values) squares += (value - mean) * (value - mean);
    return squares / static_cast<double>(values.size() - 1);
}

inline ChannelErrors errorsOf(const std::string& channel, const Image& reference, const std::vector<Image>& pictures)
{
    const std::vector<std::size_t> pixels = pixelsWithSnow(reference);
    const std::vector<float>& truth = reference.at(channel).pixels;
    const auto count = static_cast<double>(pictures.size());
    std::vector<double> ratios(pictures.size()), means(pictures.size());
    double sum = 0;
    for (const std::size_t i : pixels) sum += truth[i];
    ChannelErrors errors;
    for (const std::size_t i : pixels) {
        for (std::size_t p = 0; p < pictures.size(); ++p) {
            const float value = pictures[p].at(channel).pixels[i];
            ratios[p] = static_cast<double>(value) / truth[i];
            means[p] += value / sum;
            errors.squares += (ratios[p] - 1) * (ratios[p] - 1);
        }
        errors.variance += sampleVariance(ratios);
    }
    for (const double mean : means) errors.mean += mean / count;
    errors.mean_error = std::sqrt(sampleVariance(means) / count);
    errors.squares /= count * static_cast<double>(pixels.size());
    errors.variance /= static_cast<double>(pixels.size());
    return errors;
}

/// {"R": {"mean": ...}, "G": ...}
inline nlohmann::json compare(const std::filesystem::path& reference, const std::vector<std::filesystem::path>& files)
{
    if (files.size() < 2) throw Error(ExitCode::Usage, "two pictures at least, of different seeds, give a variance");
    const Image truth = readExr(reference);
    std::vector<Image> pictures;
    for (const std::filesystem::path& file : files) {
        pictures.push_back(readExr(file));
        if (pictures.back().width == truth.width && pictures.back().height == truth.height) continue;
        throw Error(ExitCode::Usage, file.string() + " does not have the size of the reference");
    }
    nlohmann::json result;
    for (const std::string channel : {"R", "G", "B"}) {
        const ChannelErrors errors = errorsOf(channel, truth, pictures);
        result[channel] = {{"mean", errors.mean},
                           {"mean_error", errors.mean_error},
                           {"squares", errors.squares},
                           {"variance", errors.variance}};
    }
    return result;
}

}  // namespace firn::bench
