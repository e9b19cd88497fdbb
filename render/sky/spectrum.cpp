#include "render/sky/spectrum.h"

#include <cmath>

#include "common/image/luminance.h"

namespace firn {

namespace {

/// A bell with different widths on its two sides.
double bell(double x, double center, double widthBelow, double widthAbove)
{
    const double t = (x - center) / (x < center ? widthBelow : widthAbove);
    return std::exp(-0.5 * t * t);
}

}  // namespace

Vec3d colorMatching(double l)
{
    return {
        1.056 * bell(l, 599.8, 37.9, 31.0) + 0.362 * bell(l, 442.0, 16.0, 26.7) - 0.065 * bell(l, 501.1, 20.4, 26.2),
        0.821 * bell(l, 568.8, 46.9, 40.5) + 0.286 * bell(l, 530.9, 16.3, 31.1),
        1.217 * bell(l, 437.0, 11.8, 36.0) + 0.681 * bell(l, 459.0, 26.0, 13.8)};
}

Vec3d rec709OfXyz(const Vec3d& xyz)
{
    Mat3d matrix;
    matrix << 3.2404542, -1.5371385, -0.4985314, -0.9692660, 1.8760108, 0.0415560, 0.0556434, -0.2040259, 1.0572252;
    return matrix * xyz;
}

Vec3d blackBodyColor(double temperature_K)
{
    constexpr double secondRadiation_nm_K = 1.438777e7;  // h c / k
    constexpr int first_nm = 380, last_nm = 780, step_nm = 5;
    constexpr double scale_nm = 560;
    Vec3d xyz = Vec3d::Zero();
    for (int wavelength_nm = first_nm; wavelength_nm <= last_nm; wavelength_nm += step_nm) {
        const double l = wavelength_nm;
        const double power = std::pow(scale_nm / l, 5.0) *
                             std::expm1(secondRadiation_nm_K / (scale_nm * temperature_K)) /
                             std::expm1(secondRadiation_nm_K / (l * temperature_K));
        xyz += power * colorMatching(l);
    }
    const Vec3d color = rec709OfXyz(xyz).cwiseMax(0.0);
    return color / luminance(color.x(), color.y(), color.z());
}

}  // namespace firn
