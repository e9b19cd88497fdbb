#include "render/cli/picture_output.h"

#include <cmath>
#include <limits>
#include <numeric>

#include "common/image/exr.h"
#include "common/image/luminance.h"
#include "common/image/view.h"
#include "common/io/own_file.h"
#include "common/io/stopwatch.h"
#include "render/cli/frame_metadata.h"

namespace firn {

namespace {

/// Infinite if the image does not know the error of its denoised layers.
double noiseOfDenoised(const Image& image)
{
    const Channel* error = image.find("denoised.stderr.Y");
    if (error == nullptr) return std::numeric_limits<double>::infinity();
    const std::vector<float>&red = image.at("denoised.R").pixels, &green = image.at("denoised.G").pixels,
          &blue = image.at("denoised.B").pixels;
    const std::size_t count = image.pixelCount();
    std::vector<double> brightness(count);
    for (std::size_t i = 0; i < count; ++i) brightness[i] = static_cast<double>(luminance(red[i], green[i], blue[i]));
    const double floor = 0.01 * std::accumulate(brightness.begin(), brightness.end(), 0.0) / static_cast<double>(count);
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const double e = static_cast<double>(error->pixels[i]);
        if (e > 0) sum += e / (brightness[i] + floor);
    }
    return sum / static_cast<double>(count);
}

/// The picture of a film with denoised layers.
Image denoise(const Film& film, LayerDenoiser& denoiser, const std::function<void(const std::string&)>& warn)
{
    Image image = film.image();
    const HalfPicture half = film.half();
    denoiser.addLayers(image, &half, warn);
    return image;
}

}  // namespace

double denoisedNoise(const Film& film, LayerDenoiser& denoiser)
{
    const double noise = noiseOfDenoised(denoise(film, denoiser, [](const std::string&) {}));
    return std::isfinite(noise) ? noise : film.noise();
}

MadePicture makePicture(const FilmHeader& header, const FrameState& state, LayerDenoiser& denoiser,
                        const std::function<void(const std::string&)>& warn)
{
    const Stopwatch watch;
    MadePicture made;
    made.image = denoise(state.film, denoiser, warn);
    made.seconds_denoising = watch.seconds();
    made.noise_denoised = noiseOfDenoised(made.image);
    if (hasMattes(header.metadata)) state.film.addMattes(made.image);
    made.image.metadata.insert(header.metadata.begin(), header.metadata.end());
    addSampleMetadata(made.image.metadata, state, header.samples);
    return made;
}

Rgb8Image shownPixels(const Image& image, const PreviewOptions& preview)
{
    return displayImage(preview.raw ? image : denoisedPicture(image), viewByName(preview.view),
                        static_cast<float>(preview.exposure));
}

WrittenPicture writePicture(const PictureLayout& layout, const FilmHeader& header, const MadePicture& made,
                            const PreviewOptions& preview)
{
    WrittenPicture written;
    written.exr = writeExr(layout.exrPath(header.frame), made.image, {header.half});
    written.png = writePng(layout.pngPath(header.frame), shownPixels(made.image, preview),
                           preview.raw ? rawPreviewMark : previewMark);
    return written;
}

}  // namespace firn
