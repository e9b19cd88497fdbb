#pragma once
// A piece that deforms: level sets and velocities at key times, interpolated between them. After Stomakhin et al. 2013,
// section 8; docs/method.md has the formulas and what differs.

#include <memory>

#include "common/body/body_piece.h"
#include "common/body/deforming_surface.h"
#include "common/body/key_source.h"
#include "common/body/motion.h"

namespace firn {

struct KeyedOptions {
    double frame_s = 1. / 24;  // of the scene; every frame is a key time
    double voxel_m = 0.01;
    double reach_m = 0.03;  // how far outside the surface distances are asked for
};

/// A deforming surface that a motion carries: the motion acts exactly at each time. Between key times, each point of
/// the surface moves on a parabola. Frames in which the surface moves by more than reach_m have 2, 4, ... 32 key
/// times. Level sets are made where and when they are first asked for; those of the last few key times are kept.
std::shared_ptr<const BodyPiece> makeKeyedPiece(std::shared_ptr<const DeformingSurface> surface,
                                                std::shared_ptr<const Motion> motion, const SurfaceFriction& friction,
                                                const KeyedOptions& options);

/// The same for any source of level sets and velocities.
std::shared_ptr<const BodyPiece> makeKeyedPiece(std::shared_ptr<const KeySource> source,
                                                std::shared_ptr<const Motion> motion, const SurfaceFriction& friction);

}  // namespace firn
