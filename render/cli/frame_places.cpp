#include "render/cli/frame_places.h"

#include <algorithm>
#include <utility>

#include "common/cache/checkpoint.h"
#include "common/cache/layout.h"
#include "common/cache/points_file.h"
#include "common/cache/wedge.h"
#include "common/error.h"
#include "common/io/command_text.h"
#include "common/io/folder_turn.h"
#include "common/io/frame_range.h"
#include "common/io/own_file.h"
#include "render/cli/film_store.h"
#include "render/film_file.h"

namespace firn {

namespace {

namespace fs = std::filesystem;

/// Throws Error(File) if firn-render did not write the file.
void requireOwnFilm(const fs::path& film)
{
    if (!fs::exists(film) || isCheckpoint(film)) return;
    throw Error(ExitCode::File, film.string() + " " + std::string(foreignText) +
                                    ". The samples of the frame would replace it: move it away");
}

}  // namespace

PictureTraits plannedTraits(const Scene& scene, const std::string& values, const FrameSettings& settings)
{
    PictureTraits picture;
    picture.width = settings.width;
    picture.height = settings.height;
    picture.window = windowOf(settings);
    picture.half = scene.render.half;
    picture.first_sample = settings.first_sample;
    picture.values = values;
    return picture;
}

std::optional<int> plannedPaths(const FrameSettings& settings)
{
    return settings.hasTarget() ? std::nullopt : std::optional(settings.spp);
}

FramePlaces::FramePlaces(const FramesJob& job, const Scene& scene, PictureLayout layout, PictureTraits picture,
                         std::function<FilmHeader(int)> headerOf)
    : m_job(job),
      m_scene(scene),
      m_layout(std::move(layout)),
      m_picture(std::move(picture)),
      m_headerOf(std::move(headerOf))
{
}

std::string FramePlaces::requireReplaceable(const std::vector<int>& frames, std::optional<int> spp) const
{
    requireOwnPictures(m_layout, frames);
    ReplacedPictures replaced(&m_scene, m_job.force, m_job.resume);
    const std::optional<FinishedPictures> finished =
        m_job.resume ? std::optional<FinishedPictures>(m_layout) : std::nullopt;
    for (const int frame : frames) {
        if (finished && isFinished(*finished, frame)) continue;
        PictureTraits picture = m_picture;
        picture.frame = frame;
        picture.spp = spp;
        picture.snow = m_headerOf(frame).snow;
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
        const FilmHeader header = m_headerOf(frame);
        if (m_job.resume && finished.has(frame, header.key)) continue;
        if (m_job.resume && isFilmOf(keptPath(frame, header.key), header.key)) continue;  // the run goes on with it
        requireContinuedFilm(film, header, m_scene, m_job.resume);
    }
}

void FramePlaces::remember(const std::vector<int>& frames)
{
    m_folder = FolderIdentity(m_layout.folder);
    for (const int frame : frames) m_before.remember(m_layout.exrPath(frame));
}

bool FramePlaces::isFinished(int frame) const { return isFinished(FinishedPictures(m_layout), frame); }

bool FramePlaces::isFinished(const FinishedPictures& pictures, int frame) const
{
    const std::string key = keyOf(frame);
    return pictures.has(frame, key) && (!m_job.keep_film || isCompleteFilmOf(m_layout.filmPath(frame), key) ||
                                        isCompleteFilmOf(keptPath(frame, key), key));
}

void FramePlaces::placeKeptFilm(int frame) const
{
    if (!m_job.keep_film) return;
    const FolderTurn turn(m_layout.folder);
    const std::string key = keyOf(frame);
    const fs::path place = m_layout.filmPath(frame), kept = keptPath(frame, key);
    if (!fs::exists(fs::symlink_status(place)) && isCompleteFilmOf(kept, key)) fs::rename(kept, place);
}

std::string FramePlaces::unlistedText(const std::vector<int>& frames) const
{
    if (!m_job.resume) return "";
    const FinishedPictures finished(m_layout);
    std::vector<int> unlisted;
    for (const int frame : frames)
        if (!finished.lists(frame) && fs::exists(m_layout.exrPath(frame))) unlisted.push_back(frame);
    if (unlisted.empty()) return "";
    return m_layout.statsPath().filename().string() + " does not list the pictures of " + framesText(unlisted) +
           ", so --resume renders them again";
}

std::string FramePlaces::damagedText(const std::vector<int>& frames) const
{
    if (!m_job.resume) return "";
    const FinishedPictures finished(m_layout);
    std::vector<int> damaged;
    fs::path first;
    for (const int frame : frames) {
        const fs::path file = finished.damagedFile(frame, keyOf(frame));
        if (file.empty()) continue;
        if (damaged.empty()) first = file;
        damaged.push_back(frame);
    }
    if (damaged.empty()) return "";
    return first.string() + " is damaged: it has another checksum than " + m_layout.statsPath().filename().string() +
           " lists. --resume renders " + framesText(damaged) + " again";
}

std::string FramePlaces::otherOptionsText(const std::vector<int>& frames) const
{
    if (!m_job.resume) return "";
    const FinishedPictures finished(m_layout);
    const auto count = std::ranges::count_if(frames, [&](int frame) { return finished.hasOther(frame, keyOf(frame)); });
    if (count == 0) return "";
    return m_layout.statsPath().filename().string() + " lists " +
           (count == 1 ? "1 picture" : std::to_string(count) + " pictures") +
           " with other options (such as --spp, --noise, --exposure or --raw-preview), or of other snow. " +
           (count == 1 ? "It is" : "They are") + " rendered again";
}

std::string FramePlaces::lostFilmsText(const std::vector<int>& frames) const
{
    if (!m_job.force) return "";
    std::size_t count = 0;
    std::string first;
    for (const int frame : frames) {
        const fs::path film = m_layout.filmPath(frame);
        const bool isContinued = m_job.resume && isFilmOf(film, keyOf(frame));
        if (isContinued || !isFilm(film)) continue;
        if (count++ == 0) first = film.string();
    }
    if (count == 0) return "";
    return "--force throws away the samples of " +
           (count == 1 ? "the film " : std::to_string(count) + " films, such as ") + first;
}

std::optional<FrameState> FramePlaces::earlierFilm(int frame) const
{
    const FilmHeader header = m_headerOf(frame);
    const fs::path kept = keptPath(frame, header.key), film = fs::exists(kept) ? kept : m_layout.filmPath(frame);
    if (m_job.force && !isFilmOf(film, header.key)) return std::nullopt;  // lostFilmsText() has told
    return earlierSamples(film, header, m_scene);
}

fs::path FramePlaces::saveFilm(const FilmHeader& header, const FrameState& state)
{
    const FolderTurn turn(m_layout.folder);
    requireSameFolder();
    return writeFilmOf(header, state);
}

std::optional<fs::path> FramePlaces::deliver(const FilmHeader& header, const FrameState& state,
                                             const std::function<void()>& write)
{
    const FolderTurn turn(m_layout.folder);
    requireSameFolder();
    try {
        if (fs::exists(wedgePath(m_layout.folder))) refuseMixedFolder(m_layout.folder, "a wedge");
        requireReplaceable({header.frame}, state.spp());
        requireNoOtherRun(header);
    } catch (const Error& error) {
        const fs::path film = keepRefusedFilm(header, state);
        const char* const advice =
            error.code() == ExitCode::Usage
                ? ": --resume --force uses them and replaces the picture, and 'firn-render merge "
                : ": --resume uses them when the file is moved away, and 'firn-render merge ";
        throw Error(error.code(), std::string(error.what()) + ". The samples of the frame are kept in " +
                                      film.string() + advice + shellPath(film) + " --out DIR' makes a picture of them");
    }
    std::optional<fs::path> film;
    if (m_job.keep_film) film = writeFilmOf(header, state);
    write();
    removeNeedlessFilms(header);
    return film;
}

fs::path FramePlaces::writeFilmOf(const FilmHeader& header, const FrameState& state)
{
    fs::path path = filmPath(header);
    requireOwnFilm(path);
    // Another run with the same options may be ahead of this one.
    if (!isUnchanged(path) && !m_job.force && hasSamplesOf(path, header.key, state)) return path;
    writeFilm(path, headerText(header), state);
    m_saved.remember(path);
    return path;
}

/// Not in the film's place: there it would stop the next run of other options.
fs::path FramePlaces::keepRefusedFilm(const FilmHeader& header, const FrameState& state)
{
    fs::path kept = keptPath(header.frame, header.key);
    requireOwnFilm(kept);
    writeFilm(kept, headerText(header), state);
    if (const fs::path place = m_layout.filmPath(header.frame); isUnchanged(place)) fs::remove(place);
    return kept;
}

/// What writeFilmOf() wrote of this frame and these options, in this run or an earlier one. With --film, the frame's
/// film stays.
void FramePlaces::removeNeedlessFilms(const FilmHeader& header) const
{
    const fs::path film = filmPath(header), kept = keptPath(header.frame, header.key);
    if (!m_job.keep_film) fs::remove(film);
    const bool wasUsed = m_job.resume || m_job.force || isUnchanged(kept);
    if (kept != film && wasUsed && isFilmOf(kept, header.key)) fs::remove(kept);
}

/// Whether this run wrote the film, and nobody has written it since.
bool FramePlaces::isUnchanged(const fs::path& film) const { return m_saved.knows(film) && !m_saved.isChanged(film); }

/// Somebody may have moved the folder and made another one.
void FramePlaces::requireSameFolder() const
{
    if (FolderIdentity(m_layout.folder) == m_folder) return;
    throw Error(ExitCode::File, m_layout.folder.string() +
                                    " was moved, and another folder is in its place, while this run wrote into it. The "
                                    "run stops: continue it with --resume where its pictures are");
}

/// Another run that renders the same frames may write here, too. Its picture is not replaced, unless it is the same.
void FramePlaces::requireNoOtherRun(const FilmHeader& header) const
{
    const fs::path picture = m_layout.exrPath(header.frame);
    if (m_job.force || FinishedPictures(m_layout).has(header.frame, header.key)) return;
    requireNoOtherWriter(m_before, picture);
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
    if (isUnchanged(place)) return place;
    return isFilmOf(place, header.key) ? place : keptPath(header.frame, header.key);
}

}  // namespace firn
