#pragma once
// One path from vertex to vertex: what camera paths (radiance.cpp) and the light cache (light_cache.cpp) have in
// common.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "render/free_sphere.h"
#include "render/phase.h"
#include "render/render_scene.h"
#include "render/tracking.h"

namespace firn {

inline constexpr auto pif = static_cast<float>(pi);

/// A place where light is scattered: a point of the medium, or of a diffuse surface where `normal` is not zero.
struct Vertex {
    float t = infinity;  // metres along the ray that found it; infinite = the ray left the scene
    Vec3f position, incoming, albedo;
    Vec3f normal = Vec3f::Zero();
    float g = 0;
    Vec3f emission = Vec3f::Zero();  // radiance that leaves it against `incoming`

    bool exists() const { return t < infinity; }
    bool onSurface() const { return !normal.isZero(0); }

    /// Phase function, or cosine over pi on a surface: scattered radiance per incident radiance and steradian, without
    /// albedo. scatter() samples both exactly, so this is also its density.
    float density(const Vec3f& outgoing) const
    {
        return onSurface() ? std::max(0.0f, normal.dot(outgoing)) / pif : henyeyGreenstein(incoming.dot(outgoing), g);
    }

    Vec3f scatter(Vec2f u) const
    {
        return onSurface() ? deflect(normal, std::sqrt(1 - u.x()), u.y())
                           : deflect(incoming, sampleHenyeyGreenstein(g, u.x()), u.y());
    }

    Ray toward(const Vec3f& direction, float time) const { return {position, direction, time}; }
};

inline Ray toIndex(const Volume& volume, const Ray& ray)
{
    return {volume.toIndex(ray.origin), ray.direction, ray.time};
}

/// Metres to the next collision with the medium; infinite without one.
inline float nextCollision(const RenderScene& scene, const Ray& ray, float depth, Sampler& sampler)
{
    if (scene.volume == nullptr) return infinity;
    return scene.volume->voxelSize_m() *
           sampleFlight(*scene.volume, toIndex(*scene.volume, ray), infinity, depth, sampler);
}

/// The next collision with the medium or a surface, whichever is nearer. Most flights in snow are short, so the medium
/// comes first.
inline Vertex nextVertex(const RenderScene& scene, const Ray& ray, float depth, FreeSphere& free, Sampler& sampler)
{
    Vertex vertex;
    vertex.t = nextCollision(scene, ray, depth, sampler);
    vertex.incoming = ray.direction;
    vertex.albedo = scene.medium.albedo;
    vertex.g = scene.medium.g;
    SurfaceHit hit;
    if (scene.surfaces != nullptr && free.mayMeet(*scene.surfaces, ray, vertex.t) &&
        scene.surfaces->intersect(ray, vertex.t, hit)) {
        vertex.t = hit.t;
        vertex.albedo = hit.albedo;
        vertex.normal = hit.normal;
        vertex.emission = hit.emission;
    }
    if (!vertex.exists()) return vertex;
    vertex.position = ray.at(vertex.t);
    if (vertex.onSurface()) {  // moved off the surface by more than rounding
        vertex.position += vertex.normal * (1e-5f + 0x1p-17f * vertex.position.cwiseAbs().maxCoeff());
    }
    return vertex;
}

/// The throughput that is worth the time of a path after this many scatterings. With n paths at an order of variance V
/// and cost C, the error times the time, sum(V / n) sum(n C), is least where n goes with the root of V / C. In snow,
/// light of higher orders costs more and varies less, so the worthwhile throughput grows with the root of the order.
inline float worthwhileThroughput(int scatterings)
{
    constexpr int fullOrders = 16;
    constexpr std::array<float, 33> byPowerOfTwo = [] {
        std::array<float, 33> values{0.5f};
        for (std::size_t i = 1; i < values.size(); ++i) values[i] = 1.41421356f * values[i - 1];
        return values;
    }();
    return byPowerOfTwo[static_cast<std::size_t>(std::bit_width(static_cast<unsigned>(scatterings) / fullOrders))];
}

/// Russian roulette: zero if it ends the path, or else the factor by which the throughput must rise, so that the mean
/// stays the same. `surfaces` is the product of the albedos of the path's surfaces: a dark boot needs as many paths as
/// snow.
inline float roulette(const Vec3f& throughput, int scatterings, float surfaces, Sampler& sampler)
{
    const float worthwhile = surfaces * worthwhileThroughput(scatterings);
    const float value = throughput.maxCoeff();
    if (value > 0 && value >= worthwhile) return 1;
    return sampler.uniform() * worthwhile < value ? worthwhile / value : 0;
}

}  // namespace firn
