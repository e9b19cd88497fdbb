#pragma once
// Shapes whose signed distance is known in closed form. All are exact everywhere, inside and out; on edges of the
// medial axis, where the gradient does not exist, one of the limits is returned, always the same one.

#include <memory>

#include "common/body/shape.h"

namespace firn {

/// Half space below the plane through the origin; `normal` points out of it (any length but zero).
std::shared_ptr<const Shape> makePlane(const Vec3d& normal);

/// Box about the origin with full edge lengths `size` (m); edges and corners rounded with radius `rounding_m`, which
/// lies within `size` and is at most half its shortest edge.
std::shared_ptr<const Shape> makeBox(const Vec3d& size, double rounding_m);

std::shared_ptr<const Shape> makeSphere(double radius_m);

/// Capsule about the origin along local y; `length_m` between the centres of its caps.
std::shared_ptr<const Shape> makeCapsule(double radius_m, double length_m);

/// Convex hull of two balls on local y: `lower_m` at y = -length_m / 2, `upper_m` at +length_m / 2. Neither
/// holds the other: the radii differ by less than `length_m`.
std::shared_ptr<const Shape> makeTaperedCapsule(double lower_m, double upper_m, double length_m);

}  // namespace firn
