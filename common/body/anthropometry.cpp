#include "common/body/anthropometry.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace firn {
namespace {

struct Pattern {
    std::string_view text;
    BodyPart part;
};

/// In order of priority: the first pattern that a name contains decides.
constexpr std::array patterns = {
    Pattern{"thumb", BodyPart::Helper},     Pattern{"index", BodyPart::Helper},
    Pattern{"middle", BodyPart::Helper},    Pattern{"mid1", BodyPart::Helper},
    Pattern{"mid2", BodyPart::Helper},      Pattern{"mid3", BodyPart::Helper},
    Pattern{"ring", BodyPart::Helper},      Pattern{"pinky", BodyPart::Helper},
    Pattern{"finger", BodyPart::Helper},    Pattern{"eye", BodyPart::Helper},
    Pattern{"jaw", BodyPart::Helper},       Pattern{"tongue", BodyPart::Helper},
    Pattern{"hair", BodyPart::Helper},      Pattern{"breast", BodyPart::Helper},
    Pattern{"nub", BodyPart::Helper},       Pattern{"toe", BodyPart::Toe},
    Pattern{"ball", BodyPart::Toe},         Pattern{"foot", BodyPart::Foot},
    Pattern{"ankle", BodyPart::Foot},       Pattern{"forearm", BodyPart::ForeArm},
    Pattern{"lowerarm", BodyPart::ForeArm}, Pattern{"lowarm", BodyPart::ForeArm},
    Pattern{"elbow", BodyPart::ForeArm},    Pattern{"ulna", BodyPart::ForeArm},
    Pattern{"radius", BodyPart::ForeArm},   Pattern{"hand", BodyPart::Hand},
    Pattern{"wrist", BodyPart::Hand},       Pattern{"palm", BodyPart::Hand},
    Pattern{"collar", BodyPart::Collar},    Pattern{"clav", BodyPart::Collar},
    Pattern{"shldr", BodyPart::UpperArm},   Pattern{"shoulder", BodyPart::Collar},
    Pattern{"arm", BodyPart::UpperArm},     Pattern{"humerus", BodyPart::UpperArm},
    Pattern{"upleg", BodyPart::Thigh},      Pattern{"upperleg", BodyPart::Thigh},
    Pattern{"thigh", BodyPart::Thigh},      Pattern{"femur", BodyPart::Thigh},
    Pattern{"buttock", BodyPart::Thigh},    Pattern{"shin", BodyPart::Shin},
    Pattern{"calf", BodyPart::Shin},        Pattern{"knee", BodyPart::Shin},
    Pattern{"tibia", BodyPart::Shin},       Pattern{"leg", BodyPart::Shin},
    Pattern{"head", BodyPart::Head},        Pattern{"skull", BodyPart::Head},
    Pattern{"neck", BodyPart::Neck},        Pattern{"chest", BodyPart::Chest},
    Pattern{"thorax", BodyPart::Chest},     Pattern{"rib", BodyPart::Chest},
    Pattern{"upperback", BodyPart::Chest},  Pattern{"spine2", BodyPart::Chest},
    Pattern{"spine3", BodyPart::Chest},     Pattern{"spine", BodyPart::Torso},
    Pattern{"abdomen", BodyPart::Torso},    Pattern{"waist", BodyPart::Torso},
    Pattern{"torso", BodyPart::Torso},      Pattern{"back", BodyPart::Torso},
    Pattern{"belly", BodyPart::Torso},      Pattern{"hip", BodyPart::Pelvis},
    Pattern{"pelvis", BodyPart::Pelvis},    Pattern{"root", BodyPart::Pelvis},
};

/// "LeftHip", "rHip", "L_Hip", "hip.l", "Bip01 R Hip".
bool hasSide(std::string_view name, const std::string& lower)
{
    if (lower.find("left") != std::string::npos || lower.find("right") != std::string::npos) return true;
    const auto isSide = [](char c) { return c == 'l' || c == 'r'; };
    const auto isGap = [](char c) { return c == '_' || c == '.' || c == ' ' || c == '-'; };
    for (std::size_t i = 0; i < lower.size(); ++i) {
        if (!isSide(lower[i])) continue;
        const bool begins = i == 0 || isGap(lower[i - 1]);
        const bool ends = i + 1 == lower.size() || isGap(lower[i + 1]);
        if (begins && ends) return true;
        if (i == 0 && name.size() > 1 && std::isupper(static_cast<unsigned char>(name[1]))) return true;  // rHip, LHip
    }
    return false;
}

}  // namespace

BodyPart bodyPartOf(std::string_view jointName)
{
    jointName.remove_prefix(std::min(jointName.size(), jointName.rfind(':') + 1));  // npos + 1 = 0
    std::string lower(jointName);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (const Pattern& pattern : patterns)
        if (lower.find(pattern.text) != std::string::npos)
            return pattern.text == "hip" && hasSide(jointName, lower) ? BodyPart::Thigh : pattern.part;
    return BodyPart::Other;
}

double partRadius_m(BodyPart part)
{
    switch (part) {
        case BodyPart::Pelvis:
        case BodyPart::Torso:
            return 0.115;
        case BodyPart::Chest:
            return 0.12;
        case BodyPart::Neck:
            return 0.055;
        case BodyPart::Head:
            return 0.095;
        case BodyPart::Collar:
            return 0.06;
        case BodyPart::UpperArm:
            return 0.05;
        case BodyPart::ForeArm:
            return 0.042;
        case BodyPart::Hand:
            return 0.038;
        case BodyPart::Thigh:
            return 0.08;
        case BodyPart::Shin:
            return 0.05;
        case BodyPart::Foot:
            return 0.042;
        case BodyPart::Toe:
            return 0.03;
        case BodyPart::Helper:
            return 0.01;
        case BodyPart::Other:
            return 0.05;
    }
    return 0.05;
}

}  // namespace firn
