#pragma once
// The ground that a clip walks on, from the heights of its soles.

#include <vector>

#include "common/body/clip.h"

namespace firn {

/// A point that may touch the ground, in the frame of its joint, with a ball about it.
struct SolePoint {
    int joint;
    Vec3d local;
    double radius_m;
};

/// Height of the ground at a place: height_m + slope.dot(place). Slope has no y.
struct Ground {
    double height_m = 0;
    Vec3d slope = Vec3d::Zero();
};

/// The height that the lowest sole point is at or below in a twentieth of the frames: a single frame too low, which is
/// a fault of the capture, does not count. Captured floors are often out of level: where the soles' lowest heights
/// change steadily along the way, by less than 2 degrees over more than 1.5 m, that is taken for the ground's slope.
Ground fitGround(const Clip& clip, const std::vector<SolePoint>& points);

}  // namespace firn
