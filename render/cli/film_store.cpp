#include "render/cli/film_store.h"

#include "common/error.h"
#include "render/cli/film_header.h"
#include "render/cli/value_difference.h"
#include "render/film_file.h"

namespace firn {

namespace fs = std::filesystem;

namespace {

struct KnownFilm {
    FilmHeader header;
    bool is_complete = false;
    std::uint64_t paths = 0;
};

/// Throws Error(File).
KnownFilm readKnownFilm(const fs::path& film)
{
    const FilmFile file = readFilm(film);
    return {parseFilmHeader(file.header, film), file.state.is_complete, file.state.film.counts.paths};
}

std::optional<KnownFilm> knownFilm(const fs::path& film)
{
    try {
        return readKnownFilm(film);
    } catch (const Error&) {
        return std::nullopt;
    }
}

Values valuesOf(const FilmHeader& header)
{
    Values values = sceneValues(header.scene_toml);
    values.insert(header.options.begin(), header.options.end());
    return values;
}

/// Throws Error(File) if the film is of another frame: it was renamed.
void requireSameFrame(const fs::path& film, const FilmHeader& header, const FilmHeader& picture)
{
    if (header.frame == picture.frame) return;
    throw Error(ExitCode::File, film.string() + " holds samples of frame " + std::to_string(header.frame) +
                                    ": it was copied or renamed. " + renamedFilmAdvice(film, header) +
                                    ". --resume --force replaces it");
}

/// How the film differs from the picture; it does.
std::string otherText(const FilmHeader& film, const FilmHeader& picture, const Scene& scene)
{
    if (film.key.empty()) return "that were merged (" + textOf(film.samples) + ")";
    const std::string values = difference(valuesOf(film), valuesOf(picture), &scene, "in the film");
    if (!values.empty()) return "with other settings (" + values + ")";
    return film.snow != picture.snow ? "of other snow" : "with other settings";
}

}  // namespace

bool isFilm(const fs::path& file) { return knownFilm(file).has_value(); }

bool isFilmOf(const fs::path& film, const std::string& key)
{
    const auto known = knownFilm(film);
    return known && known->header.key == key;
}

bool isCompleteFilmOf(const fs::path& film, const std::string& key)
{
    const auto known = knownFilm(film);
    return known && known->header.key == key && known->is_complete;
}

bool hasSamplesOf(const fs::path& film, const std::string& key, const FrameState& state)
{
    const auto known = knownFilm(film);
    return known && known->header.key == key && known->paths >= state.film.counts.paths &&
           (known->is_complete || !state.is_complete);
}

void requireContinuedFilm(const fs::path& film, const FilmHeader& picture, const Scene& scene, bool isResumed)
{
    if (!fs::exists(film)) return;
    KnownFilm known;
    try {
        known = readKnownFilm(film);
    } catch (const Error& error) {
        if (isResumed) return;
        throw Error(error.code(), std::string(error.what()) +
                                      ". Rendering would replace it: move it away, choose another --out, or start over "
                                      "with --force");
    }
    requireSameFrame(film, known.header, picture);
    const bool isSame = known.header.key == picture.key;
    if (isSame && (isResumed || known.is_complete)) return;  // the same settings give the same samples again
    if (isSame) {
        throw Error(ExitCode::Usage, film.string() +
                                         " holds samples of this picture from a run that was stopped: "
                                         "--resume continues it, --force starts over");
    }
    throw Error(ExitCode::Usage,
                film.string() + " holds " + (known.is_complete ? "finished" : "unfinished") + " samples " +
                    otherText(known.header, picture, scene) + ". Rendering would replace it: choose another --out" +
                    (known.header.key.empty() ? ""
                                              : " (each part of a picture needs its own), give the "
                                                "options of the earlier run") +
                    ", move the file away, or replace it with " + (isResumed ? "--resume --force" : "--force"));
}

std::optional<FrameState> earlierSamples(const fs::path& film, const FilmHeader& picture, const Scene& scene)
{
    if (!fs::exists(film)) return std::nullopt;
    FilmFile file = readFilm(film);
    const FilmHeader header = parseFilmHeader(file.header, film);
    requireSameFrame(film, header, picture);
    if (header.key != picture.key) {
        throw Error(ExitCode::Usage,
                    film.string() + " holds samples " + otherText(header, picture, scene) +
                        ", so --resume cannot go on with it. Give the options of the earlier run, move "
                        "the file away, or replace it with --resume --force");
    }
    return std::move(file.state);
}

}  // namespace firn
