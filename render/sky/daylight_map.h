#pragma once
// The clear sky of a place and time as a picture of all directions, and its sun.

#include <vector>

#include "render/sky/atmosphere.h"

namespace firn {

struct DaylightMap {
    int width = 0, height = 0;
    /// Radiance, linear Rec. 709, from the top left; the sun is above the middle column. Sunlight outside of the
    /// atmosphere has an irradiance of luminance 1.
    std::vector<Vec3f> pixels;
    /// On a surface that faces the sun. Zero if the sun is below the horizon.
    Vec3f sun_irradiance = Vec3f::Zero();
};

/// Below the horizon, the map shows a plain of the settings' ground albedo through 100 m and more of air.
DaylightMap daylightMap(const AtmosphereSettings& settings, double sunElevation_deg, double sunDiameter_deg);

}  // namespace firn
