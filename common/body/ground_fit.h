#pragma once
// Finds the ground that a clip walks on from the heights of its soles.

#include <vector>

#include "common/body/clip.h"

namespace firn {

/// A point that may touch the ground, in the frame of its joint, with a ball about it.
struct SolePoint {
    int joint;
    Vec3d local;
    double radius_m;
};

/// The height of the ground at a place is height_m + slope.dot(place). The y of `slope` is 0.
struct Ground {
    double height_m = 0;
    Vec3d slope = Vec3d::Zero();
};

/// The height is chosen so that the lowest sole point is at or below it in one twentieth of the frames. Single frames
/// that are too low, which are errors of the capture, then do not count. Captured floors are often not level: if the
/// lowest heights of the soles change steadily, by less than 2 degrees over a path of more than 1.5 m, this is taken as
/// the slope of the ground.
Ground fitGround(const Clip& clip, const std::vector<SolePoint>& points);

}  // namespace firn
