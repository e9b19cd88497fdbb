#include "common/body/winding_rows.h"

#include <algorithm>
#include <cmath>

namespace firn {

namespace {

/// Where an edge meets the plane of a row's z: computed from the lower vertex, so that it is the same for both
/// triangles of the edge.
Eigen::Vector2d pointOfEdge(const Vec3d& p, const Vec3d& q, double z)
{
    const Vec3d &low = p.z() < q.z() ? p : q, &high = p.z() < q.z() ? q : p;
    const double share = (z - low.z()) / (high.z() - low.z());
    return {low.x() + share * (high.x() - low.x()), low.y() + share * (high.y() - low.y())};
}

/// The first integer that is not below a number, and not below 0.
int firstFrom(double number) { return static_cast<int>(std::max(0.0, std::ceil(number))); }

/// Calls f(y, z, x, winds) for each row that a triangle crosses; its corners are in voxels. An edge crosses the planes
/// with low < z <= high, and a segment in such a plane the rows with low < y <= high.
template <class F>
void forEachCrossing(const Vec3d (&corners)[3], const Eigen::Vector2i& rows, F&& f)
{
    const double lowest = std::min({corners[0].z(), corners[1].z(), corners[2].z()});
    const double highest = std::max({corners[0].z(), corners[1].z(), corners[2].z()});
    for (int z = firstFrom(lowest); z <= highest && z < rows.y(); ++z) {
        Eigen::Vector2d rising, falling;  // points of the edges that rise through the plane and that fall through it
        int found = 0;
        for (int c = 0; c < 3; ++c) {
            const Vec3d &p = corners[c], &q = corners[(c + 1) % 3];
            if ((p.z() < z) == (q.z() < z)) continue;
            (p.z() < z ? rising : falling) = pointOfEdge(p, q, z);
            ++found;
        }
        if (found != 2) continue;
        const Eigen::Vector2d &low = rising.y() < falling.y() ? rising : falling,
                              &high = rising.y() < falling.y() ? falling : rising;
        const int winds = rising.y() < falling.y() ? 1 : -1;
        for (int y = firstFrom(low.y()); y <= high.y() && y < rows.x(); ++y) {
            if (!(low.y() < y)) continue;
            const double share = (y - low.y()) / (high.y() - low.y());
            f(y, z, low.x() + share * (high.x() - low.x()), winds);
        }
    }
}

}  // namespace

WindingRows::WindingRows(const std::vector<Vec3d>& vertices, const std::vector<Vec3i>& triangles,
                         const BrickLattice& lattice)
    : m_lattice(lattice),
      m_rows(lattice.bricks.y() * BrickLattice::brickCells + 1, lattice.bricks.z() * BrickLattice::brickCells + 1)
{
    const auto forEach = [&](auto&& f) {
        for (const Vec3i& t : triangles) {
            Vec3d corners[3];
            for (int c = 0; c < 3; ++c) corners[c] = (vertices[t[c]] - lattice.origin) / lattice.voxel_m;
            forEachCrossing(corners, m_rows, f);
        }
    };
    m_first.assign(rowOf(0, m_rows.y()) + 1, 0);
    forEach([&](int y, int z, double, int) { ++m_first[rowOf(y, z) + 1]; });
    for (std::size_t r = 1; r < m_first.size(); ++r) m_first[r] += m_first[r - 1];
    m_crossings.resize(m_first.back());
    std::vector<std::size_t> next(m_first.begin(), m_first.end() - 1);
    forEach([&](int y, int z, double x, int winds) { m_crossings[next[rowOf(y, z)]++] = {x, winds}; });
    for (std::size_t r = 0; r + 1 < m_first.size(); ++r)
        std::sort(m_crossings.begin() + static_cast<std::ptrdiff_t>(m_first[r]),
                  m_crossings.begin() + static_cast<std::ptrdiff_t>(m_first[r + 1]),
                  [](const Crossing& a, const Crossing& b) { return a.x < b.x; });
}

bool WindingRows::isInside(const Vec3i& node) const
{
    const std::size_t row = rowOf(node.y(), node.z());
    int winding = 0;
    for (std::size_t c = m_first[row]; c < m_first[row + 1] && m_crossings[c].x < node.x(); ++c)
        winding += m_crossings[c].winds;
    return winding != 0;
}

double WindingRows::volumeInside_m3() const
{
    double nodes = 0;
    for (std::size_t r = 0; r + 1 < m_first.size(); ++r) {
        int winding = 0;
        for (std::size_t c = m_first[r]; c < m_first[r + 1]; winding += m_crossings[c++].winds)
            if (winding != 0) nodes += std::floor(m_crossings[c].x) - std::floor(m_crossings[c - 1].x);
    }
    return nodes * std::pow(m_lattice.voxel_m, 3);
}

}  // namespace firn
