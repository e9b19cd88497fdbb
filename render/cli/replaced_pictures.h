#pragma once
// Which pictures a command may replace, and what it must say of those that it replaces.

#include <filesystem>
#include <optional>
#include <string>

#include "common/image/image.h"
#include "common/image/pixel_window.h"
#include "common/io/file_times.h"
#include "common/scene/scene.h"

namespace firn {

/// A picture that is to be written.
struct NewPicture {
    std::optional<int> frame;   // its number, if it is known
    int width = 0, height = 0;  // of the whole picture
    PixelWindow window;         // the pixels that it has
    std::optional<int> spp;     // paths per pixel, if they are known
    bool half = true;           // precision of the EXR
    int first_sample = 0;       // number of the first sample of a pixel
    std::string denoiser;       // as LayerDenoiser::name(), or with withNeighbourFrames
    std::string values;         // dumpValues() of the scene; "" if it is not known
    std::string snow;           // checksum of its snow (FilmHeader::snow); "" if it is not known
    std::string simulation;     // hash of the scene that its snow was simulated with; "" if it is not known
};

/// Name of the metadata with the hash of the scene that the rendered frame of the cache was simulated with. It differs
/// from firn.scene_hash in pictures that --force rendered from the cache of another scene.
inline constexpr const char* simulationAttribute = "firn.cache_scene_hash";

/// Name of the metadata with the checksum of the snow (FilmHeader::snow).
inline constexpr const char* snowAttribute = "firn.snow";

/// At the end of NewPicture::denoiser, if the denoiser reads the frames before and after too.
inline constexpr const char* withNeighbourFrames = " with neighbours";

/// What the header of an EXR tells of a picture: of one that is there, or of a copy of it that is to be written.
/// The file itself tells it, so a copied picture and one without a line of statistics are known too.
NewPicture pictureOf(const Image& header);

/// The pictures that a command replaces.
class ReplacedPictures {
public:
    /// `scene`: names parts of the scene in messages; may be null. `force`: nothing is refused. `resume`: pictures of
    /// other values are refused, because only the same job is resumed.
    ReplacedPictures(const Scene* scene, bool force, bool resume = false)
        : m_scene(scene), m_force(force), m_resume(resume)
    {
    }

    /// Throws Error(Usage) if the file is a picture of another simulation or frame than the new one, has more paths per
    /// pixel, more pixels, or pixels that the new one does not have; with `resume` also if it is of other values. A
    /// file that is no picture of Firn's is passed over.
    void add(const std::filesystem::path& picture, const NewPicture& now);

    /// A warning about the pictures that were added and are of other values than the new ones: of the scene (seed and
    /// camera, but not its frames, tone curve or paths), or of another size, first sample, precision or denoiser, and
    /// about previews whose EXR is gone. "" without such files.
    std::string text() const;

private:
    const Scene* m_scene;
    bool m_force, m_resume;
    std::size_t m_count = 0, m_previewCount = 0;
    std::string m_first, m_firstPreview;
};

/// Throws Error(Usage) if another program has written the picture since the command remembered it.
void requireNoOtherWriter(const FileTimes& times, const std::filesystem::path& picture);

}  // namespace firn
