#pragma once
// Light by wavelength, and its colour.

#include "common/math.h"

namespace firn {

/// CIE 1931 colour matching functions x, y, z at a wavelength (nm), by the fits of Wyman, Sloan and Shirley 2013,
/// Simple analytic approximations to the CIE XYZ color matching functions, section 2.2. Their error is about 1 %.
Vec3d colorMatching(double wavelength_nm);

/// Linear Rec. 709 of a colour in CIE XYZ; (1, 1, 1) is D65 with Y = 1. Components may be negative.
Vec3d rec709OfXyz(const Vec3d& xyz);

/// The colour of a black body (K), linear Rec. 709 of luminance 1, by Planck's law. Components that the colour space
/// has no place for are 0.
Vec3d blackBodyColor(double temperature_K);

}  // namespace firn
