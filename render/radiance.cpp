#include "render/radiance.h"

#include "render/light_cache.h"
#include "render/path.h"

namespace firn {
namespace {

/// An unbiased estimate of the share of light that reaches the ray's origin from this distance.
float visibility(const RenderScene& scene, const Ray& ray, float distance, Sampler& sampler)
{
    constexpr float shortOfLight = 0.9999f;  // a surface on which the light lies does not hide it
    float result = 1;
    if (scene.volume != nullptr) {
        const float tMax = distance / scene.volume->voxelSize_m();
        result = estimateTransmittance(*scene.volume, toIndex(*scene.volume, ray), tMax, sampler);
    }
    const bool hidden =
        result > 0 && scene.surfaces != nullptr && scene.surfaces->occluded(ray, shortOfLight * distance);
    return hidden ? 0 : result;
}

/// One over the probability of tracing a shadow ray, or zero if roulette decides against it.
float shadowWeight(const RenderScene& scene, const Vertex& vertex, std::size_t light, Sampler& sampler)
{
    if (light >= scene.shadow_roulettes.size() || vertex.onSurface()) return 1;
    const float probability = scene.shadow_roulettes[light].probability(vertex.position);
    return probability >= 1 ? 1 : sampler.uniform() < probability ? 1 / probability : 0;
}

/// The part of a light that is left to scattered rays, where light sampling finds it too (balance heuristic, Veach
/// 1997); `density` is that of scattering along the ray.
float shareOfScattering(const Light& light, const Ray& ray, float density)
{
    if (light.foundBy() == FoundBy::Both) return density / (density + light.density(ray));
    return light.foundBy() == FoundBy::Scattering ? 1 : 0;
}

/// Light that comes to the vertex straight from the lights and leaves it against `incoming`, without albedo: the part
/// that light sampling finds; `alone`: all of the sampled lights, where no scattered ray follows.
Vec3f directLight(const RenderScene& scene, const Vertex& vertex, float time, const Vec2f& u, bool alone,
                  Sampler& sampler)
{
    Vec3f result = Vec3f::Zero();
    const std::vector<const Light*>& lights = scene.lights.sampled();
    for (std::size_t i = 0; i < lights.size(); ++i) {
        const float weight = shadowWeight(scene, vertex, i, sampler);
        if (weight <= 0) continue;
        const LightSample sample = lights[i]->sample(vertex.position, u);
        const float density = vertex.density(sample.direction);
        if (density <= 0 || sample.scale <= 0) continue;
        const Ray ray = vertex.toward(sample.direction, time);
        const float share = alone ? 1 : 1 - shareOfScattering(*lights[i], ray, density);
        const float visible = visibility(scene, ray, sample.distance, sampler);
        result += sample.irradiance * (weight * share * sample.scale * density * visible);
    }
    return result;
}

/// Light that comes back along the ray without scattering: from lights before its end and from the surface at its end.
/// `last` is the vertex that scattered the ray. Camera rays have none; they see all lights.
Vec3f lightAlong(const RenderScene& scene, const Vertex& last, const Ray& ray, const Vertex& end)
{
    Vec3f result = end.emission;
    if (!scene.lights.mayMeet(end.t)) return result;
    const float density = last.exists() ? last.density(ray.direction) : 0;
    for (const auto& light : scene.lights.all()) {
        const float share = last.exists() ? shareOfScattering(*light, ray, density) : 1;
        if (share > 0) result += light->radiance(ray, end.t) * share;
    }
    return result;
}

void recordFirst(PathResult& result, const RenderScene& scene, const Vertex& vertex)
{
    result.alpha = 1;
    result.depth = vertex.t;
    result.position = vertex.position;
    result.albedo = vertex.albedo;
    result.hit_medium = !vertex.onSurface();
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
    float depth = sampleOpticalDepth(sampler.stratified(Event::FirstFlight).x());
    Vertex vertex;
    FreeSphere free;
    float surfaces = 1;  // product of the albedos of surfaces
    for (int scatterings = 0;; ++scatterings) {
        const bool first = scatterings == 0;
        const Vertex last = vertex;
        vertex = nextVertex(scene, ray, depth, free, sampler);
        result.radiance += throughput.cwiseProduct(lightAlong(scene, last, ray, vertex));
        if (scatterings <= 1) result.direct = result.radiance;
        if (!vertex.exists()) break;
        if (first) recordFirst(result, scene, vertex);
        result.collisions += !vertex.onSurface();
        result.scatterings += vertex.onSurface() ? 0 : result.weight;
        result.capped = scene.max_bounces > 0 && scatterings == scene.max_bounces;
        if (result.capped) break;

        throughput = throughput.cwiseProduct(vertex.albedo);
        Vec3f cached;
        const bool ends = scene.light_cache != nullptr && !vertex.onSurface() &&
                          scene.light_cache->scattered(vertex.position, vertex.incoming, cached);
        if (!scene.lights.sampled().empty()) {
            const Vec2f u = first ? sampler.stratified(Event::FirstLight) : sampler.uniform2();
            result.radiance += throughput.cwiseProduct(directLight(scene, vertex, ray.time, u, ends, sampler));
            if (first) result.direct = result.radiance;
        }
        if (ends) {
            result.radiance += throughput.cwiseProduct(cached);
            break;
        }
        if (vertex.onSurface()) surfaces *= vertex.albedo.maxCoeff();
        const float factor = roulette(throughput, scatterings, surfaces, sampler);
        if (factor == 0) break;
        throughput *= factor;
        result.weight *= factor;
        const Vec2f u = first ? sampler.stratified(Event::FirstScatter) : sampler.uniform2();
        ray = vertex.toward(vertex.scatter(u), ray.time);
        depth = sampleOpticalDepth(sampler.uniform());
    }
    if (result.alpha == 0) result.direct.setZero();  // it was the background
    if (result.alpha > 0) result.indirect = result.radiance - result.direct;
    return result;
}

}  // namespace firn
