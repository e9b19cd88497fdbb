#pragma once
// Rigid motions of body pieces, evaluated at any time, and the velocity they give to the points they carry.

#include <memory>
#include <vector>

#include "common/math.h"
#include "common/scene/scene.h"

namespace firn {

/// Where a rigid piece is at a time. The pose is computed for exactly that time, not interpolated between frames.
class Motion {
public:
    virtual ~Motion() = default;
    virtual Pose pose(double time_s) const = 0;
    /// Whether the pose is the same at all times.
    virtual bool isStatic() const = 0;
};

/// Rotation by Euler angles about the fixed axes x, then y, then z.
Quatd rotationFromEuler(const Vec3d& degrees);

/// How far between two keys a motion is after the share `u` in [0, 1] of the time. `Smooth` is 3u^2 - 2u^3 (at rest at
/// both keys), `In` u^2, `Out` its mirror, `Step` 0 until the next key.
double eased(Easing ease, double u);

std::shared_ptr<const Motion> makeStaticMotion(const Pose& pose);

/// Position and rotation by keys, held before the first and after the last. The rotation goes the shortest way (slerp),
/// except that keys which differ in one Euler angle alone turn by that angle, however many turns it is.
/// Throws std::invalid_argument: no key, times that do not increase, or a turn by more than half a turn about several
/// axes at once, for which there is no one way.
std::shared_ptr<const Motion> makeKeyframeMotion(const std::vector<BodyKey>& keys);

/// Mean velocity (m/s) over a step of length `dt`, in which a piece goes from pose `a` to pose `b`, of the material
/// point that is at `worldPointAtB` when it ends: its displacement, exact also for rotations, over `dt`.
inline Vec3d velocityAt(const Pose& a, const Pose& b, double dt, const Vec3d& worldPointAtB)
{
    return (worldPointAtB - a.toWorld(b.toLocal(worldPointAtB))) / dt;
}

}  // namespace firn
