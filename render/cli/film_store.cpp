#include "render/cli/film_store.h"

#include "common/error.h"
#include "render/cli/film_header.h"
#include "render/film_file.h"

namespace firn {

namespace fs = std::filesystem;

void requireReplaceableFilm(const fs::path& film, const std::string& key)
{
    if (!fs::exists(film)) return;
    try {
        const FilmFile file = readFilm(film);
        if (!file.state.is_complete || parseFilmHeader(file.header, film).key == key) return;
    } catch (const Error&) {
        return;  // damaged: nothing to keep
    }
    throw Error(ExitCode::Usage, film.string() +
                                     " holds finished samples of other settings. Rendering would replace it: move it "
                                     "away, choose another --out, or give --force");
}

std::optional<FrameState> earlierSamples(const fs::path& film, const std::string& key)
{
    if (!fs::exists(film)) return std::nullopt;
    FilmFile file = readFilm(film);
    if (parseFilmHeader(file.header, film).key != key) {
        throw Error(ExitCode::Usage, film.string() +
                                         " holds samples of other settings, so --resume cannot go on with it. Give the "
                                         "options of the earlier run, or render without --resume to begin again");
    }
    return std::move(file.state);
}

}  // namespace firn
