#include "render/light_color.h"

#include <cmath>

#include "render/sky/spectrum.h"

namespace firn {

Vec3d lightColor(const LightSpec& spec)
{
    Vec3d color = spec.strength * std::exp2(spec.exposure) * spec.color;
    if (spec.temperature_K > 0) color = color.cwiseProduct(blackBodyColor(spec.temperature_K)).eval();
    return color;
}

}  // namespace firn
