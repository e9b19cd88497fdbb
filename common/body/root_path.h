#pragma once
// Motions of bodies whose clips walk in place: the body moves at the speed of the feet, straight or along a curve.

#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "common/body/motion.h"

namespace firn {

/// A smooth curve through points (Catmull and Rom 1974), by the length along it. It goes on straight at both ends.
class SmoothPath {
public:
    /// At least two points, in metres, neighbours apart from each other.
    explicit SmoothPath(std::vector<Vec3d> points);

    double length_m() const { return m_lengths.back(); }

    struct Place {
        Vec3d position;
        Vec3d direction;  // unit
    };
    Place at(double length_m) const;

private:
    Place onSegment(std::size_t segment, double u) const;

    std::vector<Vec3d> m_points;
    std::vector<double> m_lengths;  // at evenly spread parameters
};

/// The scene times between which feet walk, s; before and after, they stand.
struct WalkTime {
    double first_s = -std::numeric_limits<double>::infinity();
    double last_s = std::numeric_limits<double>::infinity();

    /// How long the feet have walked since time 0.
    double walked_s(double time_s) const
    {
        return std::clamp(time_s, first_s, last_s) - std::clamp(0., first_s, last_s);
    }
};

/// `body`, moved in its own frame at `velocity` (m/s).
std::shared_ptr<const Motion> makeStraightWalk(std::shared_ptr<const Motion> body, const Vec3d& velocity,
                                               const WalkTime& when = {});

/// The same along points of the body's frame, at the speed of `velocity`. The body turns about y, so that the direction
/// of `velocity` follows the path. At time 0 it is at the first point.
std::shared_ptr<const Motion> makePathWalk(std::shared_ptr<const Motion> body, const Vec3d& velocity,
                                           std::vector<Vec3d> points, const WalkTime& when = {});

}  // namespace firn
