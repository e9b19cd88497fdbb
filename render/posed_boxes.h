#pragma once
// Distances from a point to many boxes at once.

#include <array>
#include <vector>

#include "common/pose.h"
#include "render/lanes.h"

namespace firn {

/// Boxes in frames of their own.
class PosedBoxes {
public:
    void add(const Pose& pose, const Box3d& box);

    /// Metres from a point to the nearest box, 0 inside; infinite without boxes. Rounding errors are some 1e-7 of the
    /// largest coordinate.
    float distance(const Vec3f& point) const;

private:
    struct Lanes {
        std::array<std::array<Floats, 3>, 3> rotation;  // rows: of the frame's axes in the world
        std::array<Floats, 3> offset;                   // local point = rotation x + offset, from the box's centre
        std::array<Floats, 3> half;                     // of the edges; lanes without a box are far away from all
    };

    int m_count = 0;
    std::vector<Lanes> m_lanes;
};

}  // namespace firn
