#include "common/body/root_path.h"

#include <algorithm>
#include <cmath>

namespace firn {

namespace {

constexpr std::size_t samples = 64;  // of a segment between two points

class StraightWalk final : public Motion {
public:
    StraightWalk(std::shared_ptr<const Motion> body, const Vec3d& velocity, const WalkTime& when)
        : m_body(std::move(body)), m_velocity(velocity), m_when(when)
    {
    }
    Pose pose(double time_s) const override
    {
        const Pose pose = m_body->pose(time_s);
        return {pose.rotation, pose.toWorld(m_when.walked_s(time_s) * m_velocity)};
    }
    bool isStatic() const override { return m_body->isStatic() && m_velocity.isZero(0); }

private:
    std::shared_ptr<const Motion> m_body;
    Vec3d m_velocity;
    WalkTime m_when;
};

double headingOf(const Vec3d& direction) { return std::atan2(direction.x(), direction.z()); }

class PathWalk final : public Motion {
public:
    PathWalk(std::shared_ptr<const Motion> body, const Vec3d& velocity, std::vector<Vec3d> points, const WalkTime& when)
        : m_body(std::move(body)),
          m_speed(velocity.norm()),
          m_heading(headingOf(velocity)),
          m_when(when),
          m_path(std::move(points))
    {
    }
    Pose pose(double time_s) const override
    {
        const SmoothPath::Place place = m_path.at(m_speed * m_when.walked_s(time_s));
        const double turn = headingOf(place.direction) - m_heading;
        return m_body->pose(time_s) * Pose{Quatd(Eigen::AngleAxisd(turn, Vec3d::UnitY())), place.position};
    }
    bool isStatic() const override { return false; }

private:
    std::shared_ptr<const Motion> m_body;
    double m_speed, m_heading;
    WalkTime m_when;
    SmoothPath m_path;
};

}  // namespace

SmoothPath::SmoothPath(std::vector<Vec3d> points) : m_points(std::move(points))
{
    m_lengths.push_back(0);
    Vec3d before = m_points.front();
    for (std::size_t segment = 0; segment + 1 < m_points.size(); ++segment)
        for (std::size_t k = 1; k <= samples; ++k) {
            const Vec3d here = onSegment(segment, static_cast<double>(k) / samples).position;
            m_lengths.push_back(m_lengths.back() + (here - before).norm());
            before = here;
        }
}

SmoothPath::Place SmoothPath::onSegment(std::size_t segment, double u) const
{
    const std::size_t last = m_points.size() - 1;
    const Vec3d &b = m_points[segment], &c = m_points[segment + 1];
    const Vec3d a = segment > 0 ? m_points[segment - 1] : Vec3d(2 * b - c);
    const Vec3d d = segment + 1 < last ? m_points[segment + 2] : Vec3d(2 * c - b);
    const Vec3d first = c - a, second = 2 * a - 5 * b + 4 * c - d, third = 3 * (b - c) + d - a;
    return {b + 0.5 * u * (first + u * (second + u * third)),
            (first + u * (2 * second + 3 * u * third)).stableNormalized()};
}

SmoothPath::Place SmoothPath::at(double length_m) const
{
    const double inside = std::clamp(length_m, 0.0, this->length_m());
    const auto above = std::upper_bound(m_lengths.begin() + 1, m_lengths.end() - 1, inside);
    const auto index = static_cast<std::size_t>(above - m_lengths.begin()) - 1;
    const double share = (inside - m_lengths[index]) / (m_lengths[index + 1] - m_lengths[index]);
    const std::size_t segment = index / samples;
    Place place = onSegment(segment, (static_cast<double>(index % samples) + share) / samples);
    place.position += (length_m - inside) * place.direction;
    return place;
}

std::shared_ptr<const Motion> makeStraightWalk(std::shared_ptr<const Motion> body, const Vec3d& velocity,
                                               const WalkTime& when)
{
    return std::make_shared<const StraightWalk>(std::move(body), velocity, when);
}

std::shared_ptr<const Motion> makePathWalk(std::shared_ptr<const Motion> body, const Vec3d& velocity,
                                           std::vector<Vec3d> points, const WalkTime& when)
{
    return std::make_shared<const PathWalk>(std::move(body), velocity, std::move(points), when);
}

}  // namespace firn
