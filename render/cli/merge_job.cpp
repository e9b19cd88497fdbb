#include "render/cli/merge_job.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "common/cli/program.h"
#include "common/image/view.h"
#include "common/io/folder_turn.h"
#include "common/io/json.h"
#include "common/io/stopwatch.h"
#include "common/io/threads.h"
#include "render/cli/append_line.h"
#include "render/cli/frame_record.h"
#include "render/cli/path_keys.h"
#include "render/cli/picture_output.h"
#include "render/cli/replaced_pictures.h"
#include "render/film_file.h"

namespace firn {

namespace {

namespace fs = std::filesystem;

/// The first key in which two scenes differ, apart from those that do not change what a sample is; "" without one.
std::string differingKey(const std::string& a, const std::string& b)
{
    if (a == b) return "";
    auto first = pathKeys(a, "a film's scene"), second = pathKeys(b, "a film's scene");
    for (const auto& [key, value] : first) {
        if (!second.contains(key)) return key;
        if (second[key] != value) return key + " (" + clampText(value, 40) + " and " + clampText(second[key], 40) + ")";
    }
    for (const auto& [key, value] : second) {
        if (!first.contains(key)) return key;
    }
    return "";
}

std::string placeText(const SampleRange& range)
{
    const PixelWindow& w = range.window;
    return textOf({range}) + " of the pixels " + std::to_string(w.x) + "," + std::to_string(w.y) + "," +
           std::to_string(w.width) + "," + std::to_string(w.height);
}

std::string placesText(const std::vector<SampleRange>& ranges)
{
    std::string text;
    for (const SampleRange& range : ranges) text += (text.empty() ? "" : ", ") + placeText(range);
    return text;
}

struct Part {
    fs::path path;
    FilmHeader header;
    PixelWindow window;
    int width = 0, height = 0;  // of the whole picture
    FilmLayers layers;
};

[[noreturn]] void refuse(const Part& a, const Part& b, const std::string& what)
{
    throw Error(ExitCode::Usage, a.path.string() + " and " + b.path.string() + ": " + what);
}

/// Throws Error(Usage) where the parts do not show the same picture.
void requireSamePicture(const Part& a, const Part& b)
{
    if (a.header.frame != b.header.frame)
        refuse(a, b,
               "show different frames, " + std::to_string(a.header.frame) + " and " + std::to_string(b.header.frame));
    if (a.width != b.width || a.height != b.height)
        refuse(a, b,
               "are of different sizes, " + std::to_string(a.width) + " x " + std::to_string(a.height) + " and " +
                   std::to_string(b.width) + " x " + std::to_string(b.height));
    const std::string key = differingKey(a.header.scene_toml, b.header.scene_toml);
    if (!key.empty()) refuse(a, b, "were rendered from scenes that differ in " + key);
    if (a.layers != b.layers) refuse(a, b, "have different groups of lights or shadow catchers");
    if (a.header.snow != b.header.snow) refuse(a, b, "were rendered from different caches");
    if (a.header.metadata.at("firn.transport") != b.header.metadata.at("firn.transport"))
        refuse(a, b, "were rendered with different render.transport");
}

/// Throws Error(Usage).
void requireFinished(const fs::path& path, const FilmFile& file)
{
    if (file.state.is_complete) return;
    throw Error(ExitCode::Usage,
                path.string() + " is unfinished: firn-render frames with the same options and --resume finishes it");
}

void requireOtherSamples(const Part& a, const Part& b)
{
    for (const SampleRange& first : a.header.samples) {
        for (const SampleRange& second : b.header.samples) {
            if (overlap(first, second))
                refuse(a, b, "have samples in common: " + placeText(first) + ", and " + placeText(second));
        }
    }
}

Part describe(const fs::path& path, const FilmFile& file)
{
    const Film& film = file.state.film;
    return {path,         parseFilmHeader(file.header, path), film.window(), film.displayWidth(), film.displayHeight(),
            film.layers()};
}

PixelWindow bounds(const PixelWindow& a, const PixelWindow& b)
{
    const int x = std::min(a.x, b.x), y = std::min(a.y, b.y);
    return {x, y, std::max(a.x + a.width, b.x + b.width) - x, std::max(a.y + a.height, b.y + b.height) - y};
}

/// The films' samples in one state. Each film is read twice, so that only one of them is in memory beside the sum.
FrameState sumOf(const std::vector<Part>& parts)
{
    PixelWindow window = parts.front().window;
    for (const Part& part : parts) window = bounds(window, part.window);
    FrameState sum(Film(window, parts.front().width, parts.front().height, parts.front().layers));
    for (const Part& part : parts) {
        const FilmFile file = readFilm(part.path);
        sum.film.add(file.state.film);
        sum.seconds += file.state.seconds;
    }
    sum.is_complete = true;
    return sum;
}

void requireCovered(const Film& film)
{
    const PixelWindow& window = film.window();
    for (int y = window.y; y < window.y + window.height; ++y) {
        for (int x = window.x; x < window.x + window.width; ++x) {
            if (film.samplesOf(x, y) > 0) continue;
            throw Error(ExitCode::Usage, "no film has samples of the pixel x = " + std::to_string(x) +
                                             ", y = " + std::to_string(y) + "; expected films that cover a rectangle");
        }
    }
}

std::vector<Part> readParts(const std::vector<fs::path>& paths)
{
    std::vector<Part> parts;
    for (const fs::path& path : paths) {
        if (fs::is_directory(path))
            throw Error(ExitCode::Usage, path.string() + " is a folder; expected films, as name.0001.film");
        const FilmFile file = readFilm(path);
        requireFinished(path, file);
        Part part = describe(path, file);
        for (const Part& other : parts) {
            requireSamePicture(other, part);
            requireOtherSamples(other, part);
        }
        parts.push_back(std::move(part));
    }
    return parts;
}

/// The look of the first film, with the options of the command line.
void applyLook(const MergeJob& job, FilmHeader& header)
{
    if (!job.format.empty()) header.half = job.format == "half";
    if (!job.view.empty()) header.metadata["firn.view"] = job.view;
    if (job.exposure) header.metadata["firn.exposure"] = static_cast<float>(*job.exposure);
    viewByName(std::get<std::string>(header.metadata.at("firn.view")));
}

PreviewOptions previewOf(const FilmHeader& header, bool raw)
{
    return {std::get<std::string>(header.metadata.at("firn.view")),
            static_cast<double>(std::get<float>(header.metadata.at("firn.exposure"))), raw};
}

/// A film in the place of the result is replaced only if it is a merged one, and none of the films to be merged.
void requirePlaceForFilm(const fs::path& target, const std::vector<Part>& parts)
{
    if (!fs::exists(target)) return;
    for (const Part& part : parts) {
        if (fs::equivalent(target, part.path))
            throw Error(ExitCode::Usage, target.string() + ": is one of the films; expected another --out");
    }
    std::string key;
    try {
        key = parseFilmHeader(readFilm(target).header, target).key;
    } catch (const Error& error) {
        throw Error(error.code(), std::string(error.what()) +
                                      ". The merged film would replace it: move it away, or choose another --out");
    }
    if (!key.empty())
        throw Error(ExitCode::Usage,
                    target.string() + " exists, and it is not a merged film: move it away, or choose another --out");
}

bool contains(const SampleRange& outer, const SampleRange& inner)
{
    const PixelWindow &a = outer.window, &b = inner.window;
    return outer.seed == inner.seed && outer.first <= inner.first &&
           outer.first + outer.count >= inner.first + inner.count && a.x <= b.x && a.y <= b.y &&
           a.x + a.width >= b.x + b.width && a.y + a.height >= b.y + b.height;
}

/// What a merged film has that the new one does not have; "" if nothing.
std::string lostText(const FilmFile& before, const fs::path& film, const FilmHeader& now, const FrameState& sum)
{
    const FilmHeader header = parseFilmHeader(before.header, film);
    const std::string key = differingKey(header.scene_toml, now.scene_toml);
    if (!key.empty()) return "samples of a scene that differs in " + key;
    if (header.snow != now.snow) return "samples of another cache";
    for (const SampleRange& range : header.samples) {
        const auto holds = [&](const SampleRange& other) { return contains(other, range); };
        if (std::ranges::none_of(now.samples, holds))
            return placeText(range) + ", which the new film does not have (it has " + placesText(now.samples) + ")";
    }
    const std::uint64_t paths = before.state.film.counts.paths;
    return paths > sum.film.counts.paths ? std::to_string(paths) + " samples, more than now" : "";
}

/// Throws Error(Usage) for a merged film with samples that the new one does not have.
void requireNoLostSamples(const fs::path& film, const FilmHeader& now, const FrameState& sum)
{
    if (!fs::exists(film)) return;
    const std::string lost = lostText(readFilm(film), film, now, sum);
    if (lost.empty()) return;
    throw Error(ExitCode::Usage,
                film.string() + " is a film with " + lost + ". Choose another --out, or replace it with --force");
}

PictureTraits traitsOf(const FilmHeader& header, const FrameState& sum, const std::string& denoiser)
{
    PictureTraits picture;
    picture.frame = header.frame;
    picture.width = sum.film.displayWidth();
    picture.height = sum.film.displayHeight();
    picture.window = sum.film.window();
    picture.spp = sum.spp();
    picture.half = header.half;
    picture.denoiser = denoiser;
    if (!header.samples.empty()) picture.first_sample = header.samples.front().first;
    picture.values = header.scene_toml;
    picture.snow = header.snow;
    if (const auto* const hash = metadataAt<std::string>(header.metadata, simulationAttribute))
        picture.simulation = *hash;
    return picture;
}

/// " (denoised 1.23 %)", where that is known.
std::string denoisedText(const MadePicture& made)
{
    if (!std::isfinite(made.noise_denoised)) return "";
    char text[40];
    std::snprintf(text, sizeof text, " (denoised %.2f %%)", 100 * made.noise_denoised);
    return text;
}

/// Throws Error(File) and Error(Usage) for what must not be replaced; warns of pictures of other values.
void requireReplaceable(const MergeJob& job, const PictureLayout& layout, const std::vector<Part>& parts,
                        const FilmHeader& header, const PictureTraits& picture, const FrameState& sum)
{
    requireOwnPictures(layout, {*picture.frame});
    requirePlaceForFilm(layout.filmPath(*picture.frame), parts);
    if (!job.force) requireNoLostSamples(layout.filmPath(*picture.frame), header, sum);
    ReplacedPictures replaced(nullptr, job.force);
    replaced.add(layout.exrPath(*picture.frame), picture);
    if (const std::string text = replaced.text(); !text.empty()) warn("warning: " + text);
}

void merge(const MergeJob& job)
{
    const Stopwatch watch;
    LayerDenoiser denoiser(denoiserByName(job.denoiser), job.denoiser_weights);
    if (const std::string text = denoiser.remark(); !text.empty()) warn("warning: " + text);
    const std::vector<Part> parts = readParts(job.films);
    FilmHeader header = parts.front().header;
    applyLook(job, header);
    for (std::size_t i = 1; i < parts.size(); ++i) {
        const std::vector<SampleRange>& more = parts[i].header.samples;
        header.samples.insert(header.samples.end(), more.begin(), more.end());
    }
    header.samples = joined(header.samples);
    header.key = "";  // no run goes on with a merged film
    const PictureLayout layout{job.out, header.scene};
    prepareFolder(job.out);
    requireOwnPictures(layout, {header.frame});
    requirePlaceForFilm(layout.filmPath(header.frame), parts);
    FileTimes before;
    before.remember(layout.exrPath(header.frame));
    openLogIn(job.out);
    FrameState sum = sumOf(parts);
    requireCovered(sum.film);
    const MadePicture made = makePicture(header, sum, denoiser, [](const std::string& text) { warn(text); });
    const FolderTurn turn(job.out);
    requireReplaceable(job, layout, parts, header, traitsOf(header, sum, denoiser.name()), sum);
    if (!job.force) requireNoOtherWriter(before, layout.exrPath(header.frame));
    const WrittenPicture written = writePicture(layout, header, made, previewOf(header, job.raw_preview));
    writeFilm(layout.filmPath(header.frame), headerText(header), sum);
    nlohmann::json record = pictureRecord(header, sum, made, written);
    record["seconds"] = watch.seconds();
    appendLine(layout.statsPath(), jsonText(record));
    std::printf("%s  %d x %d  %d spp  noise %.2f %%%s  %s\n", written.exr.path.c_str(), sum.film.window().width,
                sum.film.window().height, sum.spp(), 100 * sum.film.noise(), denoisedText(made).c_str(),
                textOf(header.samples).c_str());
}

}  // namespace

ExitCode mergeFilms(const MergeJob& job)
{
    runWithThreads(chooseThreads(job.threads).count, [&] { merge(job); });
    return ExitCode::Done;
}

}  // namespace firn
