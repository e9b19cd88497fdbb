#pragma once
// A walking person as rigid pieces: a capsule for each bone, boots on the feet, all moved by one clip.

#include <string>
#include <vector>

#include "common/body/clip.h"
#include "common/body/rigid_piece.h"

namespace firn {

/// Resolution of the boots' level sets, and the width of their narrow band outside the surface, m.
struct CharacterDetail {
    double voxel_m = 0.005;
    double band_m = 0.06;
};

/// Parts of the character that `spec` describes; spec.file is a BVH. The radius of a bone follows from its name
/// (anthropometry.h) and the height of the skeleton, unless spec.radii_m gives it; a radius of 0 removes the bone. The
/// soles of the boots touch the ground in the rest pose. With on_ground, the ground of the clip (ground_fit.h) is moved
/// to the height spec.position.y. With align_root, the root is above spec.position at scene time 0, and the path of the
/// root from the first to the last frame points along spec.heading_deg.
/// Throws Error: File when the clip cannot be read, Usage for wrong content of the clip or the scene.
std::vector<RigidPart> makeCharacter(const BodySpec& spec, const CharacterDetail& detail);

/// The same for a clip that has been read already.
std::vector<RigidPart> makeCharacter(const BodySpec& spec, const Clip& clip, const CharacterDetail& detail);

/// Of the clip of spec.file, s.
double characterClipLength(const BodySpec& spec);

/// The motion of a joint of such a character, for what it carries. Throws Error(Usage) if there is no such joint;
/// `asker` begins the message.
std::shared_ptr<const Motion> makeCharacterJoint(const BodySpec& spec, const std::string& joint,
                                                 const std::string& asker);

/// The same for a clip that has been read already.
std::shared_ptr<const Motion> makeCharacterJoint(const BodySpec& spec, const Clip& clip, const std::string& joint,
                                                 const std::string& asker);

}  // namespace firn
