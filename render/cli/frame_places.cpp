#include "render/cli/frame_places.h"

#include <algorithm>
#include <utility>

#include "common/cache/checkpoint.h"
#include "common/cache/layout.h"
#include "common/cache/points_file.h"
#include "common/error.h"
#include "common/io/frame_range.h"
#include "render/cli/film_store.h"
#include "render/cli/finished_pictures.h"
#include "render/film_file.h"

namespace firn {

namespace {

namespace fs = std::filesystem;

/// The earliest time if there is no file.
fs::file_time_type timeOf(const fs::path& path)
{
    std::error_code none;
    const auto time = fs::last_write_time(path, none);
    return none ? fs::file_time_type::min() : time;
}

}  // namespace

NewPicture newPicture(const Scene& scene, const std::string& values, const FrameSettings& settings)
{
    NewPicture picture;
    picture.width = settings.width;
    picture.height = settings.height;
    picture.window = windowOf(settings);
    picture.half = scene.render.half;
    picture.values = values;
    return picture;
}

std::optional<int> plannedPaths(const FrameSettings& settings)
{
    return settings.hasTarget() ? std::nullopt : std::optional(settings.spp);
}

FramePlaces::FramePlaces(const FramesJob& job, const Scene& scene, PictureLayout layout, NewPicture picture,
                         std::function<std::string(int)> keyOf)
    : m_job(job), m_scene(scene), m_layout(std::move(layout)), m_picture(std::move(picture)), m_keyOf(std::move(keyOf))
{
}

std::string FramePlaces::requireReplaceable(const std::vector<int>& frames, std::optional<int> spp) const
{
    requireOwnPictures(m_layout, frames);
    ReplacedPictures replaced(&m_scene, m_job.force);
    const std::optional<FinishedPictures> finished =
        m_job.resume ? std::optional<FinishedPictures>(m_layout) : std::nullopt;
    for (const int frame : frames) {
        if (finished && finished->has(frame, m_keyOf(frame))) continue;
        NewPicture picture = m_picture;
        picture.spp = spp;
        picture.simulation = sceneHashIn(CacheLayout{m_job.cache}.framePath(frame));
        replaced.add(m_layout.exrPath(frame), picture);
    }
    return replaced.text();
}

void FramePlaces::requireContinuedFilms(const std::vector<int>& frames) const
{
    if (m_job.force) return;
    const FinishedPictures finished(m_layout);
    for (const int frame : frames) {
        const fs::path film = m_layout.filmPath(frame);
        if (!fs::exists(film)) continue;
        const std::string key = m_keyOf(frame);
        if (m_job.resume && finished.has(frame, key)) continue;
        requireContinuedFilm(film, key, m_job.resume);
    }
}

void FramePlaces::remember(const std::vector<int>& frames)
{
    for (const int frame : frames) m_timesBefore[frame] = pictureTime(frame);
}

bool FramePlaces::isFinished(int frame) const { return FinishedPictures(m_layout).has(frame, m_keyOf(frame)); }

std::string FramePlaces::otherOptionsText(const std::vector<int>& frames) const
{
    if (!m_job.resume) return "";
    const FinishedPictures finished(m_layout);
    const auto count =
        std::ranges::count_if(frames, [&](int frame) { return finished.hasOther(frame, m_keyOf(frame)); });
    if (count == 0) return "";
    return (count == 1 ? "1 picture was" : std::to_string(count) + " pictures were") +
           " finished with other options (such as --seed, --spp, --denoiser or --format), or from other snow, and " +
           (count == 1 ? "is" : "are") + " rendered again";
}

std::optional<FrameState> FramePlaces::earlierFilm(int frame) const
{
    const std::string key = m_keyOf(frame);
    const fs::path kept = keptPath(frame, key);
    return earlierSamples(fs::exists(kept) ? kept : m_layout.filmPath(frame), key);
}

fs::path FramePlaces::saveFilm(const FilmHeader& header, const FrameState& state)
{
    fs::path path = filmPath(header);
    if (fs::exists(path) && !isCheckpoint(path)) requireOwnPictures(m_layout, {header.frame});
    writeFilm(path, headerText(header), state);
    m_timesSaved[path] = timeOf(path);
    return path;
}

void FramePlaces::finishFilm(const FilmHeader& header)
{
    const fs::path film = filmPath(header), kept = keptPath(header.frame, header.key);
    if (!m_job.keep_film) fs::remove(film);
    if (kept != film) fs::remove(kept);
}

void FramePlaces::requireStillReplaceable(const FilmHeader& header, const FrameState& state)
{
    try {
        requireReplaceable({header.frame}, state.spp());
        requireNoOtherRun(header);
    } catch (const Error& error) {
        if (fs::exists(m_layout.filmPath(header.frame)) && !isCheckpoint(m_layout.filmPath(header.frame))) throw;
        const std::string film = saveFilm(header, state).string();
        throw Error(error.code(), std::string(error.what()) + ". The samples of the frame are kept in " + film +
                                      ": --resume uses them, and 'firn-render merge " + film +
                                      " --out DIR' makes their picture");
    }
}

fs::file_time_type FramePlaces::pictureTime(int frame) const { return timeOf(m_layout.exrPath(frame)); }

/// Another run that renders the same frames may write here, too. Its picture is not replaced, unless it is the same.
void FramePlaces::requireNoOtherRun(const FilmHeader& header) const
{
    const auto before = m_timesBefore.find(header.frame);
    if (m_job.force || before == m_timesBefore.end() || before->second == pictureTime(header.frame)) return;
    if (FinishedPictures(m_layout).has(header.frame, header.key)) return;
    throw Error(ExitCode::Usage, m_layout.exrPath(header.frame).string() +
                                     " was written by another program after this run began. Choose another --out, "
                                     "or replace it with --force");
}

/// Beside the place of the frame's film, under a name that only these options have.
fs::path FramePlaces::keptPath(int frame, const std::string& key) const
{
    return framePath(m_layout.folder / (m_layout.scene + ".kept-" + key.substr(0, 8) + ".####.film"), frame);
}

fs::path FramePlaces::filmPath(const FilmHeader& header) const
{
    fs::path place = m_layout.filmPath(header.frame);
    if (m_job.force || !fs::exists(place)) return place;
    const auto saved = m_timesSaved.find(place);
    if (saved != m_timesSaved.end() && saved->second == timeOf(place)) return place;
    return isFilmOf(place, header.key) ? place : keptPath(header.frame, header.key);
}

}  // namespace firn
