#include "common/body/nearest_triangles.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace firn {

namespace {

constexpr double maxCells = 1 << 24;

double clampedShare(double numerator, double denominator)
{
    return denominator > 0 ? std::clamp(numerator / denominator, 0.0, 1.0) : 0;
}

}  // namespace

Vec3d nearestWeights(const Vec3d& point, const Vec3d& a, const Vec3d& b, const Vec3d& c)
{
    const Vec3d ab = b - a, ac = c - a, ap = point - a, normal = ab.cross(ac);
    const double area = normal.squaredNorm();
    if (area > 0) {
        const double wb = ap.cross(ac).dot(normal) / area, wc = ab.cross(ap).dot(normal) / area;
        if (wb >= 0 && wc >= 0 && wb + wc <= 1) return {1 - wb - wc, wb, wc};
    }
    // The nearest point is on an edge.
    const double sab = clampedShare(ap.dot(ab), ab.squaredNorm()), sac = clampedShare(ap.dot(ac), ac.squaredNorm());
    const double sbc = clampedShare((point - b).dot(c - b), (c - b).squaredNorm());
    const Vec3d onEdges[3] = {{1 - sab, sab, 0}, {1 - sac, 0, sac}, {0, 1 - sbc, sbc}};
    Vec3d best = onEdges[0];
    double least = std::numeric_limits<double>::infinity();
    for (const Vec3d& w : onEdges)
        if (const double d = (w[0] * a + w[1] * b + w[2] * c - point).squaredNorm(); d < least) {
            least = d;
            best = w;
        }
    return best;
}

NearestTriangles::NearestTriangles(const std::vector<Vec3d>& vertices, const std::vector<Vec3i>& triangles,
                                   double reach_m)
    : m_vertices(vertices), m_triangles(triangles)
{
    Box3d box;
    double edges = 0;
    for (const Vec3i& t : triangles) {
        const Vec3d center = (vertices[t[0]] + vertices[t[1]] + vertices[t[2]]) / 3;
        double radius = 0;
        for (int c = 0; c < 3; ++c) {
            box.extend(vertices[t[c]]);
            radius = std::max(radius, (vertices[t[c]] - center).norm());
        }
        m_balls.push_back({center, radius});
        edges += (vertices[t[0]] - vertices[t[1]]).norm() / static_cast<double>(triangles.size());
    }
    if (triangles.empty()) box.extend(Vec3d::Zero());
    m_origin = box.min() - Vec3d::Constant(reach_m);
    const Vec3d size = box.sizes() + Vec3d::Constant(2 * reach_m);
    m_cell_m = std::max({2 * reach_m, edges, std::cbrt(size.prod() / maxCells)});
    m_cells = (size / m_cell_m).cast<int>() + Vec3i::Ones();

    // Counting sort of the cells that each triangle's bounds reach.
    m_first.assign(static_cast<std::size_t>(m_cells.prod()) + 1, 0);
    const auto forEachCell = [&](const Vec3i& t, auto&& f) {
        Box3d bounds;
        for (int c = 0; c < 3; ++c) bounds.extend(vertices[t[c]]);
        const Vec3i low = cellOf(bounds.min() - Vec3d::Constant(reach_m));
        const Vec3i high = cellOf(bounds.max() + Vec3d::Constant(reach_m));
        for (int z = low.z(); z <= high.z(); ++z)
            for (int y = low.y(); y <= high.y(); ++y)
                for (int x = low.x(); x <= high.x(); ++x) f(indexOf({x, y, z}));
    };
    for (const Vec3i& t : triangles) forEachCell(t, [&](std::size_t cell) { ++m_first[cell + 1]; });
    for (std::size_t c = 1; c < m_first.size(); ++c) m_first[c] += m_first[c - 1];
    m_list.resize(static_cast<std::size_t>(m_first.back()));
    std::vector<int> next(m_first.begin(), m_first.end() - 1);
    for (int t = 0; t < static_cast<int>(triangles.size()); ++t)
        forEachCell(triangles[t], [&](std::size_t cell) { m_list[next[cell]++] = t; });
}

Vec3i NearestTriangles::cellOf(const Vec3d& point) const
{
    const Vec3i cell = ((point - m_origin) / m_cell_m).array().floor().cast<int>();
    return cell.cwiseMax(0).cwiseMin(m_cells - Vec3i::Ones());
}

std::size_t NearestTriangles::indexOf(const Vec3i& cell) const
{
    return cell.x() +
           static_cast<std::size_t>(m_cells.x()) * (cell.y() + static_cast<std::size_t>(m_cells.y()) * cell.z());
}

int NearestTriangles::find(const Vec3d& point, const Vec3d& onSurface, int guess, Vec3d& weights) const
{
    const std::size_t cell = indexOf(cellOf(onSurface));
    int nearest = -1;
    double least = std::numeric_limits<double>::infinity();  // m
    const auto consider = [&](int triangle) {
        const Ball& ball = m_balls[triangle];
        const double limit = least + ball.radius;
        if ((point - ball.center).squaredNorm() > limit * limit) return;
        const Vec3i& t = m_triangles[triangle];
        const Vec3d &a = m_vertices[t[0]], &b = m_vertices[t[1]], &c = m_vertices[t[2]];
        const Vec3d w = nearestWeights(point, a, b, c);
        const double d = (w[0] * a + w[1] * b + w[2] * c - point).norm();
        if (!(d < least)) return;
        least = d;
        nearest = triangle;
        weights = w;
    };
    if (guess >= 0) consider(guess);
    for (int k = m_first[cell]; k < m_first[cell + 1]; ++k) consider(m_list[k]);
    return m_first[cell] == m_first[cell + 1] ? -1 : nearest;
}

}  // namespace firn
