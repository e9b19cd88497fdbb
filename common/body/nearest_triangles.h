#pragma once
// The triangle of a surface that is nearest to a point.

#include <vector>

#include "common/math.h"

namespace firn {

class NearestTriangles {
public:
    /// Estimates of points of the surface may be up to `reach_m` away from it. The vectors must outlive the object.
    NearestTriangles(const std::vector<Vec3d>& vertices, const std::vector<Vec3i>& triangles, double reach_m);

    /// The triangle nearest to `point`, of those near `onSurface`, an estimate of the nearest point of the surface, and
    /// of `guess`; -1 if there is none. `weights` become those of its corners at the nearest point. A guess of -1 is
    /// none; a good one saves time.
    int find(const Vec3d& point, const Vec3d& onSurface, int guess, Vec3d& weights) const;

private:
    Vec3i cellOf(const Vec3d& point) const;
    std::size_t indexOf(const Vec3i& cell) const;

    const std::vector<Vec3d>& m_vertices;
    const std::vector<Vec3i>& m_triangles;
    struct Ball {
        Vec3d center;
        double radius;
    };
    std::vector<Ball> m_balls;  // around each triangle
    Vec3d m_origin = Vec3d::Zero();
    double m_cell_m = 1;
    Vec3i m_cells = Vec3i::Ones();     // per axis
    std::vector<int> m_first, m_list;  // of cell c, the triangles m_list[m_first[c]] .. m_list[m_first[c + 1] - 1]
};

/// The point of a triangle that is nearest to `point`, as weights of the corners a, b and c.
Vec3d nearestWeights(const Vec3d& point, const Vec3d& a, const Vec3d& b, const Vec3d& c);

}  // namespace firn
