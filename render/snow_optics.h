#pragma once
// What light does in snow: extinction and single-scattering albedo, from the radius of the grains, the preset and the
// impurities of a region.

#include <vector>

#include "common/scene/scene.h"

namespace firn {

struct SnowOptics {
    double extinction_m2_per_kg = 0;  // sigma_t over density
    Vec3d albedo = Vec3d::Ones();     // of a single scattering, linear Rec. 709
    double wetness = 0;               // share of the grains' surface that water covers
    double mist = 0;                  // share of the mass of flying loose snow that is mist (mist.h)
    double powder_m2_per_kg = 0;      // extinction over density of powder in the air
};

/// Extinction over density (m^2/kg) of spheres of ice that are much larger than the wavelength: 3 / (2 rho_ice r), with
/// extinction efficiency 2 (Wiscombe and Warren 1980, equation 5).
double extinctionOfGrains(double radius_m);

/// Absorption over mass of snow (m^2/kg) by ice: B alpha / rho_ice with alpha = 4 pi k / lambda, k from Warren and
/// Brandt 2008, and B = 1.6 for the light that grains focus (Kokhanovsky and Zege 2004).
Vec3d absorptionOfIce();

/// The same by impurities. Soot: 7.5 m^2/g at 550 nm, falling with the wavelength (Bond and Bergstrom 2006). Dust: 103
/// m^2/kg at 400 nm with exponent 3.1 (Caponi et al. 2017, Arizona).
Vec3d absorptionOfImpurities(double soot_ppm, double dust_ppm);

/// Throws Error(Usage) for an unknown preset.
SnowOptics opticsOf(const SnowLook& look, const Render& render);

/// Of each region of the scene; of default snow if it has none.
std::vector<SnowOptics> snowOptics(const Scene& scene);

}  // namespace firn
