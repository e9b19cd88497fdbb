#pragma once
// The nearest surface in each pixel, found by drawing triangles and discs one after the other. Nearness is any number
// that is larger nearer to the eye and linear over a flat surface: the inverse of depth in perspective.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "common/math.h"

namespace firn {

/// Pixels from the left edge and from the top, and nearness.
struct DrawnPoint {
    float x, y, nearness;
};

struct DrawnTriangle {
    std::array<DrawnPoint, 3> corners;
    std::uint32_t surface;
};

/// A disc that faces the eye.
struct DrawnDisc {
    DrawnPoint middle;
    float radius;  // pixels
    std::uint32_t surface;
};

class DepthPicture {
public:
    static constexpr std::uint32_t nothing = 0;  // no surface

    DepthPicture(int width, int height);

    int width() const { return m_width; }
    int height() const { return m_height; }
    float nearness(int x, int y) const { return m_nearness[index(x, y)]; }
    std::uint32_t surface(int x, int y) const { return m_surface[index(x, y)]; }

    /// Of two surfaces as near as each other, the first one stays. A disc covers at least the pixel of its middle. The
    /// same picture for any number of threads.
    void draw(std::span<const DrawnTriangle> triangles);
    void draw(std::span<const DrawnDisc> discs);

    void set(int x, int y, float nearness, std::uint32_t surface)
    {
        const std::size_t i = index(x, y);
        if (!(nearness > m_nearness[i])) return;
        m_nearness[i] = nearness;
        m_surface[i] = surface;
    }

private:
    struct Rows {
        int begin, end;
    };
    std::size_t index(int x, int y) const { return static_cast<std::size_t>(y * m_width + x); }
    template <class Shape>
    void drawAll(std::span<const Shape> shapes);
    void drawIn(const Rows& rows, const DrawnTriangle& triangle);
    void drawIn(const Rows& rows, const DrawnDisc& disc);

    int m_width, m_height;
    std::vector<float> m_nearness;
    std::vector<std::uint32_t> m_surface;
};

}  // namespace firn
