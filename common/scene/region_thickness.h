#pragma once

#include <limits>

#include "common/scene/scene.h"

namespace firn {

/// How deep below its surface a region reaches, m; infinity if only its file tells.
inline double thicknessOf(const SnowRegion& region)
{
    switch (region.shape) {
        case SnowShape::Layer:
            return region.depth_m;
        case SnowShape::Box:
            return region.max.y() - region.min.y();
        case SnowShape::Sphere:
            return region.radius_m;
        default:
            return std::numeric_limits<double>::infinity();
    }
}

}  // namespace firn
