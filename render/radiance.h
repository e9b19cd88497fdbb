#pragma once
// The radiance that arrives along a ray: unidirectional path tracing of the volume scattering equation
//   L(x,w) = int_0^s T(x,y) sigma_s(y) int p(w.w') L(y,w') dw' dy + T(x,z) L_surface(z,w)
// with grey extinction, so that one path carries all three colours. Multiple importance sampling after Veach 1997.

#include <functional>

#include "render/ray.h"
#include "render/render_scene.h"
#include "render/sampler.h"

namespace firn {

/// What one path found: radiance = direct + indirect + sky, and the sum of of_groups where lights have groups.
struct PathResult {
    Ray ray;  // of the camera
    Vec3f radiance = Vec3f::Zero();
    Vec3f direct = Vec3f::Zero();    // scattered at most once; also of lamps that the camera sees
    Vec3f indirect = Vec3f::Zero();  // scattered more than once
    Vec3f sky = Vec3f::Zero();       // of lights at infinity that the camera sees behind everything
    GroupedLight of_groups = {};     // radiance by group of lights
    // If the camera ray meets a shadow catcher: the light that it sends back, straight from lights or by way of snow
    // and other bodies; and what lights would send if there were holdouts and shadow catchers alone.
    Vec3f caught = Vec3f::Zero(), unshadowed = Vec3f::Zero();
    float alpha = 0;                 // 1 if the camera ray met snow or a surface
    float depth = 0;                 // metres along the camera ray to that first vertex, infinity without one
    Vec3f position = Vec3f::Zero();  // of the first vertex
    Vec3f normal = Vec3f::Zero();    // there: of the surface, or against the gradient of density
    Vec3f albedo = Vec3f::Zero();    // there
    bool hit_medium = false;         // the first vertex lies in the medium
    int collisions = 0;              // scatterings in the medium along the whole path
    float weight = 1;                // how many paths this one stands for at its end: what roulette raised it by
    double scatterings = 0;          // in the medium, each with the weight that the path had: independent of roulette
    bool capped = false;             // ended by max_bounces
};

/// Where a path begins. The sampler's next word starts the path's own random numbers; its first events take the
/// stratified points.
struct PathStart {
    Ray ray;
    Sampler sampler;
};

/// Traces `count` paths, many at a time. `start(i)` begins path i, and `finish(i, result)` takes what it found; both
/// are called on this thread, `finish` in any order. What a path finds does not depend on the other paths.
void tracePaths(const RenderScene& scene, int count, const std::function<PathStart(int)>& start,
                const std::function<void(int, const PathResult&)>& finish);

/// As tracePaths(), on many threads, which call `start` and `finish` at once.
void tracePathsInParallel(const RenderScene& scene, int count, const std::function<PathStart(int)>& start,
                          const std::function<void(int, const PathResult&)>& finish);

/// One path alone: several times slower than tracePaths().
PathResult radiance(const RenderScene& scene, const Ray& cameraRay, Sampler& sampler);

}  // namespace firn
