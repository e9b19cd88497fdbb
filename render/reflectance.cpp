#include "render/reflectance.h"

#include <cmath>

namespace firn {

double sphericalReflectance(double albedo, double anisotropy)
{
    const double s = std::sqrt((1 - albedo) / (1 - albedo * anisotropy));
    return (1 - s) * (1 - 0.139 * s) / (1 + 1.17 * s);
}

double albedoForReflectance(double reflectance, double anisotropy)
{
    // R (1 + 1.17 s) = (1 - s)(1 - 0.139 s) is quadratic in s; its smaller root lies in [0, 1].
    const double b = 1.139 + 1.17 * reflectance;
    const double c = 1 - reflectance;
    const double s = 2 * c / (b + std::sqrt(b * b - 4 * 0.139 * c));
    return (1 - s * s) / (1 - anisotropy * s * s);
}

}  // namespace firn
