#pragma once
// What a bone is, from its name, and how thick that part of a person is.

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

/// By the usual names of skeletons (CMU, Mixamo, MotionBuilder, 3ds Max biped), whatever the case: "rThigh",
/// "mixamorig:LeftUpLeg", "Bip01 L Calf", "RightToeBase". A "hip" with a side is a thigh, without one the pelvis.
BodyPart bodyPartOf(std::string_view jointName);

/// Radius of a lightly clothed adult of 1.75 m, m.
double partRadius_m(BodyPart part);

}  // namespace firn
