#include "render/cli/picture_output.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>
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

std::string percent(const nlohmann::json& number)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.1f %%", 100 * number.get<double>());
    return text;
}

}  // namespace

double denoisedNoise(const Film& film, LayerDenoiser& denoiser)
{
    const double noise = noiseOfDenoised(denoise(film, denoiser, [](const std::string&) {}));
    return std::isfinite(noise) ? noise : film.noise();
}

nlohmann::json pictureRecord(const FilmHeader& header, const FrameState& state, const MadePicture& made,
                             const WrittenPicture& written)
{
    const auto finiteOrNull = [](double value) {
        return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json();
    };
    const auto file = [](const WrittenFile& of) -> nlohmann::json {
        return {{"path", of.path.filename().string()}, {"bytes", of.bytes}, {"checksum", of.checksum}};
    };
    return {{"frame", header.frame},
            {"key", header.key},
            {"seconds_tracing", state.seconds},
            {"seconds_denoising", made.seconds_denoising},
            {"width", state.film.window().width},
            {"height", state.film.window().height},
            {"spp", state.spp()},
            {"noise", finiteOrNull(state.film.noise())},
            {"noise_denoised", finiteOrNull(made.noise_denoised)},
            {"paths", state.film.counts.paths},
            {"collisions", state.film.counts.collisions},
            {"capped", state.capped()},
            {"files", {file(written.exr), file(written.png)}}};
}

std::string summaryOf(const nlohmann::json& record)
{
    const double paths = std::max(1.0, record["paths"].get<double>());
    std::string noise = record["noise"].is_number() ? percent(record["noise"]) : "unknown (needs 2 spp)";
    if (record["noise_denoised"].is_number()) noise += " (denoised " + percent(record["noise_denoised"]) + ")";
    char text[160];
    std::snprintf(text, sizeof text, "frame %d  %.1f s  %d spp  noise %s  %.0f collisions per path",
                  record["frame"].get<int>(), record["seconds"].get<double>(), record["spp"].get<int>(), noise.c_str(),
                  record["collisions"].get<double>() / paths);
    return text;
}

MadePicture makePicture(const FilmHeader& header, const FrameState& state, LayerDenoiser& denoiser,
                        const std::function<void(const std::string&)>& warn)
{
    const Stopwatch watch;
    MadePicture made;
    made.image = denoise(state.film, denoiser, warn);
    made.seconds_denoising = watch.seconds();
    made.noise_denoised = noiseOfDenoised(made.image);
    made.image.metadata.insert(header.metadata.begin(), header.metadata.end());
    addSampleMetadata(made.image.metadata, state, header.samples);
    return made;
}

WrittenPicture writePicture(const PictureLayout& layout, const FilmHeader& header, const MadePicture& made,
                            const PreviewOptions& preview)
{
    WrittenPicture written;
    written.exr = writeExr(layout.exrPath(header.frame), made.image, {header.half});
    written.png = writePng(layout.pngPath(header.frame),
                           displayImage(preview.raw ? made.image : denoisedPicture(made.image),
                                        viewByName(preview.view), static_cast<float>(preview.exposure)),
                           previewMark);
    return written;
}

}  // namespace firn
