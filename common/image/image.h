#pragma once
// An image in memory: named channels of floats over a pixel window, and metadata.
// Values are linear Rec. 709 radiance; channel names follow OpenEXR ("R", "depth.Z", "stderr.R").

#include <array>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace firn {

/// One layer of values, row by row from the top left: pixels[y * width + x].
struct Channel {
    std::string name;
    std::vector<float> pixels;
    bool full_precision = false;  // 32 bits in files, even where other channels are half
};

/// Three channels without names, each row by row from the top left.
using Planes = std::array<std::vector<float>, 3>;

/// A picture of a part of the samples, about half of them, to tell noise from content.
struct HalfPicture {
    Planes colour;               // R, G, B
    std::vector<float> samples;  // of each pixel, in this picture
};

/// Row by row, point = matrix * (x, y, z, 1).
using Matrix4f = std::array<float, 16>;
/// The key under which a picture has the scene that it was rendered from, as TOML.
constexpr const char* sceneAttribute = "firn.scene_toml";
using Metadata = std::map<std::string, std::variant<int, float, std::string, Matrix4f>>;

/// The value of a key; null where the key is missing or has a value of another type.
template <class T>
const T* metadataAt(const Metadata& metadata, const std::string& key)
{
    const auto found = metadata.find(key);
    return found == metadata.end() ? nullptr : std::get_if<T>(&found->second);
}

struct Image {
    int width = 0;
    int height = 0;
    // Where the pixels are in the whole picture, and the size of the whole picture. They differ for a crop.
    int origin_x = 0;
    int origin_y = 0;
    int display_width = 0;
    int display_height = 0;
    std::vector<Channel> channels;
    Metadata metadata;

    Image() = default;
    Image(int width_px, int height_px);

    std::size_t pixelCount() const { return static_cast<std::size_t>(width) * static_cast<std::size_t>(height); }
    /// A new channel of zeros; the reference is valid until the next one is added. The name must be new.
    Channel& add(const std::string& name, bool fullPrecision = false);
    const Channel* find(const std::string& name) const;
    Channel* find(const std::string& name);
    /// Throws Error(File) that names the channels of the image.
    const Channel& at(const std::string& name) const;
};

}  // namespace firn
