#include "common/body/keyed_interval.h"

#include <algorithm>
#include <cmath>

namespace firn {

namespace {

/// Central difference; the animation is smooth over this time, or has a kink that the difference averages.
std::vector<Vec3d> velocitiesAt(const DeformingSurface& surface, double time_s)
{
    constexpr double step_s = 1e-4;
    std::vector<Vec3d> before, after;
    surface.positions(time_s - step_s, before);
    surface.positions(time_s + step_s, after);
    for (std::size_t v = 0; v < after.size(); ++v) after[v] = (after[v] - before[v]) / (2 * step_s);
    return after;
}

}  // namespace

KeyedPath makeKeyedPath(const DeformingSurface& surface, double start_s, double length_s)
{
    KeyedPath path;
    path.start_s = start_s;
    path.length_s = length_s;
    surface.positions(start_s, path.first);
    surface.positions(start_s + length_s, path.last);
    path.first_velocities = velocitiesAt(surface, start_s);
    path.last_velocities = velocitiesAt(surface, start_s + length_s);
    double bulge = 0;  // of a parabola over its chord, m
    for (std::size_t v = 0; v < path.first.size(); ++v) {
        Vec3d &a = path.first_velocities[v], &b = path.last_velocities[v];
        const Vec3d missing = (path.last[v] - path.first[v]) / length_s - 0.5 * (a + b);
        a += missing;
        b += missing;
        bulge = std::max(bulge, (b - a).norm() * length_s / 8);
        path.fastest_m_s = std::max({path.fastest_m_s, a.norm(), b.norm()});
        path.bounds.extend(path.first[v]);
        path.bounds.extend(path.last[v]);
    }
    path.bounds = Box3d(path.bounds.min() - Vec3d::Constant(bulge), path.bounds.max() + Vec3d::Constant(bulge));
    return path;
}

KeyedInterval::KeyedInterval(std::shared_ptr<const KeyedPath> path, std::shared_ptr<const KeyLevel> first,
                             std::shared_ptr<const KeyLevel> last)
    : m_path(std::move(path)),
      m_first(std::move(first), m_path->first_velocities),
      m_last(std::move(last), m_path->last_velocities)
{
}

KeyedInterval::Trace KeyedInterval::trace(const Vec3d& point, double share) const
{
    constexpr int maxIterations = 8;
    const double tolerance = 0.01 * m_first.level().lattice().voxel_m;
    Trace at{point, point};
    // The surface may move as far as the bands reach. The nearer key time is at most half as far away.
    Vec3d guess;
    if (!(share < 0.5 ? m_first : m_last).at(point, guess)) return at;
    at.first -= share * m_path->length_s * guess;
    at.last += (1 - share) * m_path->length_s * guess;
    for (int k = 0; k < maxIterations; ++k) {
        const bool hasFirst = m_first.at(at.first, at.first_velocity);
        const bool hasLast = m_last.at(at.last, at.last_velocity);
        if (!hasFirst) at.first_velocity = hasLast ? at.last_velocity : guess;
        if (!hasLast) at.last_velocity = at.first_velocity;
        const Vec3d before = at.first, moved = at.displacement(share, m_path->length_s);
        at.first = point - moved;
        at.last = at.first + at.displacement(1, m_path->length_s);
        if ((at.first - before).squaredNorm() < tolerance * tolerance) break;
    }
    return at;
}

double KeyedInterval::distance(const Vec3d& point, double share, Vec3d& normal) const
{
    const Trace at = trace(point, share);
    const double weight = std::clamp(share, 0.0, 1.0);
    Vec3d a, b;
    const double distance =
        (1 - weight) * m_first.level().distance(at.first, a) + weight * m_last.level().distance(at.last, b);
    normal = (1 - weight) * a + weight * b;
    if (normal.squaredNorm() < 1e-12) normal = point - m_path->bounds.center();
    normal = normal.squaredNorm() > 0 ? normal.normalized().eval() : Vec3d::UnitY().eval();
    return distance;
}

bool KeyedInterval::mayTouch(const Vec3d& center, double radius_m, double share) const
{
    const KeyLevel& nearer = (share < 0.5 ? m_first : m_last).level();
    const double moved = m_path->fastest_m_s * m_path->length_s * std::min(std::abs(share), std::abs(1 - share));
    const double radius = radius_m + moved;
    if (!nearer.mayTouch(center, radius)) return false;
    // A large ball would have a brick made for its centre alone.
    Vec3d gradient;
    return radius > BrickLattice::brickCells * nearer.lattice().voxel_m || nearer.distance(center, gradient) <= radius;
}

int KeyedInterval::triangleAt(const Vec3d& point, double share) const
{
    const Trace trace = this->trace(point, share);
    return share < 0.5 ? m_first.level().triangleAt(trace.first) : m_last.level().triangleAt(trace.last);
}

Vec3d KeyedInterval::displacement(const Vec3d& point, double from, double to) const
{
    const Trace at = trace(point, to);
    return at.displacement(to, m_path->length_s) - at.displacement(from, m_path->length_s);
}

}  // namespace firn
