#pragma once

#include <string>

namespace firn {

/// What the colour of snow tells: nothing, its speed, its density over that at rest, or its region.
enum class SnowColor { Plain, Speed, Packing, Region };

/// Throws Error(Usage).
SnowColor snowColorByName(const std::string& name);

struct PlayblastSettings {
    int width = 1280;
    int height = 720;
    SnowColor color = SnowColor::Plain;
    double fastest_m_s = 0;  // the speed of the last colour; 0 = the greatest one of the picture
};

}  // namespace firn
