#include "common/body/shapes.h"

#include <algorithm>
#include <array>
#include <cassert>
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
    TriangleMesh mesh() const override { return {}; }

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
    TriangleMesh mesh() const override { return roundedBoxMesh(m_core, m_radius, m_meshSteps); }

private:
    Vec3d m_core;  // half extents of the box that the ball of m_radius is swept over
    double m_radius;
    int m_meshSteps;
};

/// Profile in the half plane (distance from the axis, y): two arcs and the segment that touches both. With the slant
/// sin a = (lower - upper) / length the segment's normal is (cos a, sin a).
class TaperedCapsule final : public Shape {
public:
    TaperedCapsule(double lower, double upper, double length)
        : m_lower(lower),
          m_upper(upper),
          m_length(length),
          m_sin((lower - upper) / length),
          m_cos(std::sqrt(1 - m_sin * m_sin))
    {
    }

    double distance(const Vec3d& local, Vec3d& gradient) const override
    {
        const double across = std::hypot(local.x(), local.z());
        const double along = local.y() + 0.5 * m_length;  // from the lower ball's centre
        const Vec3d radial = across > 0 ? Vec3d(local.x() / across, 0, local.z() / across) : Vec3d::UnitX();
        const double onSegment = along * m_cos - across * m_sin;  // along the segment, 0 at its lower end
        if (onSegment > 0 && onSegment < m_length * m_cos) {
            gradient = m_cos * radial + m_sin * Vec3d::UnitY();
            return across * m_cos + along * m_sin - m_lower;
        }
        const bool isUpper = onSegment > 0;
        const Vec3d from = across * radial + (isUpper ? along - m_length : along) * Vec3d::UnitY();
        const double length = from.norm();
        gradient = length > 0 ? Vec3d(from / length) : Vec3d((isUpper ? 1 : -1) * Vec3d::UnitY());
        return length - (isUpper ? m_upper : m_lower);
    }
    Box3d bounds() const override
    {
        const double widest = std::max(m_lower, m_upper);
        return {Vec3d(-widest, -0.5 * m_length - m_lower, -widest), Vec3d(widest, 0.5 * m_length + m_upper, widest)};
    }

    TriangleMesh mesh() const override
    {
        // A capsule whose caps meet at the segment's ends instead of at the equators.
        TriangleMesh mesh = roundedBoxMesh(Vec3d(0, 1, 0), 1, 8);
        const double slant = std::asin(m_sin);
        for (Vec3f& v : mesh.vertices) {
            const bool isUpper = v.y() > 0;
            const Vec3d onBall = v.cast<double>() - (isUpper ? 1 : -1) * Vec3d::UnitY();
            const double latitude = std::asin(std::clamp(onBall.y(), -1.0, 1.0));
            const double moved = isUpper ? slant + latitude * (0.5 * pi - slant) / (0.5 * pi)
                                         : slant + latitude * (0.5 * pi + slant) / (0.5 * pi);
            const double across = std::hypot(onBall.x(), onBall.z());
            const Vec3d radial = across > 1e-9 ? Vec3d(onBall.x() / across, 0, onBall.z() / across) : Vec3d::Zero();
            const double radius = isUpper ? m_upper : m_lower;
            v = Vec3d(radius * (std::cos(moved) * radial + std::sin(moved) * Vec3d::UnitY()) +
                      (isUpper ? 0.5 : -0.5) * m_length * Vec3d::UnitY())
                    .cast<float>();
        }
        return mesh;
    }

private:
    double m_lower, m_upper, m_length;
    double m_sin, m_cos;
};

}  // namespace

std::shared_ptr<const Shape> makePlane(const Vec3d& normal)
{
    assert(normal.norm() > 0);
    return std::make_shared<Plane>(normal);
}

std::shared_ptr<const Shape> makeBox(const Vec3d& size, double rounding_m)
{
    assert(rounding_m >= 0 && rounding_m <= 0.5 * size.minCoeff());
    return std::make_shared<RoundedBox>(0.5 * size - Vec3d::Constant(rounding_m), rounding_m, rounding_m > 0 ? 6 : 0);
}

std::shared_ptr<const Shape> makeSphere(double radius_m)
{
    assert(radius_m > 0);
    return std::make_shared<RoundedBox>(Vec3d::Zero(), radius_m, 20);
}

std::shared_ptr<const Shape> makeCapsule(double radius_m, double length_m)
{
    return std::make_shared<RoundedBox>(Vec3d(0, 0.5 * length_m, 0), radius_m, 8);
}

std::shared_ptr<const Shape> makeTaperedCapsule(double lower_m, double upper_m, double length_m)
{
    if (lower_m == upper_m) return makeCapsule(lower_m, length_m);
    assert(std::abs(lower_m - upper_m) < length_m);
    return std::make_shared<TaperedCapsule>(lower_m, upper_m, length_m);
}

}  // namespace firn
