#pragma once
// How early Russian roulette ends the paths of a picture. Light of high orders varies little under an even sky, so
// ending its paths costs more than it saves; in sunlight it saves a third of the time or more. Some paths through the
// picture are traced with several factors, and the factor with the least variance times cost is taken. They have random
// numbers of their own, so the choice does not depend on the samples of the picture, and the mean stays.

#include <cstdint>

namespace firn {

class PlacedCamera;
struct RenderScene;

/// The factor of worthwhile throughputs for RenderScene::roulette_factor. 1 where paths are too short for a choice. The
/// same for any number of threads.
float rouletteFactor(const RenderScene& scene, const PlacedCamera& camera);

/// Variance of the luminance of a path through the picture, times its cost in scatterings.
double pathCostOfVariance(const RenderScene& scene, const PlacedCamera& camera, float factor);

}  // namespace firn
