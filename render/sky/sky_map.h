#pragma once
// A picture of all directions as light from infinity.

#include <filesystem>
#include <vector>

#include "common/image/image.h"
#include "render/sky/direction_table.h"

namespace firn {

/// Of the light of a map; see SkyMap.
enum class SkyPart { Soft, Bright };

/// Rays that leave a scene find a smooth sky with little noise, but a small bright sun in it hardly ever. So the map is
/// the sum of two parts. The soft part is the map's colour where its luminance is below a limit, and has the limit's
/// luminance where it is above. The bright part is the rest. The limit is the highest one with which the relative
/// variance of the soft part over all directions is about 1.5.
class SkyMap {
public:
    /// Pixels from the top left, linear Rec. 709, width * height of them, finite and not negative; for directions see
    /// DirectionTable. `turn_deg` turns the map about the y axis from +z towards +x.
    SkyMap(int width, int height, std::vector<Vec3f> pixels, double turn_deg);

    /// Radiance of both parts.
    Vec3f radiance(const Vec3f& direction) const;
    Vec3f radiance(SkyPart part, const Vec3f& direction) const;

    bool has(SkyPart part) const { return !table(part).isDark(); }

    /// A direction from two uniform numbers, in proportion to the luminance of a part. Only where the map has it.
    ChosenDirection sample(SkyPart part, float u, float v) const;
    /// With which sample() chooses a direction, per steradian.
    float density(SkyPart part, const Vec3f& direction) const { return table(part).density(toMap(direction)); }
    /// Mean direction of a part, which is shorter the wider the light spreads.
    Vec3f mean(SkyPart part) const { return fromMap(table(part).mean()); }

private:
    float limitOfSoft() const;
    DirectionTable makeTable(SkyPart part) const;
    const DirectionTable& table(SkyPart part) const { return part == SkyPart::Soft ? m_softTable : m_brightTable; }
    Vec3f pixel(int x, int y) const;
    Vec3f toMap(const Vec3f& direction) const;
    Vec3f fromMap(const Vec3f& direction) const;

    int m_width, m_height;
    std::vector<Vec3f> m_pixels;
    float m_sine, m_cosine;  // of the turn
    float m_limit = 0;
    DirectionTable m_softTable, m_brightTable;
};

/// The pixels of a picture of all directions. Negative values become 0. Throws Error(Usage) if the picture has no
/// channels R, G and B, is not twice as wide as high, is wider than 8192 pixels, is black, or has a pixel that is not
/// finite; `name` begins the message.
std::vector<Vec3f> skyPixels(const Image& image, const std::string& name);

}  // namespace firn
