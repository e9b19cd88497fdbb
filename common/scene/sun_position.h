#pragma once
// Where the sun stands, by date, time and place on Earth.

#include <optional>
#include <string>

#include "common/math.h"
#include "common/scene/scene.h"

namespace firn {

struct SunAngles {
    double elevation_deg = 0;
    double azimuth_deg = 0;
};

/// The unit vector towards a light with these angles, the azimuth counted from +z towards +x.
Vec3d directionOf(const SunAngles& angles);

/// The Julian day of a date and time such as "2026-01-15T09:30+01:00" or "2026-06-21T12:00:30Z"; nothing for other
/// texts and for dates that do not exist.
std::optional<double> julianDay(const std::string& when);

/// Elevation above the horizon without refraction, and azimuth from north towards east, to .02 degrees in the years
/// 1900 to 2100 (Meeus 1998, Astronomical Algorithms, chapters 22, 25 and 28, in its low accuracy). North and east are
/// positive.
SunAngles sunPosition(double julianDay, double latitude_deg, double longitude_deg);

/// The angles of the sun of a light, in those of the scene: from its date if it has one. The scene has been checked.
SunAngles sunAngles(const LightSpec& spec);

}  // namespace firn
