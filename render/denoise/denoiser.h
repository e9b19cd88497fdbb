#pragma once
// Removes noise from a picture with the network of Open Image Denoise: colour goes through an exposure and a perceptual
// curve, the picture is cut into tiles that overlap, and the network denoises each.

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "common/image/image.h"
#include "render/denoise/network.h"

namespace firn {

/// What the network gets. Values that are not finite count as zero.
struct NoisyPicture {
    int width = 0, height = 0;
    Planes colour;  // linear radiance, not negative
    Planes albedo;  // 0 to 1
    Planes normal;  // -1 to 1
};

/// The exposure that gives the picture's mean brightness a luminance of 0.18: the geometric mean over squares of 16 x
/// 16 pixels, without black ones. 1 for a black picture. Source: Open Image Denoise's autoexposure.
double autoExposure(const NoisyPicture& picture);

/// Parts of a picture that the network denoises one after the other.
struct DenoiseTile {
    int x, y, width, height;                      // what the network sees; multiples of 16, may leave the picture
    int keep_x, keep_y, keep_width, keep_height;  // what is kept of it, in the picture
};

/// Tiles of at most `largestTile` pixels that cover the picture, each with DenoiseNetwork::reach around what is kept,
/// as far as the picture goes.
std::vector<DenoiseTile> denoiseTiles(int width, int height, std::size_t largestTile);

class Denoiser {
public:
    static constexpr double defaultMemory = 1e9;  // bytes

    /// Reads the weights. Throws Error(File) where they are missing, damaged or those of another network.
    explicit Denoiser(const std::filesystem::path& weights, double memoryBytes = defaultMemory);

    /// The picture's colour without noise; exposure as of autoExposure(). The same bits for any number of threads.
    Planes denoise(const NoisyPicture& picture) { return denoise(picture, autoExposure(picture)); }
    Planes denoise(const NoisyPicture& picture, double exposure);

    /// The name of the file of weights, and the checksum of its content.
    const std::string& name() const { return m_name; }

private:
    std::string m_name;
    DenoiseNetwork m_network;
    std::size_t m_largestTile;  // pixels
};

}  // namespace firn
