#include "common/body/swept_bounds.h"

#include <algorithm>
#include <cmath>

namespace firn {

BoundingBall ballAround(const Box3d& box)
{
    if (!box.sizes().allFinite()) return {};
    return {box.center(), box.sizes().norm() / 2};
}

double largestDisplacement(const BoundingBall& ball, const Pose& a, const Pose& b)
{
    const double moved = (b.toWorld(ball.center) - a.toWorld(ball.center)).norm();
    return moved + ball.radius * a.rotation.angularDistance(b.rotation);
}

double largestSpeed(const Motion& motion, const BoundingBall& ball, double time_s)
{
    if (motion.isStatic()) return 0;
    constexpr double span_s = 1e-3;  // shorter than any frame, long enough for the difference to be exact
    return largestDisplacement(ball, motion.pose(time_s), motion.pose(time_s + span_s)) / span_s;
}

Box3d sweptBounds(const Motion& motion, const Box3d& local, double start_s, double length_s)
{
    constexpr double interval_s = 1 / 240.0;  // between samples; motions change slowly over this time
    const int steps = motion.isStatic() ? 0 : static_cast<int>(std::ceil(length_s / interval_s));
    const BoundingBall ball = ballAround(local);
    Box3d box;
    Pose before = motion.pose(start_s);
    box.extend(boundsAt(before, local));
    double farthest = 0;  // a point moves by at most this between two samples
    for (int k = 1; k <= steps; ++k) {
        const Pose now = motion.pose(k == steps ? start_s + length_s : start_s + length_s * k / steps);
        box.extend(boundsAt(now, local));
        farthest = std::max(farthest, largestDisplacement(ball, before, now));
        before = now;
    }
    return {box.min() - Vec3d::Constant(farthest), box.max() + Vec3d::Constant(farthest)};
}

}  // namespace firn
