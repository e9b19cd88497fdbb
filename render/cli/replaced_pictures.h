#pragma once
// Which pictures a command may replace, and what it must say of those that it replaces.

#include <filesystem>
#include <string>

#include "common/io/file_times.h"
#include "common/scene/scene.h"
#include "render/cli/picture_traits.h"

namespace firn {

/// The pictures that a command replaces.
class ReplacedPictures {
public:
    /// `scene`: names parts of the scene in messages; may be null. `force`: nothing is refused. `resume`: pictures of
    /// other values are refused, because only the same job is resumed.
    ReplacedPictures(const Scene* scene, bool force, bool resume = false)
        : m_scene(scene), m_force(force), m_resume(resume)
    {
    }

    /// Throws Error(Usage) if the file is a picture of another simulation than the new one, has more paths per pixel,
    /// more pixels, or pixels that the new one does not have; with `resume` also if it is of other values. Throws
    /// Error(File) if it is of another frame. A file that is no picture of Firn's is passed over.
    void add(const std::filesystem::path& picture, const PictureTraits& now);

    /// A warning about the pictures that were added and are of other values than the new ones: of the scene (seed and
    /// camera, but not its frames, tone curve or paths), or of another size, first sample, precision or denoiser; about
    /// pictures of other snow, and about previews whose EXR is gone. "" without such files.
    std::string text() const;

private:
    const Scene* m_scene;
    bool m_force, m_resume;
    std::size_t m_count = 0, m_otherSnowCount = 0, m_previewCount = 0;
    std::string m_first, m_firstOfOtherSnow, m_firstPreview;
};

/// Throws Error(Usage) if another program has written the picture since the command remembered it.
void requireNoOtherWriter(const FileTimes& times, const std::filesystem::path& picture);

}  // namespace firn
