#include "common/body/nearest_triangles.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace firn {

namespace {

constexpr int groupSize = 16;  // bounds that are compared at a time

/// The share of the way from p to q of the point of this edge that is nearest to a point.
double nearestShare(const Vec3d& point, const Vec3d& p, const Vec3d& q)
{
    const Vec3d edge = q - p;
    const double along = (point - p).dot(edge), length2 = edge.squaredNorm();
    if (!(along > 0)) return 0;
    return along < length2 ? along / length2 : 1;
}

}  // namespace

/// In the plane of the triangle the nearest point is the point itself, or on an edge that has it on its outer side.
Vec3d nearestWeights(const Vec3d& point, const Vec3d& a, const Vec3d& b, const Vec3d& c)
{
    const Vec3d ab = b - a, ac = c - a, ap = point - a, normal = ab.cross(ac);
    const double area = normal.squaredNorm();
    Vec3d w = Vec3d::Constant(-1);
    if (area > 0) {
        const double wb = ap.cross(ac).dot(normal) / area, wc = ab.cross(ap).dot(normal) / area;
        w = {1 - wb - wc, wb, wc};
        if (w.minCoeff() >= 0) return w;
    }
    const Vec3d* const corners[3] = {&a, &b, &c};
    Vec3d best = Vec3d::UnitX();
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k < 3; ++k) {
        if (w[k] >= 0) continue;
        const int p = (k + 1) % 3, q = (k + 2) % 3;
        const double share = nearestShare(point, *corners[p], *corners[q]);
        const Vec3d at = *corners[p] + share * (*corners[q] - *corners[p]);
        const double distance2 = (at - point).squaredNorm();
        if (!(distance2 < least)) continue;
        least = distance2;
        best = Vec3d::Zero();
        best[p] = 1 - share;
        best[q] = share;
    }
    return best;
}

NearestTriangles::NearestTriangles(const std::vector<Vec3d>& vertices, const std::vector<Vec3i>& triangles)
    : m_vertices(vertices), m_triangles(triangles)
{
    m_balls.reserve(triangles.size());
    m_normals.reserve(triangles.size());
    for (const Vec3i& t : triangles) {
        const Vec3d center = (vertices[t[0]] + vertices[t[1]] + vertices[t[2]]) / 3;
        double radius = 0;
        for (int c = 0; c < 3; ++c) radius = std::max(radius, (vertices[t[c]] - center).norm());
        m_balls.push_back({center, radius});
        const Vec3d& a = vertices[t[0]];
        m_normals.push_back((vertices[t[1]] - a).cross(vertices[t[2]] - a).stableNormalized().cast<float>());
    }
    constexpr std::size_t many = 10000;
    if (m_balls.size() > many) {
        m_tree.emplace(m_balls);
    } else {
        m_all.resize(m_balls.size());
        std::iota(m_all.begin(), m_all.end(), 0);
    }
}

/// The centre of a triangle's ball is a point of the triangle. So no point of the neighbourhood is farther from the
/// surface than its radius and the distance between its centre and the nearest of the balls' centres.
std::vector<int> NearestTriangles::near(const Vec3d& center, double radius_m, const std::vector<int>& among) const
{
    double nearest = std::numeric_limits<double>::infinity();
    for (const int t : among) nearest = std::min(nearest, (center - m_balls[t].center).squaredNorm());
    const double limit = std::sqrt(nearest) + 2 * radius_m;
    std::vector<int> result;
    for (const int t : among) {
        const double reach = limit + m_balls[t].radius;
        if ((center - m_balls[t].center).squaredNorm() <= reach * reach) result.push_back(t);
    }
    return result;
}

std::vector<int> NearestTriangles::around(const Vec3d& center, double radius_m) const
{
    if (m_tree)
        return m_tree->within(m_balls, center, std::sqrt(m_tree->nearestCenter2(m_balls, center)) + 2 * radius_m);
    return near(center, radius_m, m_all);
}

NearestTriangles::Set NearestTriangles::set(const Vec3d& center, double radius_m, const std::vector<int>& among) const
{
    return {*this, center, near(center, radius_m, among)};
}

