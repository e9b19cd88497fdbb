#pragma once
// Groups of lights, each of which has a layer in the picture: what of it is their light. The layers add up to the
// picture.

#include <string>
#include <vector>

#include "common/scene/scene.h"

namespace firn {

/// A colour for each group, one in each column; no column where no light has a group.
using GroupedLight = Eigen::Matrix<float, 3, Eigen::Dynamic, Eigen::ColMajor, 3, mostLightGroups + 1>;

/// The names of the groups: first restOfLights, that of lights without a group and of bodies with emission, then the
/// others in the order of the lights. Empty if no light has another group.
std::vector<std::string> lightGroups(const std::vector<LightSpec>& lights);

/// The place in `groups`, which lightGroups() gave, of a light's group.
int groupOf(const LightSpec& light, const std::vector<std::string>& groups);

}  // namespace firn
