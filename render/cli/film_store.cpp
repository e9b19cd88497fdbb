#include "render/cli/film_store.h"

#include "common/error.h"
#include "render/cli/film_header.h"
#include "render/film_file.h"

namespace firn {

namespace fs = std::filesystem;

bool isFilmOf(const fs::path& film, const std::string& key)
{
    try {
        return parseFilmHeader(readFilm(film).header, film).key == key;
    } catch (const Error&) {
        return false;
    }
}

void requireContinuedFilm(const fs::path& film, const std::string& key, bool isResumed)
{
    if (!fs::exists(film)) return;
    bool isSame = false, isComplete = false;
    try {
        const FilmFile file = readFilm(film);
        isSame = parseFilmHeader(file.header, film).key == key;
        isComplete = file.state.is_complete;
    } catch (const Error& error) {
        if (isResumed) return;
        throw Error(error.code(), std::string(error.what()) +
                                      ". Rendering would replace it: move it away, choose another --out, or start over "
                                      "with --force");
    }
    if (isSame && (isResumed || isComplete)) return;  // the same settings give the same samples again
    if (isSame) {
        throw Error(ExitCode::Usage, film.string() +
                                         " holds samples of this picture from a run that was stopped: "
                                         "--resume continues it, --force starts over");
    }
    throw Error(ExitCode::Usage,
                film.string() + " holds " + (isComplete ? "finished" : "unfinished") +
                    " samples of other settings: of another scene or snow, or with other options, such as "
                    "--seed, --spp, --denoiser or --film. Rendering would replace it: give the "
                    "options of the earlier run, move the file away, choose another --out, or start over with "
                    "--force" +
                    (isResumed ? " without --resume" : ""));
}

std::optional<FrameState> earlierSamples(const fs::path& film, const std::string& key)
{
    if (!fs::exists(film)) return std::nullopt;
    FilmFile file = readFilm(film);
    if (parseFilmHeader(file.header, film).key != key) {
        throw Error(ExitCode::Usage, film.string() +
                                         " holds samples of other settings, so --resume cannot go on with it. Give the "
                                         "options of the earlier run, or start over with --force without --resume");
    }
    return std::move(file.state);
}

}  // namespace firn
