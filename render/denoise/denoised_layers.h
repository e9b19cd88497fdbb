#pragma once
// Adds to a picture its layers without noise.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "common/image/image.h"
#include "render/denoise/denoiser.h"

namespace firn {

enum class DenoiserChoice {
    Auto,     // Network if weights are found, otherwise Filter
    Network,  // of Open Image Denoise
    Filter,   // a weighted linear fit, see filter.h
    Off,
};

/// "auto", "network", "filter" or "off". Throws Error(Usage) otherwise.
DenoiserChoice denoiserByName(const std::string& name);

class LayerDenoiser {
public:
    /// `weights`: as for findDenoiserWeights(). Throws Error(File) where they are asked for and cannot be used.
    LayerDenoiser(DenoiserChoice choice, const std::filesystem::path& weights);

    bool isOff() const { return m_choice == DenoiserChoice::Off; }

    /// "network" and the checksum of its weights, "filter" or "off".
    std::string name() const;
    /// A remark if its weights are not the published ones; "" otherwise. Damage inside them is not found in another
    /// way.
    std::string remark() const;
    /// The same, and why it is not the network where it could be.
    std::string description() const;

    /// Adds denoised.R/G/B, and with at least two samples per pixel (filter: four) denoised.stderr.Y: the standard
    /// error of their luminance, from the difference to a picture denoised from half of the samples. It does not
    /// contain what the denoiser changes on average. `image` is as of Film::image(), `half` as of Film::half() or,
    /// where it is not known, null. Metadata firn.denoiser tells what made them. `warn` is told of pixels that are not
    /// finite; in the new layers, they are replaced by what is around them. Throws Error(File) that names a layer that
    /// is missing.
    void addLayers(Image& image, const HalfPicture* half, const std::function<void(const std::string&)>& warn);

private:
    void addFilterLayers(Image& image, const Image& input, const HalfPicture* half);
    void addNetworkLayers(Image& image, const Image& input, const HalfPicture* half);

    DenoiserChoice m_choice;
    std::optional<Denoiser> m_network;
};

/// The picture with denoised.R/G/B in place of R, G and B, if it has them.
Image denoisedPicture(const Image& image);

}  // namespace firn
