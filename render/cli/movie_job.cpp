#include "render/cli/movie_job.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <iostream>

#include "common/cli/program.h"
#include "common/image/apng.h"
#include "common/image/exr.h"
#include "common/image/resize.h"
#include "common/io/frame_range.h"
#include "common/io/own_file.h"
#include "render/cli/ffmpeg.h"
#include "render/cli/picture_folders.h"
#include "render/cli/sequences.h"

namespace firn {

namespace {

namespace fs = std::filesystem;

/// The frames of --frames, or else from the first to the last. Throws Error(File) that names those that are missing.
std::vector<int> movieFrames(const PictureFolder& folder, const std::string& range)
{
    std::vector<int> frames, missing;
    if (range.empty()) {
        const int last = folder.pictures.rbegin()->first;
        for (int frame = folder.pictures.begin()->first; frame <= last; ++frame) frames.push_back(frame);
    } else {
        frames = parseFrames(range);
    }
    for (const int frame : frames) {
        if (folder.pictures.count(frame) == 0) missing.push_back(frame);
    }
    if (missing.empty()) return frames;
    std::sort(missing.begin(), missing.end());
    std::vector<int> available;
    for (const auto& [frame, path] : folder.pictures) available.push_back(frame);
    const std::string names = framesText(missing) + (missing.size() == 1 ? " is" : " are");
    throw Error(ExitCode::File, folder.path.string() + ": " + names +
                                    " missing; make a movie of the others with --frames " + formatFrames(available));
}

/// The frame rate in the metadata of the EXR beside the picture, or else 24.
double fpsOf(const fs::path& picture)
{
    fs::path exr = picture;
    exr.replace_extension(".exr");
    if (!fs::exists(exr)) return 24;
    const Metadata metadata = readExrHeader(exr).metadata;
    const float* const fps = metadataAt<float>(metadata, "firn.fps");
    return fps && *fps >= 0.1f && *fps <= 480 ? static_cast<double>(*fps) : 24;
}

/// Warns if frames are left out: the movie then plays faster than the shot.
void warnOfSteps(const std::vector<int>& frames, double fps)
{
    const int step = frames.size() > 1 ? frames[1] - frames[0] : 1;
    for (std::size_t i = 1; i < frames.size(); ++i) {
        if (frames[i] - frames[i - 1] == step) continue;
        warn("warning: frames between " + std::to_string(frames.front()) + " and " + std::to_string(frames.back()) +
             " are left out, so the movie jumps there");
        return;
    }
    if (step < 2) return;
    char slow[40];
    std::snprintf(slow, sizeof slow, "%.6g", fps / step);
    warn("warning: the frames are " + std::to_string(step) + " apart, so the movie plays " + std::to_string(step) +
         " times as fast as the shot; --fps " + slow + " plays it at the speed of the shot");
}

/// Reads pictures one after the other; all must have the size of the first.
class Pictures {
public:
    Pictures(const PictureFolder& folder, const MovieJob& job)
        : m_folder(folder), m_frames(movieFrames(folder, job.frames)), m_width(job.width)
    {
    }

    const std::vector<int>& frames() const { return m_frames; }
    const fs::path& path(int frame) const { return m_folder.pictures.at(frame); }

    Rgb8Image read(int frame)
    {
        const Rgb8Image image = readPreview(path(frame));
        if (m_original.width == 0) m_original = {image.width, image.height};
        if (image.width != m_original.width || image.height != m_original.height) {
            throw Error(ExitCode::File, path(frame).string() + ": " + std::to_string(image.width) + " x " +
                                            std::to_string(image.height) + " pixels, but the first frame has " +
                                            std::to_string(m_original.width) + " x " +
                                            std::to_string(m_original.height));
        }
        return m_width > 0 ? shrunk(image, fittedSize(image, m_width, image.height)) : image;
    }

private:
    const PictureFolder& m_folder;
    std::vector<int> m_frames;
    int m_width;
    PixelSize m_original;
};

void writeAnimatedPng(Pictures& pictures, const fs::path& out, double fps)
{
    AnimatedPng movie(static_cast<int>(pictures.frames().size()), fps);
    for (const int frame : pictures.frames()) movie.add(pictures.read(frame));
    writeFileChecked(out, withComment(movie.finish(), markOf("movie")));
}

/// ffmpeg writes a temporary file beside `out`, which is renamed when it is complete.
void writeThroughFfmpeg(const fs::path& program, Pictures& pictures, const fs::path& out, double fps)
{
    const fs::path partial =
        out.parent_path() / (".firn-tmp-" + std::to_string(::getpid()) + "-" + out.filename().string());
    try {
        const Rgb8Image first = pictures.read(pictures.frames().front());
        Ffmpeg movie(program, partial, first.width, first.height, fps);
        for (const int frame : pictures.frames()) movie.add(pictures.read(frame));
        movie.finish();
        fs::rename(partial, out);
    } catch (...) {
        std::error_code ignored;
        fs::remove(partial, ignored);
        throw;
    }
}

bool isOneOf(const fs::path& extension, std::initializer_list<const char*> names)
{
    return std::any_of(names.begin(), names.end(), [&](const char* name) { return extension == name; });
}

}  // namespace

ExitCode makeMovie(const MovieJob& job)
{
    const bool isPng = isOneOf(job.out.extension(), {".png", ".apng"});
    if (!isPng && !isOneOf(job.out.extension(), {".mp4", ".mov", ".mkv", ".webm"})) {
        throw Error(ExitCode::Usage,
                    "--out " + clampText(job.out.string()) + ": expected .png, .apng, .mp4, .mov, .mkv or .webm");
    }
    const std::vector<PictureFolder> folders = pictureFolders({job.folder});
    for (const PictureFolder& folder : folders) warnOfOthers(folder);
    if (folders.size() > 1) {
        throw Error(ExitCode::Usage, job.folder.string() + ": holds folders of pictures; give one of them, such as " +
                                         folders[0].path.string());
    }
    Pictures pictures(folders[0], job);
    const double fps = job.fps > 0 ? job.fps : fpsOf(pictures.path(pictures.frames().front()));
    if (job.fps <= 0) warnOfSteps(pictures.frames(), fps);
    const auto ffmpeg = isPng ? std::nullopt : findFfmpeg();
    fs::path out = job.out;
    if (!isPng && !ffmpeg) {
        out += ".png";
        warn("warning: ffmpeg is not installed: writing an animated PNG instead, " + out.string());
    }
    requireNoFrameName(out);
    requireReplaceable(out, "movie");
    prepareFolder(fs::absolute(out).parent_path());
    if (ffmpeg) {
        writeThroughFfmpeg(*ffmpeg, pictures, out, fps);
    } else {
        writeAnimatedPng(pictures, out, fps);
    }
    std::cout << out.string() << std::endl;
    return ExitCode::Done;
}

}  // namespace firn
