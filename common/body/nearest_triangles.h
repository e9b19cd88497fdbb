#pragma once
// The triangles of a surface that are nearest to the points of a neighbourhood.

#include <optional>
#include <vector>

#include "common/body/ball_tree.h"

namespace firn {

/// A point of the surface: a triangle and the weights of its corners.
struct SurfacePoint {
    std::int32_t triangle = -1;
    Vec3f weights = Vec3f::Zero();
};

class NearestTriangles {
public:
    /// The vectors must outlive the object.
    NearestTriangles(const std::vector<Vec3d>& vertices, const std::vector<Vec3i>& triangles);

    /// Triangles that have the nearest triangle of every point in a ball among them.
    std::vector<int> around(const Vec3d& center, double radius_m) const;

    /// The same as a set to search in. It looks only at some triangles, which have to be a set for the ball themselves.
    class Set;
    Set set(const Vec3d& center, double radius_m, const std::vector<int>& among) const;

private:
    std::vector<int> near(const Vec3d& center, double radius_m, const std::vector<int>& among) const;

    const std::vector<Vec3d>& m_vertices;
    const std::vector<Vec3i>& m_triangles;
    std::vector<Ball> m_balls;       // around each triangle
    std::vector<Vec3f> m_normals;    // unit normals of the triangles
    std::vector<int> m_all;          // the numbers of all of them, if they are few
    std::optional<BallTree> m_tree;  // over many of them
};

/// For one thread.
class NearestTriangles::Set {
public:
    /// Distance (m) from a point of the ball to the nearest triangle. `nearest` becomes the nearest point of the
    /// surface; it may hold a guess, which saves time when it is good.
    double find(const Vec3d& point, SurfacePoint& nearest);

private:
    friend class NearestTriangles;
    Set(const NearestTriangles& surface, const Vec3d& center, std::vector<int> triangles);
    void findBounds(const Vec3f& point);
    float leastBound() const;  // infinite without triangles
    /// The first place from `from` on with a bound of at most `limit`; the size of m_bounds if there is none.
    Eigen::Index nextWithin(float limit, Eigen::Index from) const;

    const NearestTriangles& m_surface;
    Vec3d m_center;
    std::vector<int> m_triangles;
    // A disc around each triangle, in its plane: centre from m_center, unit normal, radius.
    Eigen::ArrayXf m_x, m_y, m_z, m_nx, m_ny, m_nz, m_radius;
    Eigen::ArrayXf m_bounds;  // squares of distances of the point from the discs; infinite ones fill the last group
    double m_rounding = 0;    // error of the distances from the discs, m
};

/// The point of a triangle that is nearest to `point`, as weights of the corners a, b and c.
Vec3d nearestWeights(const Vec3d& point, const Vec3d& a, const Vec3d& b, const Vec3d& c);

}  // namespace firn
