#include "render/cli/view_job.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>

#include "common/cli/program.h"
#include "common/error.h"
#include "common/image/exr.h"
#include "common/io/extension.h"
#include "common/io/own_file.h"
#include "common/io/stop.h"
#include "render/cli/layer_view.h"
#include "render/cli/picture_layout.h"

namespace firn {

namespace {

namespace fs = std::filesystem;

bool isFile(const ViewJob& job) { return job.out.extension() == ".png"; }

/// Whether a name that is not that of a .png is surely not meant to be a folder's.
bool isPictureName(const fs::path& out)
{
    constexpr std::array<std::string_view, 9> pictures{".png", ".jpg", ".jpeg", ".tif", ".tiff",
                                                       ".exr", ".gif", ".bmp",  ".webp"};
    return std::ranges::find(pictures, lowerExtension(out)) != pictures.end();
}

fs::path outputOf(const ViewJob& job, const fs::path& picture)
{
    return isFile(job) ? job.out : job.out / picture.filename().replace_extension(".png");
}

/// All outputs are checked before the first is written.
void requireOutputs(const ViewJob& job)
{
    if (isFile(job) && job.pictures.size() > 1)
        throw Error(ExitCode::Usage, "--out " + clampText(job.out.string()) + ": expected a folder for " +
                                         std::to_string(job.pictures.size()) + " pictures");
    const bool isFolder = fs::is_directory(job.out);
    if (!isFile(job) && !isFolder && (fs::exists(job.out) || isPictureName(job.out)))
        throw Error(ExitCode::Usage,
                    "--out " + clampText(job.out.string()) + ": expected the name of a .png, or a folder");
    if (!job.range.empty() && (job.range.size() != 2 || !(job.range[0] < job.range[1])))
        throw Error(ExitCode::Usage, "--range: expected two numbers, of which the first is the smaller, as in 0,2.5");
    std::set<fs::path> outputs;
    for (const fs::path& picture : job.pictures) {
        if (picture.extension() != ".exr")
            throw Error(ExitCode::Usage, clampText(picture.string()) + ": expected an EXR file");
        const fs::path out = outputOf(job, picture);
        if (!outputs.insert(out).second)
            throw Error(ExitCode::Usage, "two pictures have the name " + clampText(picture.filename().string()) +
                                             "; expected pictures of different names");
        requireReplaceable(out, "view");
    }
}

LayerChoice choiceOf(const ViewJob& job, const Image& image)
{
    LayerChoice choice{job.layer, std::nullopt, job.range};
    if (job.view.empty() && !job.exposure) return choice;
    choice.tones = tonesOf(image);
    if (!job.view.empty()) choice.tones->view = viewByName(job.view);
    if (job.exposure) choice.tones->exposure = *job.exposure;
    return choice;
}

void writeView(const ViewJob& job, const fs::path& picture, const Image& image)
{
    const fs::path out = outputOf(job, picture);
    try {
        const LayerView view = viewLayer(image, choiceOf(job, image));
        writePng(out, view.pixels, markOf("view"));
        std::printf("%s  %s\n", out.c_str(), view.description.c_str());
    } catch (const Error& error) {
        if (error.code() != ExitCode::Usage) throw;
        throw Error(error.code(), clampText(picture.string(), 500) + ": " + error.what());
    }
}

}  // namespace

ExitCode viewPictures(const ViewJob& job)
{
    requireOutputs(job);
    prepareFolder(isFile(job) ? fs::absolute(job.out).parent_path() : job.out);
    ExitCode code = ExitCode::Done;
    for (const fs::path& picture : job.pictures) {
        if (stopRequested()) return ExitCode::Stopped;
        if (const auto image = readUndamaged(picture)) {
            writeView(job, picture, *image);
        } else {
            code = ExitCode::File;
        }
    }
    return code;
}

}  // namespace firn
