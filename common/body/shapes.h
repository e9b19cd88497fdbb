#pragma once
// Shapes whose signed distance is known in closed form. It is exact everywhere, inside and outside. On the medial axis,
// where the gradient does not exist, one of its limits is returned, always the same one.

#include <memory>

#include "common/body/shape.h"

namespace firn {

/// Half space with its surface through the origin; `normal` points out of it and may have any length but zero.
std::shared_ptr<const Shape> makePlane(const Vec3d& normal);

/// Box about the origin with full edge lengths `size` (m). Its edges and corners are rounded with the radius
/// `rounding_m`, which is at most half the shortest edge; the faces stay where they are.
std::shared_ptr<const Shape> makeBox(const Vec3d& size, double rounding_m);

std::shared_ptr<const Shape> makeSphere(double radius_m);

/// Capsule about the origin along local y; `length_m` is the distance between the centres of its caps.
std::shared_ptr<const Shape> makeCapsule(double radius_m, double length_m);

/// Convex hull of two balls on local y: of radius `lower_m` at y = -length_m / 2 and `upper_m` at +length_m / 2.
/// Neither ball may contain the other: the radii must differ by less than `length_m`.
std::shared_ptr<const Shape> makeTaperedCapsule(double lower_m, double upper_m, double length_m);

}  // namespace firn
