#pragma once
// Rigid placements.

#include "common/math.h"

namespace firn {

/// A rigid placement: local point -> rotation * point + translation (metres).
struct Pose {
    Quatd rotation = Quatd::Identity();
    Vec3d translation = Vec3d::Zero();

    Vec3d toWorld(const Vec3d& local) const { return rotation * local + translation; }
    Vec3d toLocal(const Vec3d& world) const { return rotation.conjugate() * (world - translation); }
    Pose operator*(const Pose& child) const
    {
        return {(rotation * child.rotation).normalized(), toWorld(child.translation)};
    }
};

/// The bounds in the world of a box that is placed.
inline Box3d boundsAt(const Pose& pose, const Box3d& local)
{
    Box3d bounds;
    for (int corner = 0; corner < 8; ++corner)
        bounds.extend(pose.toWorld(local.corner(static_cast<Box3d::CornerType>(corner))));
    return bounds;
}

}  // namespace firn
