#include "render/radiance.h"

#include <algorithm>
#include <cmath>

#include "render/free_sphere.h"
#include "render/phase.h"
#include "render/tracking.h"

namespace firn {
namespace {

constexpr auto pif = static_cast<float>(pi);

/// A place where light is scattered: a point of the medium, or of a diffuse surface where `normal` is not zero.
struct Vertex {
    float t = infinity;  // metres along the ray that found it; infinite = the ray left the scene
    Vec3f position, incoming, albedo;
    Vec3f normal = Vec3f::Zero();
    float g = 0;

    bool exists() const { return t < infinity; }
    bool onSurface() const { return !normal.isZero(0); }

    /// Scattered per incident radiance and steradian, over albedo: phase function, or cosine over pi. As both are
    /// sampled exactly, it is also the density of scatter().
    float density(const Vec3f& outgoing) const
    {
        return onSurface() ? std::max(0.0f, normal.dot(outgoing)) / pif : henyeyGreenstein(incoming.dot(outgoing), g);
    }

    Vec3f scatter(Vec2f u) const
    {
        return onSurface() ? deflect(normal, std::sqrt(1 - u.x()), u.y())
                           : deflect(incoming, sampleHenyeyGreenstein(g, u.x()), u.y());
    }

    Ray toward(const Vec3f& direction) const { return {position, direction}; }
};

Ray toIndex(const Volume& volume, const Ray& ray) { return {volume.toIndex(ray.origin), ray.direction}; }

/// Metres to the next collision with the medium, within tMax.
float nextCollision(const RenderScene& scene, const Ray& ray, float depth, Sampler& sampler)
{
    if (scene.volume == nullptr) return infinity;
    return scene.volume->voxelSize_m() *
           sampleFlight(*scene.volume, toIndex(*scene.volume, ray), infinity, depth, sampler);
}

/// Collision with the medium or surface, whichever is nearer. Most flights in snow are short, so the medium is asked
/// first.
Vertex nextVertex(const RenderScene& scene, const Ray& ray, float depth, FreeSphere& free, Sampler& sampler)
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
    }
    if (!vertex.exists()) return vertex;
    vertex.position = ray.at(vertex.t);
    if (vertex.onSurface()) {  // off the surface by more than rounding
        vertex.position += vertex.normal * (1e-5F + 0x1p-17F * vertex.position.cwiseAbs().maxCoeff());
    }
    return vertex;
}

/// An unbiased estimate of the visibility of what lies in the ray's direction at infinity.
float visibility(const RenderScene& scene, const Ray& ray, Sampler& sampler)
{
    float result = 1;
    if (scene.volume != nullptr) {
        result = estimateTransmittance(*scene.volume, toIndex(*scene.volume, ray), infinity, sampler);
    }
    return result > 0 && scene.surfaces != nullptr && scene.surfaces->occluded(ray, infinity) ? 0 : result;
}

/// One over the probability of tracing a shadow ray, or zero if roulette spares it.
float shadowWeight(const RenderScene& scene, const Vertex& vertex, std::size_t sun, Sampler& sampler)
{
    if (sun >= scene.shadow_roulettes.size() || vertex.onSurface()) return 1;
    const float probability = scene.shadow_roulettes[sun].probability(vertex.position);
    return probability >= 1 ? 1 : sampler.uniform() < probability ? 1 / probability : 0;
}

Vec3f sunLight(const RenderScene& scene, const Vertex& vertex, Vec2f u, Sampler& sampler)
{
    Vec3f result = Vec3f::Zero();
    for (std::size_t i = 0; i < scene.lights.suns().size(); ++i) {
        const float weight = shadowWeight(scene, vertex, i, sampler);
        if (weight <= 0) continue;
        const Sun& sun = scene.lights.suns()[i];
        const Vec3f direction = sun.sample(u);
        const float density = vertex.density(direction);
        if (density <= 0) continue;
        // irradiance / (pi sin^2 r) times the disc's solid angle 2 pi (1 - cos r)
        const float disc = 2 / (2 - sun.one_minus_cos_radius);
        const float visible = visibility(scene, vertex.toward(direction), sampler);
        result += sun.irradiance * (weight * disc * density * visible);
    }
    return result;
}

