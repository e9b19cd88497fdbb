#pragma once
// What rendering a frame will cost, and whether it can be trusted, from a small number of paths.

#include <functional>
#include <optional>
#include <vector>

#include "render/camera.h"
#include "render/light_cache.h"
#include "render/render_scene.h"

namespace firn {

/// A mean and its standard error.
struct Measured {
    double mean = 0;
    double error = 0;
};

/// Along camera rays that meet snow, up to the first body: optical depths at shares of the rays.
struct OpticalDepths {
    double share_of_rays = 0;  // that meet snow
    double median = 0, ninth_decile = 0, greatest = 0;
};
OpticalDepths measureOpticalDepths(const RenderScene& scene, const PlacedCamera& camera, const PixelWindow& window);

/// Majorant over extinction, averaged over space by extinction: tentative collisions per real one. 1 = none is wasted.
double majorantRatio(const Volume& volume);

/// The paths of a picture.
struct PathCost {
    double seconds = 0;      // per path, on all threads of the program together
    double scatterings = 0;  // in snow, per path
    /// Film::noise() of 2, 4, 8, ... paths per pixel. It falls more slowly than their root: few paths find few of the
    /// rare bright ones, which make much of the variance.
    std::vector<double> noises;

    /// Film::noise() of so many paths per pixel: between the measured numbers, and beyond them, by a power law.
    double noiseOf(double paths) const;
    /// The paths per pixel that bring Film::noise() down to the target; at least 1.
    double pathsTo(double noiseTarget) const;
};
/// `filterRadius_px`: FrameSettings::filter_radius_px.
PathCost measurePaths(const RenderScene& scene, const PlacedCamera& camera, const PixelWindow& window,
                      double filterRadius_px);

/// How far paths that end on a light cache are off, relative to luminance, over squares of the picture: all of them,
/// those in the sun, in shadow, and near bodies. A kind without squares has no value.
struct CacheBias {
    std::optional<Measured> all, sun, shadow, near_bodies;
    int squares = 0;
};
/// `caches`: at least two, filled with different seeds.
CacheBias measureCacheBias(const RenderScene& scene, const PlacedCamera& camera, const PixelWindow& window,
                           const std::vector<const LightCache*>& caches);

/// White furnace: the snow alone, with albedo 1, under a sky of radiance 1. Every camera ray reads 1.
Measured furnace(const RenderScene& scene, const PlacedCamera& camera, const PixelWindow& window);

/// Scatterings of isotropic light that enters the box around the snow, with albedo 1; `expected` receives 4 int sigma_s
/// dV / S, where S is the surface of the box (Blanco and Fournier 2003).
Measured scatteringsInBox(const RenderScene& scene, double& expected);

}  // namespace firn
