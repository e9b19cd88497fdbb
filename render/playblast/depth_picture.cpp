#include "render/playblast/depth_picture.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>

namespace firn {
namespace {

/// The first pixel whose centre is at or after a coordinate, within [least, most].
int pixelFrom(float coordinate, int least, int most)
{
    const float pixel = std::ceil(coordinate - 0.5f);
    return pixel <= static_cast<float>(least)  ? least
           : pixel >= static_cast<float>(most) ? most
                                               : static_cast<int>(pixel);
}

}  // namespace

DepthPicture::DepthPicture(int width, int height)
    : m_width(width),
      m_height(height),
      m_nearness(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), 0),
      m_surface(m_nearness.size(), nothing)
{
}

template <class Shape>
void DepthPicture::drawAll(std::span<const Shape> shapes)
{
    // Each thread has rows of its own and goes over all shapes.
    const int parts = std::max(1, tbb::this_task_arena::max_concurrency());
    tbb::parallel_for(0, parts, [&](int part) {
        const Rows rows{m_height * part / parts, m_height * (part + 1) / parts};
        for (const Shape& shape : shapes) drawIn(rows, shape);
    });
}

void DepthPicture::draw(std::span<const DrawnTriangle> triangles) { drawAll(triangles); }

void DepthPicture::draw(std::span<const DrawnDisc> discs) { drawAll(discs); }

void DepthPicture::drawIn(const Rows& rows, const DrawnTriangle& triangle)
{
    const auto& [a, b, c] = triangle.corners;
    const float top = std::min({a.y, b.y, c.y}), bottom = std::max({a.y, b.y, c.y});
    if (bottom < static_cast<float>(rows.begin) || top > static_cast<float>(rows.end)) return;
    const float area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
    if (!(std::abs(area) > 1e-12f)) return;
    const int x0 = pixelFrom(std::min({a.x, b.x, c.x}), 0, m_width),
              x1 = pixelFrom(std::max({a.x, b.x, c.x}), 0, m_width), y0 = pixelFrom(top, rows.begin, rows.end),
              y1 = pixelFrom(bottom, rows.begin, rows.end);
    const float inverse = 1 / area;
    for (int y = y0; y < y1; ++y) {
        for (int x = x0; x < x1; ++x) {
            const float px = static_cast<float>(x) + 0.5f, py = static_cast<float>(y) + 0.5f;
            const float u = ((px - a.x) * (c.y - a.y) - (c.x - a.x) * (py - a.y)) * inverse,
                        v = ((b.x - a.x) * (py - a.y) - (px - a.x) * (b.y - a.y)) * inverse;
            if (u < 0 || v < 0 || u + v > 1) continue;
            set(x, y, a.nearness + u * (b.nearness - a.nearness) + v * (c.nearness - a.nearness), triangle.surface);
        }
    }
}

void DepthPicture::drawIn(const Rows& rows, const DrawnDisc& disc)
{
    const DrawnPoint& p = disc.middle;
    if (p.y + disc.radius < static_cast<float>(rows.begin) || p.y - disc.radius > static_cast<float>(rows.end)) return;
    const int middleX = static_cast<int>(std::floor(p.x)), middleY = static_cast<int>(std::floor(p.y));
    if (disc.radius < 0.71f) {  // a pixel
        if (middleX >= 0 && middleX < m_width && middleY >= rows.begin && middleY < rows.end)
            set(middleX, middleY, p.nearness, disc.surface);
        return;
    }
    const int y0 = pixelFrom(p.y - disc.radius, rows.begin, rows.end),
              y1 = pixelFrom(p.y + disc.radius, rows.begin, rows.end);
    for (int y = y0; y < y1; ++y) {
        const float dy = static_cast<float>(y) + 0.5f - p.y;
        const float half = std::sqrt(std::max(0.0f, disc.radius * disc.radius - dy * dy));
        const int x1 = pixelFrom(p.x + half, 0, m_width);
        for (int x = pixelFrom(p.x - half, 0, m_width); x < x1; ++x) set(x, y, p.nearness, disc.surface);
    }
}

}  // namespace firn
