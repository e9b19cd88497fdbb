#include "common/snow/point_tile.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <mutex>

#include "common/snow/noise.h"

namespace firn {

namespace {

constexpr int tileSeed = 0;

/// A point's first node along an axis, its weights and their derivatives (cubic B-spline).
struct TileKernel {
    std::size_t first;
    std::array<float, 4> weight, slope;

    explicit TileKernel(float x)
    {
        const float base = std::floor(x), f = x - base, g = 1 - f;
        first = static_cast<std::size_t>(base);
        weight = {g * g * g / 6, (4 - 6 * f * f + 3 * f * f * f) / 6, (4 - 6 * g * g + 3 * g * g * g) / 6,
                  f * f * f / 6};
        slope = {-g * g / 2, (3 * f * f - 4 * f) / 2, (4 * g - 3 * g * g) / 2, f * f / 2};
    }
};

/// Density of points on a periodic grid of nodes^3; `mass` is that of a point. Coordinates are in nodes, from 0 to
/// nodes + 1. Along z, nodes stand twice where the period ends, so that a kernel's nodes are neighbours in memory.
class Density {
public:
    Density(int nodes, float mass) : m_mass(mass), m_nodes(static_cast<std::size_t>(nodes))
    {
        for (std::size_t at = 0; at < m_nodes + overlap; ++at) m_wrapped.push_back(at % m_nodes);
        m_value.resize(m_nodes * m_nodes * (m_nodes + overlap));
    }

    /// Replaces the density by that of these points.
    void measure(const std::vector<Vec3f>& points)
    {
        std::fill(m_value.begin(), m_value.end(), 0.f);
        for (const Vec3f& point : points) add(point);
        for (float* row = m_value.data(); row != m_value.data() + m_value.size(); row += m_nodes + overlap)
            for (std::size_t k = 0; k < overlap; ++k) row[k] = row[k + m_nodes] += row[k];
    }

    Vec3f gradient(const Vec3f& point) const
    {
        const TileKernel x(point.x()), y(point.y()), z(point.z());
        Vec3f sum = Vec3f::Zero();
        for (std::size_t i = 0; i < 4; ++i)
            for (std::size_t j = 0; j < 4; ++j) {
                const float* row = m_value.data() + entry(x.first + i, y.first + j, z.first);
                float value = 0, slope = 0;
                for (std::size_t k = 0; k < 4; ++k) {
                    value += row[k] * z.weight[k];
                    slope += row[k] * z.slope[k];
                }
                sum += Vec3f(x.slope[i] * y.weight[j] * value, x.weight[i] * y.slope[j] * value,
                             x.weight[i] * y.weight[j] * slope);
            }
        return sum;
    }

private:
    static constexpr std::size_t overlap = 5;

    void add(const Vec3f& point)
    {
        const TileKernel x(point.x()), y(point.y()), z(point.z());
        for (std::size_t i = 0; i < 4; ++i)
            for (std::size_t j = 0; j < 4; ++j) {
                float* row = m_value.data() + entry(x.first + i, y.first + j, z.first);
                const float weight = m_mass * x.weight[i] * y.weight[j];
                for (std::size_t k = 0; k < 4; ++k) row[k] += weight * z.weight[k];
            }
    }

    std::size_t entry(std::size_t i, std::size_t j, std::size_t k) const
    {
        return (m_wrapped[i] * m_nodes + m_wrapped[j]) * (m_nodes + overlap) + k;
    }

    float m_mass;
    std::size_t m_nodes;
    std::vector<std::size_t> m_wrapped;  // node to its place on the grid
    std::vector<float> m_value;
};

/// A uniformly random point of a cell.
Vec3f uniformIn(const Vec3i& cell, int point)
{
    const auto coordinate = [&](int axis) { return static_cast<float>(uniformAt(tileSeed, cell, 3 * point + axis)); };
    return {coordinate(0), coordinate(1), coordinate(2)};
}

/// A coordinate that left its cell, mirrored at the face. Never on a face, so it is clear whose point it is.
float mirrored(float x)
{
    constexpr float least = 1e-6f;
    return std::clamp(x < 0 ? -x : x > 1 ? 2 - x : x, least, 1 - least);
}

Vec3i cellAt(std::size_t index)
{
    constexpr int edge = PointTile::edge;
    const int i = static_cast<int>(index);
    return {i / edge / edge, i / edge % edge, i % edge};
}

}  // namespace

PointTile::PointTile(int perCell) : m_perCell(perCell)
{
    constexpr std::size_t cells = std::size_t{edge} * edge * edge;
    m_points.reserve(cells * static_cast<std::size_t>(perCell));
    for (std::size_t c = 0; c < cells; ++c)
        for (int i = 0; i < perCell; ++i) m_points.push_back(uniformIn(cellAt(c), i));
    relax();
}

const Vec3f* PointTile::points(const Vec3i& cell) const
{
    const auto wrapped = [](int i) { return i & (edge - 1); };
    const int index = (wrapped(cell.x()) * edge + wrapped(cell.y())) * edge + wrapped(cell.z());
    return m_points.data() + static_cast<std::size_t>(index) * static_cast<std::size_t>(m_perCell);
}

void PointTile::relax()
{
    constexpr int steps = 24;
    constexpr float nodesPerSpacing = 1.25f, rate = 1.2f;
    const int nodes = static_cast<int>(std::lround(nodesPerSpacing * edge * std::cbrt(m_perCell)));
    const float scale = static_cast<float>(nodes) / edge;
    const float mass = scale * scale * scale / static_cast<float>(m_perCell);
    Density density(nodes, mass);
    std::vector<Vec3f> at(m_points.size());
    for (int step = 0; step < steps; ++step) {
        const Vec3f shift = uniformIn(Vec3i(0, 0, -1), step);  // each step has its own place of the nodes
        for (std::size_t p = 0; p < at.size(); ++p)
            at[p] = scale * (cellAt(p / static_cast<std::size_t>(m_perCell)).cast<float>() + m_points[p]) + shift;
        density.measure(at);
        tbb::parallel_for(std::size_t{0}, at.size(), [&](std::size_t p) {
            const Vec3f moved = m_points[p] - rate / (mass * scale) * density.gradient(at[p]);
            m_points[p] = moved.unaryExpr(&mirrored);
        });
    }
}

const PointTile& pointTile(int perCell)
{
    static std::mutex mutex;
    static std::map<int, const PointTile> tiles;
    const std::lock_guard lock(mutex);
    return tiles.try_emplace(perCell, perCell).first->second;
}

Vec3i tileOffset(int seed)
{
    const auto cells = [&](int n) { return static_cast<int>(uniformAt(seed, Vec3i::Zero(), n) * PointTile::edge); };
    return {cells(0), cells(1), cells(2)};
}

}  // namespace firn
