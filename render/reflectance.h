#pragma once
// The colour of deep snow: from the reflectance that one sees to the single-scattering albedo that paths need.

namespace firn {

/// Spherical reflectance (the share of uniform light that is sent back) of a half space of Henyey-Greenstein
/// scatterers: R = (1-s)(1-0.139 s)/(1+1.17 s) with the similarity parameter s = sqrt((1-a)/(1-a g)).
/// van de Hulst 1980, "Multiple Light Scattering", vol. 2; within 0.003 of exact values for g in [0, 0.75].
double sphericalReflectance(double albedo, double anisotropy);

/// The inverse: the albedo in [0, 1] whose spherical reflectance is `reflectance`, which lies in [0, 1].
double albedoForReflectance(double reflectance, double anisotropy);

}  // namespace firn
