#pragma once
// Rigid pieces: one stationary shape that a motion carries through space. The pose is evaluated exactly at any time.

#include <memory>
#include <string>

#include "common/body/body_piece.h"
#include "common/body/motion.h"
#include "common/body/shape.h"

namespace firn {

/// What a rigid piece is made of.
struct RigidPart {
    std::string name;
    std::shared_ptr<const Shape> shape;
    std::shared_ptr<const Motion> motion;
};

std::shared_ptr<const BodyPiece> makeRigidPiece(RigidPart part, const SurfaceFriction& friction);

}  // namespace firn
