#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <set>

#include "common/cache/wedge.h"
#include "common/error.h"
#include "common/image/exr.h"
#include "common/image/png.h"
#include "common/io/frame_range.h"
#include "render/cli/differing_pictures.h"
#include "render/cli/film_header.h"
#include "render/cli/picture_layout.h"
#include "render/cli/program.h"
#include "render/cli/sequences.h"
#include "render/film_file.h"

namespace firn {

namespace {

namespace fs = std::filesystem;

struct PrintValue {
    void operator()(int value) const { std::printf("%d\n", value); }
    void operator()(float value) const { std::printf("%.7g\n", static_cast<double>(value)); }
    void operator()(const std::string& value) const { std::printf("%s\n", clampText(value).c_str()); }
    void operator()(const Matrix4f& value) const
    {
        for (std::size_t i = 0; i < 16; ++i) std::printf("%.6g%s", static_cast<double>(value[i]), i == 15 ? "\n" : " ");
    }
};

void printChannel(const Channel& channel)
{
    double sum = 0;
    float least = std::numeric_limits<float>::infinity(), greatest = -least;
    std::size_t finite = 0;
    for (const float value : channel.pixels) {
        if (!std::isfinite(value)) continue;
        sum += static_cast<double>(value);
        least = std::min(least, value);
        greatest = std::max(greatest, value);
        ++finite;
    }
    std::printf("  %-12s %-5s", channel.name.c_str(), channel.full_precision ? "float" : "half");
    if (finite)
        std::printf("  min %-12.6g mean %-12.6g max %-12.6g", static_cast<double>(least),
                    sum / static_cast<double>(finite), static_cast<double>(greatest));
    if (finite != channel.pixels.size()) std::printf("  NOT FINITE: %zu pixels", channel.pixels.size() - finite);
    std::printf("\n");
}

/// "480 x 270 pixels", of a crop "100 x 50 pixels at (20, 30) of 480 x 270".
std::string sizeText(const Image& image)
{
    const auto size = [](int width, int height) { return std::to_string(width) + " x " + std::to_string(height); };
    std::string text = size(image.width, image.height) + " pixels";
    if (image.width == image.display_width && image.height == image.display_height) return text;
    return text + " at (" + std::to_string(image.origin_x) + ", " + std::to_string(image.origin_y) + ") of " +
           size(image.display_width, image.display_height);
}

void printImage(const fs::path& path)
{
    const Image image = readExr(path);
    std::printf("%s: %s\n", path.c_str(), sizeText(image).c_str());
    for (const auto& [name, value] : image.metadata) {
        if (name == sceneAttribute) continue;  // too long for a line
        std::printf("  %-30s ", clampText(name, 60).c_str());
        std::visit(PrintValue{}, value);
    }
    for (const Channel& channel : image.channels) printChannel(channel);
}

void printFilm(const fs::path& path)
{
    const FilmFile file = readFilm(path);
    const FilmHeader header = parseFilmHeader(file.header, path);
    const Film& film = file.state.film;
    const PixelWindow& window = film.window();
    const auto [least, most] = film.sampleCounts();
    std::printf("%s: %s film of %s, frame %d\n", path.c_str(), file.state.is_complete ? "finished" : "unfinished",
                clampText(header.scene).c_str(), header.frame);
    std::printf("  pixels     %d x %d at (%d, %d) of %d x %d\n", window.width, window.height, window.x, window.y,
                film.displayWidth(), film.displayHeight());
    const std::string counts = (least < most ? std::to_string(least) + " to " : "") + std::to_string(most);
    std::printf("  samples    %s per pixel\n", counts.c_str());
    if (file.state.is_complete) std::printf("  which      %s\n", textOf(header.samples).c_str());
    std::printf("  tracing    %.1f s\n", file.state.seconds);
}

/// The frames whose file is not there: those of gaps in `frames`, and those that the folder's statistics list.
std::vector<int> missingFrames(const fs::path& pattern, const std::vector<int>& frames)
{
    std::set<int> missing;
    for (int frame = frames.front(); frame <= frames.back(); ++frame) missing.insert(frame);
    for (const auto& [frame, names] : listedNames(pattern.parent_path())) {
        if (names.contains(framePath(pattern, frame).filename().string())) missing.insert(frame);
    }
    for (const int frame : frames) missing.erase(frame);
    return {missing.begin(), missing.end()};
}

/// The frames whose preview the statistics list, and which have none.
std::vector<int> withoutPreview(fs::path pattern, const std::vector<int>& frames)
{
    pattern.replace_extension(".png");
    const auto listed = listedNames(pattern.parent_path());
    std::vector<int> result;
    for (const int frame : frames) {
        const fs::path preview = framePath(pattern, frame);
        const auto names = listed.find(frame);
        if (names != listed.end() && names->second.contains(preview.filename().string()) && !fs::exists(preview))
            result.push_back(frame);
    }
    return result;
}

/// The frames whose file is not the one that the statistics list.
std::vector<int> otherFiles(const fs::path& pattern, const std::vector<int>& frames)
{
    const ListedPictures listed(pattern.parent_path());
    std::vector<int> result;
    for (const int frame : frames)
        if (listed.isOther(framePath(pattern, frame))) result.push_back(frame);
    return result;
}

/// The frames whose preview is not the one that the statistics list, or is cut.
std::vector<int> otherPreviews(fs::path pattern, const std::vector<int>& frames)
{
    pattern.replace_extension(".png");
    std::vector<int> result = otherFiles(pattern, frames);
    for (const int frame : frames) {
        const fs::path preview = framePath(pattern, frame);
        if (fs::exists(preview) && !isUncutPng(preview) && std::ranges::count(result, frame) == 0)
            result.push_back(frame);
    }
    std::ranges::sort(result);
    return result;
}

/// The frames that the folder's statistics do not list.
std::vector<int> unlisted(const fs::path& pattern, std::vector<int> frames)
{
    const auto listed = listedNames(pattern.parent_path());
    std::erase_if(frames, [&](int frame) { return listed.contains(frame); });
    return frames;
}

/// What is wrong with a sequence of pictures.
struct SequenceFaults {
    std::vector<int> missing, damaged, renamed, unseen, changed, changed_previews, differing_previews;
    DifferingPictures differing;

