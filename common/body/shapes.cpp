#include "common/body/shapes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

namespace firn {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

class Plane final : public Shape {
public:
    explicit Plane(const Vec3d& normal) : m_normal(normal.normalized()) {}

    double distance(const Vec3d& local, Vec3d& gradient) const override
    {
        gradient = m_normal;
        return m_normal.dot(local);
    }
    Box3d bounds() const override { return {Vec3d::Constant(-infinity), Vec3d::Constant(infinity)}; }
    double reach() const override { return infinity; }

    TriangleMesh mesh() const override
    {
        const Vec3d u = m_normal.unitOrthogonal() * (0.5 * planeMeshSize_m);
        const Vec3d v = m_normal.cross(u);
        TriangleMesh quad;
        for (const Vec3d& corner : {Vec3d(-u - v), Vec3d(u - v), Vec3d(u + v), Vec3d(v - u)})
            quad.vertices.push_back(corner.cast<float>());
        quad.triangles = {Vec3i(0, 1, 2), Vec3i(0, 2, 3)};
        return quad;
    }

private:
    Vec3d m_normal;
};

/// One lattice coordinate of a rounded box's surface: which way its normal leans, and how far the core is shifted.
struct Station {
    double lean;
    double shift;
};

/// `k` steps of lean per quarter turn; an axis along which the core has an extent gets its middle station twice.
std::vector<Station> stationsAlong(double half, int k)
{
    std::vector<Station> stations;
    const auto add = [&](int i, double shift) {
        stations.push_back({k == 0 ? 0.0 : std::tan(0.25 * pi * i / k), shift});
    };
    if (half > 0 || k == 0) {
        for (int i = -k; i <= 0; ++i) add(i, -half);
        for (int i = 0; i <= k; ++i) add(i, half);
    } else {
        for (int i = -k; i <= k; ++i) add(i, 0);
    }
    return stations;
}

/// Surface of the Minkowski sum of a box (half extents `half`, may be zero) and a ball: spheres and capsules included.
TriangleMesh roundedBoxMesh(const Vec3d& half, double radius, int k)
{
    const std::array<std::vector<Station>, 3> stations = {stationsAlong(half[0], k), stationsAlong(half[1], k),
                                                          stationsAlong(half[2], k)};
    TriangleMesh mesh;
    std::map<std::array<int, 3>, int> known;
    const auto vertex = [&](const std::array<int, 3>& at) {
        const auto [entry, isNew] = known.try_emplace(at, static_cast<int>(mesh.vertices.size()));
        if (isNew) {
            Vec3d lean, shift;
            for (int a = 0; a < 3; ++a) {
                lean[a] = stations[a][at[a]].lean;
                shift[a] = stations[a][at[a]].shift;
            }
            mesh.vertices.push_back((shift + radius * lean.stableNormalized()).cast<float>());
        }
        return entry->second;
    };
    for (int axis = 0; axis < 3; ++axis) {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        for (const bool upper : {false, true})
            for (int i = 0; i + 1 < static_cast<int>(stations[u].size()); ++i)
                for (int j = 0; j + 1 < static_cast<int>(stations[v].size()); ++j) {
                    const auto corner = [&](int di, int dj) {
                        std::array<int, 3> at{};
                        at[axis] = upper ? static_cast<int>(stations[axis].size()) - 1 : 0;
                        at[u] = i + di;
                        at[v] = j + dj;
                        return vertex(at);
                    };
                    const int a = corner(0, 0), b = corner(1, 0), c = corner(1, 1), d = corner(0, 1);
                    mesh.triangles.push_back(upper ? Vec3i(a, b, c) : Vec3i(a, c, b));
                    mesh.triangles.push_back(upper ? Vec3i(a, c, d) : Vec3i(a, d, c));
                }
    }
    return mesh;
}

class RoundedBox final : public Shape {
public:
    RoundedBox(const Vec3d& core, double radius, int meshSteps) : m_core(core), m_radius(radius), m_meshSteps(meshSteps)
    {
    }

    double distance(const Vec3d& local, Vec3d& gradient) const override
    {
        const Vec3d q = local.cwiseAbs() - m_core;
        const Vec3d out = q.cwiseMax(0.0);
        const double length = out.norm();
        if (length > 0) {
            gradient = out / length;
            for (int a = 0; a < 3; ++a) gradient[a] = std::copysign(gradient[a], local[a]);
            return length - m_radius;
        }
        int axis = 0;
        const double depth = q.maxCoeff(&axis);
        gradient = Vec3d::Zero();
        gradient[axis] = local[axis] < 0 ? -1 : 1;
        return depth - m_radius;
    }
    Box3d bounds() const override
    {
        const Vec3d half = m_core + Vec3d::Constant(m_radius);
        return {-half, half};
    }
    double reach() const override { return infinity; }
    TriangleMesh mesh() const override { return roundedBoxMesh(m_core, m_radius, m_meshSteps); }

private:
    Vec3d m_core;  // half extents of the box that the ball of m_radius is swept over
    double m_radius;
    int m_meshSteps;
};

}  // namespace

std::shared_ptr<const Shape> makePlane(const Vec3d& normal) { return std::make_shared<Plane>(normal); }

std::shared_ptr<const Shape> makeBox(const Vec3d& size, double rounding_m)
{
    const double radius = std::clamp(rounding_m, 0.0, 0.5 * size.minCoeff());
    return std::make_shared<RoundedBox>(0.5 * size - Vec3d::Constant(radius), radius, radius > 0 ? 6 : 0);
}

std::shared_ptr<const Shape> makeSphere(double radius_m)
{
    return std::make_shared<RoundedBox>(Vec3d::Zero(), radius_m, 20);
}

std::shared_ptr<const Shape> makeCapsule(double radius_m, double length_m)
{
    return std::make_shared<RoundedBox>(Vec3d(0, 0.5 * length_m, 0), radius_m, 8);
}

}  // namespace firn
