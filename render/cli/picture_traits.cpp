#include "render/cli/picture_traits.h"

#include <array>
#include <cstdlib>
#include <string_view>

#include "common/cli/program.h"
#include "common/error.h"
#include "common/image/exr.h"

namespace firn {

namespace {

/// Precision and size are compared with those of the file.
constexpr std::array valuesPassedOver{"render.spp",  "render.width", "render.height",
                                      "render.half", "render.view",  "render.exposure"};

std::string textIn(const Metadata& metadata, const std::string& key)
{
    const auto* const text = metadataAt<std::string>(metadata, key);
    return text ? *text : "";
}

/// The first number in "seed 1 samples 4-7", as addSampleMetadata() writes it. 0 in pictures of earlier versions.
int firstSampleIn(const std::string& samples)
{
    constexpr std::string_view before = "samples ";
    const std::size_t found = samples.find(before);
    return found == std::string::npos ? 0 : std::atoi(samples.c_str() + found + before.size());
}

/// Reads "filter" or "network FILE CHECKSUM", which ", 2 neighbours" may follow.
void readDenoiser(const std::string& text, PictureTraits& picture)
{
    const std::size_t end = text.find(" neighbour") == std::string::npos ? std::string::npos : text.rfind(", ");
    const std::string whole = text.substr(0, end);
    const std::size_t file = whole.find(' ');
    picture.denoiser = text.empty() ? "off" : whole.substr(0, file);
    if (file != std::string::npos) picture.denoiser += whole.substr(whole.rfind(' '));
    if (end == std::string::npos) return;
    picture.denoiser += withNeighbourFrames;
    picture.neighbours = std::atoi(text.c_str() + end + 2);
}

}  // namespace

std::optional<Image> knownHeader(const std::filesystem::path& exr)
{
    try {
        return readExrHeader(exr);
    } catch (const Error&) {
        return std::nullopt;
    }
}

PictureTraits traitsOf(const Image& header)
{
    PictureTraits picture;
    picture.width = header.display_width;
    picture.height = header.display_height;
    picture.window = {header.origin_x, header.origin_y, header.width, header.height};
    if (const int* const frame = metadataAt<int>(header.metadata, "firn.frame")) picture.frame = *frame;
    if (const int* const spp = metadataAt<int>(header.metadata, "firn.spp")) picture.spp = *spp;
    const Channel* const red = header.find("R");
    picture.half = red == nullptr || !red->full_precision;
    readDenoiser(textIn(header.metadata, "firn.denoiser"), picture);
    picture.first_sample = firstSampleIn(textIn(header.metadata, "firn.samples"));
    picture.values = textIn(header.metadata, sceneAttribute);
    picture.snow = textIn(header.metadata, snowAttribute);
    picture.take = textIn(header.metadata, takeAttribute);
    picture.simulation = textIn(header.metadata, simulationAttribute);
    if (picture.simulation.empty()) picture.simulation = textIn(header.metadata, "firn.scene_hash");
    return picture;
}

void warnOfOtherFrame(const std::filesystem::path& picture, const Metadata& metadata, int frame)
{
    const int* const shown = metadataAt<int>(metadata, "firn.frame");
    if (shown && *shown != frame)
        warn("warning: " + picture.string() + " is a picture of frame " + std::to_string(*shown) +
             ": it was copied or renamed");
}

Values valuesOf(const PictureTraits& picture)
{
    Values values = sceneValues(picture.values);
    for (const char* key : valuesPassedOver) values.erase(key);
    if (values.empty()) return values;
    values["format"] = picture.half ? "half" : "float";
    values["denoiser"] = picture.denoiser;
    values["size"] = std::to_string(picture.width) + " x " + std::to_string(picture.height);
    values["first sample"] = std::to_string(picture.first_sample);
    return values;
}

}  // namespace firn
