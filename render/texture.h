#pragma once
// The pictures of surfaces.

#include <map>
#include <memory>

#include "common/image/encoded_picture.h"
#include "common/math.h"

namespace firn {

/// A picture that repeats over the plane of its places (u, v): u to the right, v upwards, 1 for the whole picture.
class Texture {
public:
    explicit Texture(Rgb8Image image) : m_image(std::move(image)) {}

    /// Its colour at a place, linear Rec. 709, between the four nearest pixels.
    Vec3f at(const Vec2f& place) const { return at(place, true); }

    /// The same of a picture of data, whose values from 0 to 1 are not encoded.
    Vec3f dataAt(const Vec2f& place) const { return at(place, false); }

    int width() const { return m_image.width; }
    int height() const { return m_image.height; }

private:
    Vec3f at(const Vec2f& place, bool isEncoded) const;
    Vec3f pixel(int x, int y, bool isEncoded) const;

    Rgb8Image m_image;
};

/// A picture that lies on a body as seen from above, its top towards -z, and as seen from the side where the body is
/// steep.
struct LaidTexture {
    std::shared_ptr<const Texture> texture;
    float width_m = 1;

    /// The colour at a point with the normal there, both in the body's frame.
    Vec3f at(const Vec3f& point, const Vec3f& normal) const;
};

/// The decoded pictures of bodies.
class Textures {
public:
    /// Decodes the picture unless that was done before. nullptr for nullptr. Throws Error(File) if it is damaged.
    std::shared_ptr<const Texture> of(const std::shared_ptr<const EncodedPicture>& picture);

private:
    std::map<std::shared_ptr<const EncodedPicture>, std::shared_ptr<const Texture>> m_textures;
};

}  // namespace firn
