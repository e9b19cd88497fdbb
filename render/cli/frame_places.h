#pragma once
// Where a run of firn-render frames writes, and what it may replace there: also while other runs write into the folder.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "render/cli/film_header.h"
#include "render/cli/finished_pictures.h"
#include "render/cli/frames_options.h"
#include "render/cli/picture_layout.h"
#include "render/cli/replaced_pictures.h"
#include "render/frame.h"

namespace firn {

/// What the pictures of a run have in common, without their denoiser. `values`: pictureText() of the scene.
PictureTraits plannedTraits(const Scene& scene, const std::string& values, const FrameSettings& settings);

/// Paths per pixel, if no target decides about them.
std::optional<int> plannedPaths(const FrameSettings& settings);

class FramePlaces {
public:
    /// `picture`: plannedTraits() with its denoiser. `headerOf`: of a frame's film, as far as it is known before the
    /// frame is rendered: all but metadata and samples. The references must stay valid.
    FramePlaces(const FramesJob& job, const Scene& scene, PictureLayout layout, PictureTraits picture,
                std::function<FilmHeader(int)> headerOf);

    /// Whether these frames may be written, as the folder is now. Throws Error(File) for files that Firn did not write,
    /// and without --force Error(Usage) for what ReplacedPictures::add refuses. `spp`: paths per pixel, if they are
    /// known. Returns a warning, or "".
    std::string requireReplaceable(const std::vector<int>& frames, std::optional<int> spp) const;

    /// Throws Error(Usage) without --force if a film would be lost (requireContinuedFilm).
    void requireContinuedFilms(const std::vector<int>& frames) const;

    /// Remembers which folder and which pictures are there as the run begins.
    void remember(const std::vector<int>& frames);

    /// Whether an earlier run finished the frame with the same options, and its files are whole; with --film, its film,
    /// too.
    bool isFinished(int frame) const;

    /// With --film: puts the kept film of a finished frame into its place, if nothing is there.
    void placeKeptFilm(int frame) const;

    /// With --resume: a warning if the folder's statistics do not list pictures that exist; otherwise "".
    std::string unlistedText(const std::vector<int>& frames) const;

    /// With --resume: a warning if finished pictures do not have the checksums that the statistics list; otherwise "".
    std::string damagedText(const std::vector<int>& frames) const;

    /// With --resume: a warning if finished pictures were made with other options than now; otherwise "".
    std::string otherOptionsText(const std::vector<int>& frames) const;

    /// With --force: a warning if samples of films will be lost; otherwise "".
    std::string lostFilmsText(const std::vector<int>& frames) const;

    /// The samples that an earlier run left of the frame; see earlierSamples().
    std::optional<FrameState> earlierFilm(int frame) const;

    /// Writes the film of a frame: to its place, or, if a film of another run or a damaged one is there, beside it.
    /// Does not replace a film of these options that has as many samples: that of another run of the same command.
    /// Returns the file. Throws Error(File), also if another folder is in place of the one of remember().
    std::filesystem::path saveFilm(const FilmHeader& header, const FrameState& state);

    /// Puts a traced frame into its place, in the folder's turn (FolderTurn): checks again what requireReplaceable()
    /// checks, because somebody may have put a file or another picture there since the run began; with --film, saves
    /// the film; calls `write`, which writes the picture and its line of statistics; removes films that are not needed
    /// any more. If the picture may not be written, saves the film beside its place before it throws; the error names
    /// it. Returns the saved film.
    std::optional<std::filesystem::path> deliver(const FilmHeader& header, const FrameState& state,
                                                 const std::function<void()>& write);

private:
    std::string keyOf(int frame) const { return m_headerOf(frame).key; }
    bool isFinished(const FinishedPictures& pictures, int frame) const;
    void requireSameFolder() const;
    void requireNoOtherRun(const FilmHeader& header) const;
    std::filesystem::path keepRefusedFilm(const FilmHeader& header, const FrameState& state);
    std::filesystem::path writeFilmOf(const FilmHeader& header, const FrameState& state);
    void removeNeedlessFilms(const FilmHeader& header) const;
    bool isUnchanged(const std::filesystem::path& film) const;
    std::filesystem::path keptPath(int frame, const std::string& key) const;
    std::filesystem::path filmPath(const FilmHeader& header) const;

    const FramesJob& m_job;
    const Scene& m_scene;
    PictureLayout m_layout;
    PictureTraits m_picture;
    std::function<FilmHeader(int)> m_headerOf;
    FileTimes m_before;       // pictures, as the run began
    FileTimes m_saved;        // films that the run wrote
    FolderIdentity m_folder;  // as the run began
};

}  // namespace firn
