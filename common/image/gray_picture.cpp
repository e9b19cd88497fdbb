#include "common/image/gray_picture.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "common/error.h"
#include "common/image/exr.h"
#include "common/image/png.h"
#include "common/io/checked_file.h"
#include "common/io/extension.h"

namespace firn {

namespace {

constexpr int longestEdge = 4096;  // on a side

GrayPicture fromPng(const std::vector<std::byte>& bytes, const std::string& source)
{
    const Gray16Image image = decodeGrayPng(bytes, source);
    GrayPicture picture{image.width, image.height, {}};
    picture.values.reserve(image.pixels.size());
    for (const std::uint16_t value : image.pixels) picture.values.push_back(static_cast<float>(value) / 65535.f);
    return picture;
}

/// "Y, mask or R"
std::string listOf(const std::vector<std::string>& names)
{
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
    return text;
}

GrayPicture fromExr(const std::vector<std::byte>& bytes, const std::vector<std::string>& channels,
                    const std::string& source)
{
    Image image = decodeExr(bytes, source);
    for (const std::string& name : channels)
        if (const Channel* channel = image.find(name)) return {image.width, image.height, channel->pixels};
    throw Error(ExitCode::Usage, source + ": found no channel " + listOf(channels));
}

}  // namespace

bool isGrayPicture(const std::filesystem::path& file)
{
    const std::string extension = lowerExtension(file);
    return extension == ".png" || extension == ".exr";
}

GrayPicture readGrayPicture(const std::filesystem::path& file, const std::vector<std::string>& channels,
                            const std::string& source)
{
    const std::vector<std::byte> bytes = readFile(file);
    GrayPicture picture = lowerExtension(file) == ".png" ? fromPng(bytes, source) : fromExr(bytes, channels, source);
    if (std::min(picture.width, picture.height) < 2 || std::max(picture.width, picture.height) > longestEdge)
        throw Error(ExitCode::Usage, source + ": found " + std::to_string(picture.width) + " x " +
                                         std::to_string(picture.height) + " pixels; expected 2 to " +
                                         std::to_string(longestEdge) + " on each side");
    const auto wrong = std::ranges::find_if(picture.values, [](float value) { return !std::isfinite(value); });
    if (wrong == picture.values.end()) return picture;
    const auto index = wrong - picture.values.begin();
    throw Error(ExitCode::Usage, source + ": the value of pixel (" + std::to_string(index % picture.width) + ", " +
                                     std::to_string(index / picture.width) + ") is not a finite number");
}

}  // namespace firn
