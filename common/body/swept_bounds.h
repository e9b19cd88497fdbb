#pragma once
// How far a motion carries a box.

#include "common/body/motion.h"

namespace firn {

/// A ball that holds a shape, in the shape's frame.
struct BoundingBall {
    Vec3d center = Vec3d::Zero();
    double radius = 10;  // m; of a shape without bounds this much counts where a speed is wanted
};

BoundingBall ballAround(const Box3d& box);

/// The greatest distance (m) between the two places of any point of the ball.
double largestDisplacement(const BoundingBall& ball, const Pose& a, const Pose& b);

/// An upper bound of the speed of all points of the ball at a time, m/s.
double largestSpeed(const Motion& motion, const BoundingBall& ball, double time_s);

/// A world box that holds a moving box, which is finite, at all times in [start_s, start_s + length_s].
Box3d sweptBounds(const Motion& motion, const Box3d& local, double start_s, double length_s);

}  // namespace firn
