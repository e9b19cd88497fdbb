#pragma once
// What the header of a picture tells of how it was made.

#include <filesystem>
#include <optional>
#include <string>

#include "common/image/image.h"
#include "common/image/pixel_window.h"
#include "render/cli/value_difference.h"

namespace firn {

/// A picture that is there, or one that is to be written.
struct PictureTraits {
    std::optional<int> frame;   // its number, if it is known
    int width = 0, height = 0;  // of the whole picture
    PixelWindow window;         // the pixels that it has
    std::optional<int> spp;     // paths per pixel, if they are known
    bool half = true;           // precision of the EXR
    int first_sample = 0;       // number of the first sample of a pixel
    std::string denoiser;       // as LayerDenoiser::name(), or with withNeighbourFrames
    int neighbours = 0;         // frames whose light it has, or at most will have
    std::string values;         // pictureText() of the scene; "" if it is not known
    std::string snow;           // checksum of its snow (FilmHeader::snow); "" if it is not known
    std::string simulation;     // hash of the scene that its snow was simulated with; "" if it is not known
    std::string take;           // takeText() of its take of a wedge; "" if it has none or it is not known
};

/// Name of the metadata with the hash of the scene that the rendered frame of the cache was simulated with. It differs
/// from firn.scene_hash in pictures that --force rendered from the cache of another scene.
inline constexpr const char* simulationAttribute = "firn.cache_scene_hash";

/// Name of the metadata with the checksum of the snow (FilmHeader::snow).
inline constexpr const char* snowAttribute = "firn.snow";

/// Name of the metadata with the take of a wedge (takeText()); pictures of a single cache have none.
inline constexpr const char* takeAttribute = "firn.take";

/// At the end of PictureTraits::denoiser, if the denoiser reads the frames before and after too.
inline constexpr const char* withNeighbourFrames = " with neighbours";

/// The header of an EXR; none if the file is missing or its header cannot be read.
std::optional<Image> knownHeader(const std::filesystem::path& exr);

/// What the header of an EXR tells of a picture: of one that is there, or of a copy of it that is to be written.
/// The file itself tells it, so a copied picture and one without a line of statistics are known too.
PictureTraits traitsOf(const Image& header);

/// Warns if `picture`, which stands under the number `frame`, says in its metadata that it is of another frame.
void warnOfOtherFrame(const std::filesystem::path& picture, const Metadata& metadata, int frame);

/// The values that the picture was made with: those of its scene, and its size, first sample, precision and denoiser.
/// Without those that are often changed and lose nothing: paths per pixel and tone curve. None, if the scene is not
/// known.
Values valuesOf(const PictureTraits& picture);

}  // namespace firn