    bool areNone() const
    {
        return missing.empty() && damaged.empty() && renamed.empty() && unseen.empty() && changed.empty() &&
               changed_previews.empty() && differing_previews.empty() && differing.frames.empty();
    }
};

/// The number of channels without those of light that some frames have and others do not.
std::size_t steadyChannels(const Image& image)
{
    return static_cast<std::size_t>(std::ranges::count_if(image.channels, [](const Channel& channel) {
        return !channel.name.starts_with("glints.") && !channel.name.starts_with("gloss.");
    }));
}

/// The frames by what their pictures have.
struct Kinds {
    std::map<std::string, std::vector<int>> by_size;  // and number of channels
    std::map<int, std::vector<int>> by_paths;         // per pixel
};

/// Reads each picture.
SequenceFaults faultsOf(const fs::path& pattern, const std::vector<int>& frames, Kinds& kinds)
{
    SequenceFaults faults;
    faults.missing = missingFrames(pattern, frames);
    faults.unseen = withoutPreview(pattern, frames);
    faults.changed = otherFiles(pattern, frames);
    faults.changed_previews = otherPreviews(pattern, frames);
    std::map<int, fs::path> pictures;
    for (const int frame : frames) {
        const fs::path path = pictures[frame] = framePath(pattern, frame);
        try {
            requireReadable(path);
            const Image image = readExr(path);
            kinds
                .by_size[sizeText(image) + ", " + std::to_string(steadyChannels(image)) +
                         " channels besides glints and gloss"]
                .push_back(frame);
            if (const int* const paths = metadataAt<int>(image.metadata, "firn.spp"))
                kinds.by_paths[*paths].push_back(frame);
            const int* const shown = metadataAt<int>(image.metadata, "firn.frame");
            if (shown && *shown != frame) faults.renamed.push_back(frame);
        } catch (const Error& error) {
            warn(error.what());
            faults.damaged.push_back(frame);
        }
    }
    std::erase_if(faults.changed, [&](int frame) {
        return std::ranges::count(faults.damaged, frame) + std::ranges::count(faults.renamed, frame) > 0;
    });
    faults.differing = differingPictures(pictures);
    faults.differing_previews = differingPreviews(pictures);
    return faults;
}

/// If the pictures have different numbers of paths, as after --noise or a merge of some frames.
void printPaths(const std::map<int, std::vector<int>>& framesByPaths)
{
    constexpr std::size_t mostListed = 4;
    if (framesByPaths.size() < 2) return;
    if (framesByPaths.size() > mostListed) {
        std::printf("  paths per pixel: %d to %d\n", framesByPaths.begin()->first, framesByPaths.rbegin()->first);
        return;
    }
    std::string text;
    for (const auto& [paths, frames] : framesByPaths)
        text += (text.empty() ? "" : ", ") + std::to_string(paths) + " (" + framesText(frames) + ")";
    std::printf("  paths per pixel: %s\n", text.c_str());
}

/// Prints the sequence; returns whether it is complete, undamaged, and of one look.
bool printSequence(const fs::path& pattern, const std::vector<int>& frames)
{
    Kinds kinds;
    const SequenceFaults faults = faultsOf(pattern, frames, kinds);
    const auto& sizes = kinds.by_size;
    std::printf("%s: %s%s\n", pattern.c_str(), framesText(frames).c_str(),
                sizes.size() == 1 ? (", " + sizes.begin()->first).c_str() : "");
    for (const auto& [size, itsFrames] : sizes) {
        if (sizes.size() > 1) std::printf("  %s: %s\n", size.c_str(), framesText(itsFrames).c_str());
    }
    printPaths(kinds.by_paths);
    const auto print = [](const char* what, const std::vector<int>& which, const std::string& more = "") {
        if (!which.empty()) std::printf("  %s: %s%s\n", what, formatFrames(which).c_str(), more.c_str());
    };
    print("missing", faults.missing);
    print("damaged or unreadable", faults.damaged);
    print("pictures of other frames", faults.renamed);
    print("without preview", faults.unseen);
    print("changed since they were rendered", faults.changed);
    print("damaged or changed previews", faults.changed_previews);
    print("previews of the other kind (noisy or denoised) than the first", faults.differing_previews);
    if (pictureStatistics(pattern.parent_path()).empty())
        std::puts("  there is no render_stats.jsonl, so it is not known whether pictures and previews have changed");
    else
        print("not listed in render_stats.jsonl", unlisted(pattern, frames),
              ": it is not known whether they have changed");
    print("made with other values", faults.differing.frames, " (" + faults.differing.difference + ")");
    return faults.areNone() && sizes.size() < 2;
}

void printFrames(const char* what, const std::vector<int>& frames, const char* advice)
{
    if (!frames.empty()) std::printf("  %s: %s; %s\n", what, formatFrames(frames).c_str(), advice);
}

/// Prints the films; returns whether all are finished, and films of their frames.
bool printFilms(const fs::path& pattern, const std::vector<int>& frames)
{
    std::vector<int> unfinished, damaged;
    std::vector<std::string> renamed;  // and what to do
    for (const int frame : frames) {
        const fs::path path = framePath(pattern, frame);
        try {
            const FilmFile film = readFilm(path);
            const FilmHeader header = parseFilmHeader(film.header, path);
            if (header.frame != frame) {
                renamed.push_back(path.filename().string() + " is a film of frame " + std::to_string(header.frame) +
                                  ". " + renamedFilmAdvice(path, header));
            } else if (!film.state.is_complete) {
                unfinished.push_back(frame);
            }
        } catch (const Error& error) {
            warn(error.what());
            damaged.push_back(frame);
        }
    }
    std::printf("%s: films of %s\n", pattern.c_str(), framesText(frames).c_str());
    printFrames("unfinished", unfinished, "the same 'firn-render frames' with --resume continues");
    const char* const away =
        "move them away, or delete them; where the picture is not finished, the same 'firn-render frames' with "
        "--resume renders it from the beginning";
    printFrames("damaged, or no films of firn-render", damaged, away);
    for (const std::string& text : renamed) std::printf("  %s\n", text.c_str());
    return unfinished.empty() && damaged.empty() && renamed.empty();
}

ExitCode info(const fs::path& path)
{
    if (!fs::is_directory(path)) {
        if (path.extension() == ".film") {
            printFilm(path);
        } else {
            printImage(path);
        }
        return ExitCode::Done;
    }
    requireNoWedge(path);
    const auto found = sequences(path), films = sequences(path, ".film");
    if (found.empty() && films.empty()) throw Error(ExitCode::File, path.string() + ": holds no frames name.####.exr");
    bool isWhole = true;
    for (const auto& [pattern, frames] : found) isWhole = printSequence(pattern, frames) && isWhole;
    for (const auto& [pattern, frames] : films) isWhole = printFilms(pattern, frames) && isWhole;
    return isWhole ? ExitCode::Done : ExitCode::File;
}

}  // namespace

Command infoCommand()
{
    const auto path = std::make_shared<fs::path>();
    return {"info",
            R"(Print what an EXR, a film or a folder of frames contains
Exit code 3: a file is damaged, or frames are missing, unfinished, renamed, without their preview, or made with other
values or in another size than the first. A preview counts as damaged if it is not the one that render_stats.jsonl lists.

Examples:
  firn-render info out/exr/shot.0024.exr
  firn-render info out/exr)",
            {{.name = "PATH",
              .target = path.get(),
              .help = "An EXR file, a film, or a folder of EXR files",
              .is_required = true}},
            [path] { return info(*path); }};
}

}  // namespace firn
