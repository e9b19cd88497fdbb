#include "render/cli/denoise_job.h"

#include <set>

#include "common/cli/program.h"
#include "common/image/exr.h"
#include "common/io/own_file.h"
#include "common/io/stop.h"
#include "common/io/stopwatch.h"
#include "common/io/threads.h"
#include "render/cli/layer_view.h"
#include "render/cli/picture_layout.h"
#include "render/denoise/denoised_layers.h"

namespace firn {

namespace {

namespace fs = std::filesystem;

fs::path pngPath(fs::path exr) { return exr.replace_extension(".png"); }

/// All outputs are checked before the first picture is denoised.
void requireOutputs(const DenoiseJob& job)
{
    std::set<fs::path> names;
    for (const fs::path& picture : job.pictures) {
        const fs::path out = job.out / picture.filename();
        if (picture.extension() != ".exr")
            throw Error(ExitCode::Usage, clampText(picture.string()) + ": expected an EXR file");
        if (!names.insert(picture.filename()).second)
            throw Error(ExitCode::Usage, "two pictures have the name " + clampText(picture.filename().string()) +
                                             "; expected pictures of different names");
        if (fs::exists(out) && fs::exists(picture) && fs::equivalent(out, picture))
            throw Error(ExitCode::Usage, clampText(picture.string()) + ": lies in --out; expected another folder");
        if (fs::exists(out) && !isFirnPicture(out)) requireReplaceable(out, "picture");
        if (!isMarked(pngPath(out), previewMark)) requireReplaceable(pngPath(out), "preview");
    }
}

/// The picture as traced, without layers of an earlier denoiser.
Image readTraced(const fs::path& path)
{
    Image image = readExr(path);
    std::erase_if(image.channels, [](const Channel& channel) { return channel.name.starts_with("denoised."); });
    image.metadata.erase("firn.denoiser");
    return image;
}

void denoiseOne(const fs::path& picture, const fs::path& out, LayerDenoiser& denoiser)
{
    const Stopwatch watch;
    Image image = readTraced(picture);
    try {
        denoiser.addLayers(image, nullptr, [&](const std::string& text) { warn(picture.string() + ": " + text); });
    } catch (const Error& error) {
        throw Error(error.code(), picture.string() + ": " + error.what());
    }
    const bool isHalf = !image.at("R").full_precision;
    const Tones tones = tonesOf(image);
    writeExr(out, image, {isHalf});
    writePng(pngPath(out), displayImage(denoisedPicture(image), tones.view, tones.exposure), previewMark);
    std::printf("%s  %d x %d  %.1f s  %s\n", out.c_str(), image.width, image.height, watch.seconds(),
                metadataAt<std::string>(image.metadata, "firn.denoiser")->c_str());
}

}  // namespace

ExitCode denoisePictures(const DenoiseJob& job)
{
    requireOutputs(job);
    LayerDenoiser denoiser(denoiserByName(job.denoiser), job.weights);
    prepareFolder(job.out);
    openLogIn(job.out);
    ExitCode code = ExitCode::Done;
    runWithThreads(chooseThreads(job.threads).count, [&] {
        for (const fs::path& picture : job.pictures) {
            if (stopRequested()) {
                code = ExitCode::Stopped;
                return;
            }
            denoiseOne(picture, job.out / picture.filename(), denoiser);
        }
    });
    return code;
}

}  // namespace firn
