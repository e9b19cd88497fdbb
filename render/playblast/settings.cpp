#include "render/playblast/settings.h"

#include "common/error.h"

namespace firn {

SnowColor snowColorByName(const std::string& name)
{
    if (name == "plain") return SnowColor::Plain;
    if (name == "speed") return SnowColor::Speed;
    if (name == "packing") return SnowColor::Packing;
    if (name == "region") return SnowColor::Region;
    throw Error(ExitCode::Usage, "colour '" + clampText(name, 60) + "', expected plain, speed, packing or region");
}

}  // namespace firn
