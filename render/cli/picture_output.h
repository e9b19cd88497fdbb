#pragma once
// From the sums of a frame to its EXR and PNG.

#include <functional>
#include <string>

#include "common/image/png.h"
#include "common/io/checked_file.h"
#include "render/cli/film_header.h"
#include "render/cli/picture_layout.h"
#include "render/denoise/denoised_layers.h"
#include "render/frame.h"

namespace firn {

/// How the PNG shows the picture.
struct PreviewOptions {
    std::string view;     // viewByName()
    double exposure = 0;  // stops
    bool raw = false;     // with its noise
};

/// A picture that is not yet written.
struct MadePicture {
    Image image;
    double seconds_denoising = 0;
    double noise_denoised = 0;  // as of denoisedNoise(), infinite where it is not known
};

struct WrittenPicture {
    WrittenFile exr, png;
};

/// Mean over pixels of the standard error of the denoised luminance divided by that luminance, as in Film::noise().
/// Film::noise() if the denoiser cannot tell.
double denoisedNoise(const Film& film, LayerDenoiser& denoiser);

/// The picture of the film, with denoised layers and metadata. `warn` is told of pixels that are not finite.
MadePicture makePicture(const FilmHeader& header, const FrameState& state, LayerDenoiser& denoiser,
                        const std::function<void(const std::string&)>& warn);

/// The pixels of a PNG.
Rgb8Image shownPixels(const Image& image, const PreviewOptions& preview);

/// Writes the EXR and the PNG of the header's frame to their places in the layout. Throws Error(File).
WrittenPicture writePicture(const PictureLayout& layout, const FilmHeader& header, const MadePicture& made,
                            const PreviewOptions& preview);

}  // namespace firn
