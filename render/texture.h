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
    Vec3f at(const Vec2f& place) const;

private:
    Vec3f pixel(int x, int y) const;

    Rgb8Image m_image;
};

/// The decoded pictures of meshes.
class Textures {
public:
    /// Decodes the picture unless that was done before. Throws Error(File) if it is damaged.
    void add(const std::shared_ptr<const EncodedPicture>& picture);

    /// That of a picture; nullptr if it was not added.
    const Texture* of(const std::shared_ptr<const EncodedPicture>& picture) const;

private:
    std::map<std::shared_ptr<const EncodedPicture>, std::shared_ptr<const Texture>> m_textures;
};

}  // namespace firn