/// Of light sampling against scattering where both find the environment (balance heuristic, Veach 1997).
float lightWeight(const RenderScene& scene, const Vertex& vertex, const Vec3f& direction)
{
    if (scene.environment_sampling != EnvironmentSampling::Both) {
        return scene.environment_sampling == EnvironmentSampling::Light ? 1 : 0;
    }
    const float lightPdf = scene.lights.environmentPdf(direction);
    return lightPdf / (lightPdf + vertex.density(direction));
}

/// The environment as seen by a path that leaves the scene from the vertex.
Vec3f environmentBehind(const RenderScene& scene, const Vertex& vertex, const Vec3f& direction)
{
    return scene.lights.environment(direction) * (1 - lightWeight(scene, vertex, direction));
}

Vec3f environmentLight(const RenderScene& scene, const Vertex& vertex, Vec2f u, Sampler& sampler)
{
    if (scene.environment_sampling == EnvironmentSampling::Scatter) return Vec3f::Zero();
    if (!scene.lights.hasEnvironment()) return Vec3f::Zero();
    const EnvironmentSample sample = scene.lights.sampleEnvironment(u);
    const float density = vertex.density(sample.direction);
    if (density <= 0) return Vec3f::Zero();
    const float weight = lightWeight(scene, vertex, sample.direction) * density / sample.pdf;
    return scene.lights.environment(sample.direction) *
           (weight * visibility(scene, vertex.toward(sample.direction), sampler));
}

/// Light that arrives at the vertex unscattered and leaves against `incoming`, over albedo.
Vec3f directLight(const RenderScene& scene, const Vertex& vertex, Vec2f u, Sampler& sampler)
{
    return sunLight(scene, vertex, u, sampler) + environmentLight(scene, vertex, u, sampler);
}

/// Russian roulette: whether the path goes on, its throughput raised so that the mean stays.
bool survives(Vec3f& throughput, Sampler& sampler)
{
    constexpr float threshold = 0.25f;
    const float value = throughput.maxCoeff();
    if (value >= threshold) return true;
    if (sampler.uniform() * threshold >= value) return false;
    throughput *= threshold / value;
    return true;
}

void recordFirst(PathResult& result, const RenderScene& scene, const Vertex& vertex)
{
    result.alpha = 1;
    result.depth = vertex.t;
    result.position = vertex.position;
    result.albedo = vertex.albedo;
    result.hitMedium = !vertex.onSurface();
    result.normal = vertex.onSurface() ? vertex.normal : -scene.volume->gradient(vertex.position).stableNormalized();
}

}  // namespace

PathResult radiance(const RenderScene& scene, const Ray& cameraRay, Sampler& sampler)
{
    using Event = Sampler::Event;
    PathResult result;
    result.depth = infinity;
    Ray ray = cameraRay;
    Vec3f throughput = Vec3f::Ones();
    float depth = exponential(sampler.stratified(Event::FirstFlight).x());
    Vertex vertex;
    FreeSphere free;
    for (int scatterings = 0;; ++scatterings) {
        const bool first = scatterings == 0;
        const Vertex last = vertex;
        vertex = nextVertex(scene, ray, depth, free, sampler);
        if (!vertex.exists()) {
            const Vec3f light =
                first ? scene.lights.background(ray.direction) : environmentBehind(scene, last, ray.direction);
            result.radiance += throughput.cwiseProduct(light);
            if (scatterings == 1) result.direct = result.radiance;
            break;
        }
        if (first) recordFirst(result, scene, vertex);
        result.collisions += !vertex.onSurface();
        result.capped = scene.max_bounces > 0 && scatterings == scene.max_bounces;
        if (result.capped) break;

        throughput = throughput.cwiseProduct(vertex.albedo);
        if (scene.samplesLights()) {
            const Vec2f u = first ? sampler.stratified(Event::FirstLight) : sampler.uniform2();
            result.radiance += throughput.cwiseProduct(directLight(scene, vertex, u, sampler));
            if (first) result.direct = result.radiance;
        }
        if (!survives(throughput, sampler)) break;
        ray = vertex.toward(vertex.scatter(first ? sampler.stratified(Event::FirstScatter) : sampler.uniform2()));
        depth = exponential(sampler.uniform());
    }
    if (result.alpha > 0) result.indirect = result.radiance - result.direct;
    return result;
}

}  // namespace firn
