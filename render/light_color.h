#pragma once

#include "common/scene/scene.h"

namespace firn {

/// The colour of a light with all factors that the scene gives for it.
Vec3d lightColor(const LightSpec& spec);

}  // namespace firn
