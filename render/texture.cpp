#include "render/texture.h"

#include <cmath>

#include "common/image/view.h"

namespace firn {

namespace {

/// Two neighbouring pixels of a row or column that repeats, and the share of the second one.
struct PixelPair {
    int first, second;
    float share;

    /// `place` is 1 for the whole length of `count` pixels.
    PixelPair(float place, int count)
    {
        const float at = (place - std::floor(place)) * static_cast<float>(count) - 0.5f;
        const float low = std::floor(at);
        share = at - low;
        first = (static_cast<int>(low) + count) % count;
        second = (first + 1) % count;
    }
};

}  // namespace

Vec3f Texture::pixel(int x, int y, bool isEncoded) const
{
    const std::uint8_t* const rgb =
        &m_image.pixels[3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(m_image.width) +
                             static_cast<std::size_t>(x))];
    const std::array<float, 256>& linear = linearOfBytes();
    if (isEncoded) return {linear[rgb[0]], linear[rgb[1]], linear[rgb[2]]};
    return Vec3f(rgb[0], rgb[1], rgb[2]) / 255;
}

Vec3f Texture::at(const Vec2f& place, bool isEncoded) const
{
    const PixelPair x(place.x(), m_image.width), y(1 - place.y(), m_image.height);
    const auto row = [&](int k) -> Vec3f {
        return (1 - x.share) * pixel(x.first, k, isEncoded) + x.share * pixel(x.second, k, isEncoded);
    };
    return (1 - y.share) * row(y.first) + y.share * row(y.second);
}

Vec3f LaidTexture::at(const Vec3f& point, const Vec3f& normal) const
{
    const Vec3f steepness = normal.cwiseAbs();
    const float height_m = width_m * static_cast<float>(texture->height()) / static_cast<float>(texture->width());
    const bool isSide = steepness.y() * steepness.y() < 0.5f, isAlongX = steepness.z() >= steepness.x();
    // On a side, the picture's right is to the right of one who looks at the face.
    const float across =
        isAlongX ? std::copysign(1.0f, normal.z()) * point.x() : std::copysign(1.0f, -normal.x()) * point.z();
    const float right = isSide ? across : point.x(), up = isSide ? point.y() : -point.z();
    return texture->at({right / width_m, up / height_m});
}

std::shared_ptr<const Texture> Textures::of(const std::shared_ptr<const EncodedPicture>& picture)
{
    if (!picture) return nullptr;
    std::shared_ptr<const Texture>& texture = m_textures[picture];
    if (!texture) texture = std::make_shared<const Texture>(decodePicture(*picture));
    return texture;
}

}  // namespace firn
