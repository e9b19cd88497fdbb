#include "render/cli/differing_pictures.h"

#include <algorithm>
#include <optional>

#include "common/error.h"
#include "common/image/exr.h"
#include "common/io/own_file.h"
#include "render/cli/picture_traits.h"

namespace firn {

namespace {

struct Made {
    int frame;
    std::string simulation;
    Values values;
};

/// How the picture of the frame was made. None of a picture that is of another frame, or that tells neither its values
/// nor its simulation.
std::optional<Made> madeWith(int frame, const std::filesystem::path& exr)
{
    try {
        PictureTraits traits = traitsOf(readExrHeader(exr));
        if (traits.frame.value_or(frame) != frame) return std::nullopt;
        // The first and the last frame of a shot have neighbours on one side only, a single frame has none.
        if (traits.denoiser.ends_with(withNeighbourFrames))
            traits.denoiser.resize(traits.denoiser.size() - std::char_traits<char>::length(withNeighbourFrames));
        Made made{frame, traits.simulation, valuesOf(traits)};
        made.values.erase("size");
        for (auto& [key, value] : sceneValues(traits.values))
            if (key == "render.exposure" || key == "render.view") made.values.emplace(key, value);
        if (made.simulation.empty() && made.values.empty()) return std::nullopt;
        return made;
    } catch (const Error&) {
        return std::nullopt;
    }
}

std::optional<Made> firstMade(const std::map<int, std::filesystem::path>& pictures)
{
    for (const auto& [frame, exr] : pictures)
        if (auto made = madeWith(frame, exr)) return made;
    return std::nullopt;
}

/// Whether the setting of a take, as "light.key.strength=2", may change the value of a key, as "light.0.strength".
bool mayChange(const std::string& setting, const std::string& key)
{
    const std::string name = setting.substr(0, setting.find('='));
    const auto table = [](const std::string& of) { return of.substr(0, of.find('.')); };
    const auto leaf = [](const std::string& of) { return of.substr(of.rfind('.') + 1); };
    return table(name) == table(key) && (table(name) == "snow" || leaf(name) == "preset" || leaf(name) == leaf(key));
}

void eraseChanged(const Take& take, Values& values)
{
    values.erase("format");  // which follows from render.half
    std::erase_if(values, [&](const auto& entry) {
        return std::ranges::any_of(take.set, [&](const std::string& set) { return mayChange(set, entry.first); });
    });
}

/// "" if the two were made in the same way.
std::string differenceOf(const Made& first, const Made& other)
{
    const std::string before = "in frame " + std::to_string(first.frame),
                      now = "in frame " + std::to_string(other.frame);
    std::string values = difference(first.values, other.values, nullptr, before, now);
    if (!values.empty() || first.simulation.empty() || other.simulation.empty()) return values;
    return first.simulation == other.simulation ? "" : "the simulation";
}

}  // namespace

DifferingPictures differingPictures(const std::map<int, std::filesystem::path>& pictures)
{
    DifferingPictures differing;
    std::optional<Made> first;
    for (const auto& [frame, exr] : pictures) {
        std::optional<Made> made = madeWith(frame, exr);
        if (!made) continue;
        if (!first) {
            first = std::move(made);
            continue;
        }
        const std::string differs = differenceOf(*first, *made);
        if (differs.empty()) continue;
        if (differing.frames.empty()) differing.difference = differs;
        differing.frames.push_back(frame);
    }
    return differing;
}

std::vector<int> differingPreviews(const std::map<int, std::filesystem::path>& pictures)
{
    std::vector<int> differing;
    std::optional<bool> isFirstRaw;
    for (auto [frame, preview] : pictures) {
        preview.replace_extension(".png");
        if (!isMarked(preview, previewMark)) continue;
        const bool isRaw = isMarked(preview, rawPreviewMark);
        if (isRaw != isFirstRaw.value_or(isRaw)) differing.push_back(frame);
        if (!isFirstRaw) isFirstRaw = isRaw;
    }
    return differing;
}

std::string differenceOfTakes(const Take& first, const std::map<int, std::filesystem::path>& pictures,
                              const Take& other, const std::map<int, std::filesystem::path>& others)
{
    std::optional<Made> a = firstMade(pictures), b = firstMade(others);
    if (!a || !b) return "";
    for (const Take* take : {&first, &other}) {
        eraseChanged(*take, a->values);
        eraseChanged(*take, b->values);
    }
    return difference(a->values, b->values, nullptr, "in '" + first.name + "'", "in '" + other.name + "'");
}

}  // namespace firn
