#pragma once
// Rigid motions, evaluated at any time, and the velocity of the points that they carry.

#include <memory>
#include <vector>

#include "common/pose.h"
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

/// Share of the way from one key to the next after the share `u` in [0, 1] of the time: `Linear` u, `Smooth`
/// 3u^2 - 2u^3 (at rest at both keys), `In` u^2, `Out` its mirror image 2u - u^2, `Step` 0 until the next key.
double eased(Easing ease, double u);

std::shared_ptr<const Motion> makeStaticMotion(const Pose& pose);

/// Position and rotation interpolated between keys; constant before the first key and after the last. The rotation
/// takes the shortest way (slerp), with one exception: between keys that differ in one Euler angle only, the body turns
/// by that angle, which may be several full turns.
/// There must be a key, and times must increase. Neighbouring keys that differ in several angles must not differ by
/// more than 180 degrees in any of them, because the rotation would be ambiguous.
std::shared_ptr<const Motion> makeKeyframeMotion(const std::vector<BodyKey>& keys);

/// A motion that drifts at a velocity, m/s.
std::shared_ptr<const Motion> makeDriftingMotion(std::shared_ptr<const Motion> motion, const Vec3d& velocity);

/// `child` in the frame that `parent` moves.
std::shared_ptr<const Motion> makeAttachedMotion(std::shared_ptr<const Motion> parent,
                                                 std::shared_ptr<const Motion> child);

/// Mean velocity (m/s), over a step of length `dt` from pose `a` to pose `b`, of the material point that is at
/// `worldPointAtB` at the end of the step. It is the exact displacement of the point over `dt`, also for rotations.
inline Vec3d velocityAt(const Pose& a, const Pose& b, double dt, const Vec3d& worldPointAtB)
{
    return (worldPointAtB - a.toWorld(b.toLocal(worldPointAtB))) / dt;
}

}  // namespace firn
