#pragma once
// A walking person as rigid pieces: a capsule for each bone, boots on the feet, all moved by one clip.

#include <vector>

#include "common/body/clip.h"
#include "common/body/rigid_piece.h"

namespace firn {

/// Level set resolution of the boots and how far outside them their distances are kept, m.
struct CharacterDetail {
    double voxel_m = 0.005;
    double band_m = 0.06;
};

/// Pieces of the character that `spec` describes; spec.file is a BVH. Radii come from the bones' names
/// (anthropometry.h), scaled with the skeleton's height, unless spec.radii_m gives them; 0 leaves a bone out. Boots
/// stand on the ground of the rest pose. With on_ground the clip's ground (ground_fit.h) is brought to spec.position.y;
/// with align_root the root is above spec.position at scene time 0, and its way from the clip's first to its last frame
/// runs along spec.heading_deg.
/// Throws Error: File when the clip cannot be read, Usage for what it or the scene says.
std::vector<RigidPart> makeCharacter(const BodySpec& spec, const CharacterDetail& detail);

/// The same for a clip that is already read.
std::vector<RigidPart> makeCharacter(const BodySpec& spec, const Clip& clip, const CharacterDetail& detail);

}  // namespace firn
