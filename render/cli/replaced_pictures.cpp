#include "render/cli/replaced_pictures.h"

#include <optional>

#include "common/error.h"
#include "common/scene/hash.h"
#include "render/cli/picture_layout.h"
#include "render/cli/value_difference.h"

namespace firn {

namespace {

namespace fs = std::filesystem;

constexpr const char* place = "in the picture";

Values ofSimulation(Values values, const Scene& scene)
{
    const std::map<std::string, std::string> keys = simulationKeys(scene);
    std::erase_if(values, [&](const auto& entry) { return !keys.contains(entry.first); });
    return values;
}

bool contains(const PixelWindow& outer, const PixelWindow& inner)
{
    return outer.x <= inner.x && outer.y <= inner.y && outer.x + outer.width >= inner.x + inner.width &&
           outer.y + outer.height >= inner.y + inner.height;
}

/// Whether `before` has pixels that `now` does not have, or more of them.
bool hasMorePixels(const PictureTraits& before, const PictureTraits& now)
{
    if (before.width == now.width && before.height == now.height) return !contains(now.window, before.window);
    return before.window.width > now.window.width || before.window.height > now.window.height;
}

std::string sizeText(const PictureTraits& picture)
{
    const PixelWindow& window = picture.window;
    return std::to_string(window.width) + " x " + std::to_string(window.height) + " pixels at " +
           std::to_string(window.x) + "," + std::to_string(window.y) + " of " + std::to_string(picture.width) + " x " +
           std::to_string(picture.height);
}

/// What the picture has that the new one lacks; "" if nothing.
std::string lossText(const PictureTraits& before, const PictureTraits& now)
{
    if (before.spp && now.spp && *before.spp > *now.spp)
        return std::to_string(*before.spp) + " paths per pixel, more than now (" + std::to_string(*now.spp) + ")";
    if (hasMorePixels(before, now)) return sizeText(before) + ", not all of which are made now (" + sizeText(now) + ")";
    return "";
}

/// "4 paths per pixel in the picture, 8 now; " where that may be why the denoisers differ.
std::string pathsText(const PictureTraits& before, const PictureTraits& now)
{
    if (before.denoiser == now.denoiser || !before.spp || !now.spp || *before.spp == *now.spp) return "";
    return std::to_string(*before.spp) + " paths per pixel " + place + ", " + std::to_string(*now.spp) + " now; ";
}

/// "4 neighbours in the picture, at most 2 now", if it loses some.
std::string neighboursText(const PictureTraits& before, const PictureTraits& now)
{
    if (before.denoiser != now.denoiser || before.neighbours <= now.neighbours) return "";
    return "denoised with " + std::to_string(before.neighbours) +
           (before.neighbours == 1 ? " neighbour " : " neighbours ") + place + ", with " +
           (now.neighbours > 0 ? "at most " + std::to_string(now.neighbours) : "none") + " now";
}

[[noreturn]] void refuse(const fs::path& picture, const std::string& what, const char* option = "--force",
                         ExitCode code = ExitCode::Usage)
{
    throw Error(code,
                picture.string() + " is a picture " + what + ". Choose another --out, or replace it with " + option);
}

/// The file of another frame beside a picture named NAME.####.exr.
fs::path inPlaceOf(const fs::path& picture, int frame)
{
    return PictureLayout{picture.parent_path(), picture.stem().stem().string()}.exrPath(frame);
}

}  // namespace

void ReplacedPictures::add(const fs::path& picture, const PictureTraits& now)
{
    if (!fs::exists(picture)) {
        const fs::path preview = fs::path(picture).replace_extension(".png");
        if (fs::exists(preview) && m_previewCount++ == 0) m_firstPreview = preview.string();
        return;
    }
    const std::optional<Image> header = knownHeader(picture);
    if (!header || !header->metadata.contains("firn.program")) return;
    PictureTraits before = traitsOf(*header);
    if (now.denoiser == before.denoiser + withNeighbourFrames) before.denoiser = now.denoiser;  // it has found none
    const bool isOtherFrame = before.frame && now.frame && *before.frame != *now.frame;
    const std::string otherFrame =
        isOtherFrame ? "of frame " + std::to_string(*before.frame) + ": it was copied or renamed" : "";
    if (!m_force && isOtherFrame) {
        const bool isTaken = fs::exists(inPlaceOf(picture, *before.frame));
        refuse(picture, otherFrame + (isTaken ? ". Move it away" : ". Rename it back or move it away"), "--force",
               ExitCode::File);
    }
    const Values old = valuesOf(before), wanted = valuesOf(now);
    if (!m_force && !before.simulation.empty() && !now.simulation.empty() && before.simulation != now.simulation) {
        const std::string differs =
            m_scene ? difference(ofSimulation(old, *m_scene), ofSimulation(wanted, *m_scene), m_scene, place) : "";
        refuse(picture, "of another simulation" + (differs.empty() ? "" : " (" + differs + ")"));
    }
    const std::string loss = lossText(before, now);
    if (!m_force && !loss.empty()) refuse(picture, "with " + loss);
    std::string differs = difference(old, wanted, m_scene, place);
    if (!m_force && m_resume && !differs.empty())
        refuse(picture,
               "of other values (" + pathsText(before, now) + differs +
                   "), and --resume alone goes on with the same job only",
               "--resume --force, which also continues stopped frames of this job");
    if (isOtherFrame) differs = otherFrame;
    for (const std::string& more : {loss, neighboursText(before, now)})
        if (!more.empty()) differs += (differs.empty() ? "" : "; ") + more;
    if (!differs.empty() && m_count++ == 0) m_first = picture.string() + " (" + differs + ")";
    const bool isOfOtherSnow = !before.snow.empty() && !now.snow.empty() && before.snow != now.snow;
    if (differs.empty() && isOfOtherSnow && m_otherSnowCount++ == 0)
        m_firstOfOtherSnow = picture.string() +
                             " (the frame of the cache, its first frame, still snow or a body without contact has "
                             "changed)";
}

std::string ReplacedPictures::text() const
{
    const auto willBeReplaced = [](std::size_t count, const char* one, const char* many, const std::string& first) {
        if (count == 0) return std::string();
        return (count == 1 ? std::string("1 ") + one + " will be replaced: "
                           : std::to_string(count) + " " + many + " will be replaced, such as ") +
               first;
    };
    std::string text;
    for (const std::string& more :
         {willBeReplaced(m_count, "picture of other values", "pictures of other values", m_first),
          willBeReplaced(m_otherSnowCount, "picture of other snow", "pictures of other snow", m_firstOfOtherSnow),
          willBeReplaced(m_previewCount, "preview without its EXR", "previews without their EXR", m_firstPreview)})
        if (!more.empty()) text += (text.empty() ? "" : "; ") + more;
    return text;
}

void requireNoOtherWriter(const FileTimes& times, const fs::path& picture)
{
    if (!times.isChanged(picture)) return;
    throw Error(ExitCode::Usage, picture.string() +
                                     " was written by another program after this command began. Choose another --out, "
                                     "or replace it with --force");
}

}  // namespace firn