NearestTriangles::Set::Set(const NearestTriangles& surface, const Vec3d& center, std::vector<int> triangles)
    : m_surface(surface), m_center(center), m_triangles(std::move(triangles))
{
    const auto count = static_cast<Eigen::Index>(m_triangles.size());
    for (Eigen::ArrayXf* a : {&m_x, &m_y, &m_z, &m_nx, &m_ny, &m_nz, &m_radius}) a->resize(count);
    m_bounds.setConstant((count + groupSize - 1) / groupSize * groupSize, std::numeric_limits<float>::infinity());
    constexpr double rounding = 1e-5;
    for (Eigen::Index k = 0; k < count; ++k) {
        const Ball& ball = surface.m_balls[m_triangles[k]];
        const Vec3f& normal = surface.m_normals[m_triangles[k]];
        const Vec3d at = ball.center - center;
        const Vec3f place = at.cast<float>();
        m_x[k] = place.x(), m_y[k] = place.y(), m_z[k] = place.z();
        m_nx[k] = normal.x(), m_ny[k] = normal.y(), m_nz[k] = normal.z();
        m_radius[k] = static_cast<float>(ball.radius);
        m_rounding = std::max(m_rounding, rounding * (at.norm() + ball.radius));
    }
}

/// No point of a triangle is nearer than the nearest point of its disc.
void NearestTriangles::Set::findBounds(const Vec3f& point)
{
    const float px = point.x(), py = point.y(), pz = point.z();
    const float *cx = m_x.data(), *cy = m_y.data(), *cz = m_z.data(), *radius = m_radius.data();
    const float *nx = m_nx.data(), *ny = m_ny.data(), *nz = m_nz.data();
    float* __restrict bounds = m_bounds.data();
    const auto count = static_cast<Eigen::Index>(m_triangles.size());
    for (Eigen::Index k = 0; k < count; ++k) {
        const float x = px - cx[k], y = py - cy[k], z = pz - cz[k];
        const float above = x * nx[k] + y * ny[k] + z * nz[k];
        const float beside2 = x * x + y * y + z * z - above * above;
        const float beside = std::sqrt(beside2 > 0 ? beside2 : 0) - radius[k];
        const float outside = beside > 0 ? beside : 0;
        bounds[k] = above * above + outside * outside;
    }
}

float NearestTriangles::Set::leastBound() const
{
    // In groups, because GCC 12 warns of the whole array's minCoeff() with AVX-512 (its bug 105593).
    float least = std::numeric_limits<float>::infinity();
    for (Eigen::Index k = 0; k < m_bounds.size(); k += groupSize)
        least = std::min(least, m_bounds.segment<groupSize>(k).minCoeff());
    return least;
}

Eigen::Index NearestTriangles::Set::nextWithin(float limit, Eigen::Index from) const
{
    const Eigen::Index end = m_bounds.size();
    Eigen::Index k = from;
    while (k < end) {
        if (k % groupSize == 0 && m_bounds.segment<groupSize>(k).minCoeff() > limit) {
            k += groupSize;
        } else {
            if (m_bounds[k] <= limit) return k;
            ++k;
        }
    }
    return end;
}

double NearestTriangles::Set::find(const Vec3d& point, SurfacePoint& nearest)
{
    double least = std::numeric_limits<double>::infinity();  // m
    const auto consider = [&](int triangle) {
        const Vec3i& t = m_surface.m_triangles[triangle];
        const std::vector<Vec3d>& v = m_surface.m_vertices;
        const Vec3d w = nearestWeights(point, v[t[0]], v[t[1]], v[t[2]]);
        const double d = (w[0] * v[t[0]] + w[1] * v[t[1]] + w[2] * v[t[2]] - point).norm();
        if (!(d < least)) return;
        least = d;
        nearest = {triangle, w.cast<float>()};
    };
    const auto limit = [&] { return static_cast<float>((least + m_rounding) * (least + m_rounding)); };
    if (nearest.triangle >= 0) consider(nearest.triangle);
    findBounds((point - m_center).cast<float>());
    const auto count = static_cast<Eigen::Index>(m_triangles.size());
    if (count == 0) return least;
    const Eigen::Index first = nextWithin(leastBound(), 0);
    if (first < count && m_triangles[first] != nearest.triangle) consider(m_triangles[first]);
    for (Eigen::Index k = nextWithin(limit(), 0); k < count; k = nextWithin(limit(), k + 1)) consider(m_triangles[k]);
    return least;
}

}  // namespace firn
