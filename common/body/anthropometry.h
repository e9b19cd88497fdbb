#pragma once
// Tells from the name of a bone which part of a person it is, and how thick that part is.

#include <string_view>

namespace firn {

enum class BodyPart {
    Pelvis,
    Torso,
    Chest,
    Neck,
    Head,
    Collar,
    UpperArm,
    ForeArm,
    Hand,
    Thigh,
    Shin,
    Foot,
    Toe,
    Helper,  // fingers, eyes, jaw: too small to matter to snow
    Other
};

/// Knows the names that common skeletons use (CMU, Mixamo, MotionBuilder, 3ds Max biped), in upper or lower case:
/// "rThigh", "mixamorig:LeftUpLeg", "Bip01 L Calf", "RightToeBase". A "hip" with a side is a thigh, a "hip" without a
/// side is the pelvis.
BodyPart bodyPartOf(std::string_view jointName);

/// Radius (m) of that part of a lightly clothed adult who is 1.75 m tall.
double partRadius_m(BodyPart part);

}  // namespace firn
