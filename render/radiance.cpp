#include "render/radiance.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <vector>

#include "render/light_cache.h"
#include "render/path_wave.h"
#include "render/shadow_rays.h"
#include "render/tracking.h"

namespace firn {

namespace {

constexpr int waveSize = 1024;  // paths; their state fits the second-level cache

/// Camera paths from their starts to their results.
class CameraPaths {
public:
    CameraPaths(const RenderScene& scene, int count, const std::function<PathStart(int)>& start,
                const std::function<void(int, const PathResult&)>& finish)
        : m_scene(scene),
          m_total(count),
          m_start(start),
          m_finish(finish),
          m_groups(scene.lights.hasGroups() ? scene.lights.groupCount() : 0),
          m_wave(scene, std::min(count, waveSize)),
          m_shadows(scene, m_wave.capacity())
    {
    }

    void run()
    {
        while (takeStarts()) {
            m_wave.findVertices();
            endInHoldouts();
            if (m_scene.catches_shadows) seeUnshadowed();
            seeLights();
            endOutside();
            m_wave.absorb();
            recordVertices();
            endOnCache();
            for (std::size_t light = 0; light < m_scene.lights.sampled().size(); ++light) gatherLight(light);
            finishOnCache();
            m_wave.roulette(m_ends);
            finishEnds();
            m_wave.scatter([&](int i) { return at(i).sampler.stratified(Sampler::Event::FirstScatter); });
        }
    }

private:
    struct Path {
        int number = 0;
        Sampler sampler{0, 0, 0};
        PathResult result;
        bool ends = false;
        bool is_caught = false;     // the camera sees a shadow catcher
        bool meets_others = false;  // since then: snow, or a body that is no holdout
    };

    /// Calls visit(i) for the paths in chosen(first): lanes from path `first` on.
    template <class Chosen, class Visit>
    void forPaths(Chosen chosen, Visit visit) const
    {
        for (int first = 0; first < m_wave.count(); first += laneCount)
            forLanes(chosen(first), [&](int lane) { visit(first + lane); });
    }

    Path& at(int i) { return m_wave.of(i); }

    /// Starts paths in all free places. False when no path is left.
    bool takeStarts()
    {
        for (; !m_wave.isFull() && m_next < m_total; ++m_next) {
            PathStart start = m_start(m_next);
            const float depth = sampleOpticalDepth(start.sampler.stratified(Sampler::Event::FirstFlight).x());
            const std::uint64_t key = start.sampler.nextWord();
            Path path{m_next, start.sampler, {}};
            path.result.ray = start.ray;
            path.result.depth = infinity;
            path.result.of_groups.setZero(3, m_groups);
            m_wave.add(start.ray, depth, key, path);
        }
        return m_wave.count() > 0;
    }

    void finish(int i)
    {
        PathResult& result = at(i).result;
        result.weight = m_wave.weight(i);
        result.collisions = m_wave.collisions(i);
        result.scatterings = static_cast<double>(m_wave.weightedCollisions(i));
        if (result.alpha > 0) result.indirect = result.radiance - result.direct;
        result.radiance += result.sky;
        m_finish(at(i).number, result);
        m_wave.remove(i);
    }

    /// Adds light of a group that has been scattered `scatterings` times.
    void add(int i, int scatterings, int group, const Vec3f& light)
    {
        PathResult& result = at(i).result;
        if (at(i).is_caught) {
            if (scatterings <= 1 || at(i).meets_others) result.caught += light;
            return;
        }
        result.radiance += light;
        if (scatterings <= 1) result.direct += light;
        addOfGroup(i, group, light);
    }

    void addOfGroup(int i, int group, const Vec3f& light)
    {
        if (m_groups > 0) at(i).result.of_groups.col(group) += light;
    }

    /// Light that comes back along the rays without scattering: from lights before their ends and from surfaces at
    /// their ends. Camera rays see all lights; other rays the part that light sampling leaves to them.
    void seeLights()
    {
        const bool inSpace = m_scene.lights.mayMeet(0);
        const auto chosen = [&](int first) {
            return inSpace ? m_wave.lanesInUse(first) : m_wave.leaving(first) | m_wave.atSurfaces(first);
        };
        forPaths(chosen, [&](int i) {
            const bool mayMeet = m_scene.lights.mayMeet(m_wave.t(i));
            if (m_wave.isOnSurface(i) && !seesCatcher(i)) addArriving(i, restGroup, m_wave.surface(i).emission);
            if (!mayMeet) return;
            addLightAlong(i);
            if (m_wave.scatterings(i) == 0 && !m_scene.hides_sky) addSky(i);
        });
    }

    /// Adds light that comes along the ray of a path.
    void addArriving(int i, int group, const Vec3f& light)
    {
        if (!light.isZero(0)) add(i, m_wave.scatterings(i), group, m_wave.throughput(i).cwiseProduct(light));
    }

    /// What the camera sees behind everything.
    void addSky(int i)
    {
        const Lights& lights = m_scene.lights;
        for (std::size_t k = 0; k < lights.all().size(); ++k) {
            const Light& light = *lights.all()[k];
            if (!light.isAtInfinity() || !light.isVisible()) continue;
            const Vec3f seen = m_wave.throughput(i).cwiseProduct(light.radiance(m_wave.ray(i), m_wave.t(i)));
            at(i).result.sky += seen;
            addOfGroup(i, lights.groupOf(k), seen);
        }
    }

    /// Without the sky that the camera sees.
    void addLightAlong(int i)
    {
        const Lights& lights = m_scene.lights;
        const bool isScattered = m_wave.scatterings(i) > 0;
        for (std::size_t k = 0; k < lights.all().size(); ++k) {
            const Light& light = *lights.all()[k];
            const bool isLeftOut =
                isScattered ? light.foundBy() == FoundBy::LightSampling : light.isAtInfinity() || !light.isVisible();
            if (isLeftOut) continue;
            const Vec3f seen = light.radiance(m_wave.ray(i), m_wave.t(i));
            if (seen.isZero(0)) continue;
            const float share = isScattered ? shareOfScattering(light, m_wave.ray(i), m_wave.density(i)) : 1;
            addArriving(i, lights.groupOf(k), seen * share);
        }
    }

    /// The part of a light that is left to scattered rays, where light sampling finds it too (balance heuristic, Veach
    /// 1997); `density` is that of scattering along the ray.
    static float shareOfScattering(const Light& light, const Ray& ray, float density)
    {
        if (light.foundBy() == FoundBy::Both) return density / (density + light.density(ray));
        return light.foundBy() == FoundBy::Scattering ? 1 : 0;
    }

    /// Camera rays that meet a holdout find nothing but lamps before it, and alpha 0. Other rays see its surface.
    void endInHoldouts()
    {
        forPaths([&](int first) { return m_wave.unscattered(first) & m_wave.atSurfaces(first); },
                 [&](int i) {
                     if (!m_wave.surface(i).is_holdout || seesCatcher(i)) return;
                     if (m_scene.lights.mayMeet(m_wave.t(i))) addLightAlong(i);
                     m_ends.push_back(i);
                 });
        finishEnds();
    }

    /// Whether the path's first vertex is on a shadow catcher.
    bool seesCatcher(int i) const
    {
        return m_wave.scatterings(i) == 0 && m_wave.isOnSurface(i) && m_wave.surface(i).catches_shadows;
    }

    /// Adds what scattered rays from shadow catchers would find without snow and other bodies.
    void seeUnshadowed()
    {
        const Lights& lights = m_scene.lights;
        for (int i = 0; i < m_wave.count(); ++i) {
            if (!at(i).is_caught || m_wave.scatterings(i) != 1) continue;
            const Ray ray = m_wave.ray(i);
            const float end = distanceToHoldout(ray, infinity);
            for (const auto& light : lights.all()) {
                if (light->foundBy() == FoundBy::LightSampling) continue;
                const float share = shareOfScattering(*light, ray, m_wave.density(i));
                at(i).result.unshadowed += share * m_wave.throughput(i).cwiseProduct(light->radiance(ray, end));
            }
        }
    }

    /// From the ray's origin to the first holdout or shadow catcher that is nearer than tMax, or else infinity.
    float distanceToHoldout(Ray ray, float tMax) const
    {
        constexpr int most = 64;  // surfaces on the way
        float passed = 0;
        SurfaceHit hit;
        for (int i = 0; i < most && m_scene.surfaces->intersect(ray, tMax - passed, hit); ++i) {
            passed += hit.t;
            if (hit.is_holdout) return passed;
            ray.origin = ray.at(hit.t);
        }
        return infinity;
    }

    void endOutside()
    {
        m_wave.findLeaving(m_ends);
        finishEnds();
    }

    /// Finishes the paths of m_ends, which are in ascending order.
    void finishEnds()
    {
        for (; !m_ends.empty(); m_ends.pop_back()) finish(m_ends.back());
    }

    void recordVertices()
    {
        if (m_scene.catches_shadows) findCaught();
        forPaths([&](int first) { return m_wave.unscattered(first); },
                 [&](int i) {
                     if (!at(i).is_caught) recordFirst(i, at(i).result);
                 });
        if (m_scene.max_bounces == 0) return;
        for (int i = m_wave.count() - 1; i >= 0; --i) {
            at(i).result.capped = m_wave.scatterings(i) == m_scene.max_bounces;
            if (at(i).result.capped) finish(i);
        }
    }

    void findCaught()
    {
        for (int i = 0; i < m_wave.count(); ++i) {
            if (seesCatcher(i))
                at(i).is_caught = true;
            else if (!m_wave.isOnSurface(i) || !m_wave.surface(i).is_holdout)
                at(i).meets_others = true;
        }
    }

    void recordFirst(int i, PathResult& result) const
    {
        const bool onSurface = m_wave.isOnSurface(i);
        result.alpha = 1;
        result.depth = m_wave.t(i);
        result.position = m_wave.position(i);
        result.hit_medium = !onSurface;
        result.albedo = onSurface ? m_wave.surface(i).material.color : m_scene.medium.albedoAt(result.position);
        result.normal =
            onSurface ? m_wave.surface(i).normal : (-m_scene.volume->gradient(result.position)).stableNormalized();
    }

    /// Paths that the light cache ends take its light. Light sampling follows once more.
    void endOnCache()
    {
        if (m_scene.light_cache == nullptr) return;
        const int groups = m_scene.lights.groupCount();
        GroupedLight light(3, groups);
        for (int i = 0; i < m_wave.count(); ++i) {
            at(i).ends =
                !m_wave.isOnSurface(i) && m_scene.light_cache->scattered(m_wave.position(i), m_wave.incoming(i), light);
            if (!at(i).ends) continue;
            for (int group = 0; group < groups; ++group)
                add(i, 2, group, m_wave.throughput(i).cwiseProduct(light.col(group)));
        }
    }

    void finishOnCache()
    {
        for (int i = m_wave.count() - 1; i >= 0; --i) {
            if (at(i).ends) finish(i);
        }
    }

    /// Light that comes straight from a light to the vertices.
    void gatherLight(std::size_t light)
    {
        m_shadows.clear();
        for (int i = 0; i < m_wave.count(); i += laneCount) {
            const Floats probability = shadowProbability(i, light);
            const LaneBits traced = m_wave.lanesInUse(i) & bitsOf(m_wave.uniforms(i).first < probability);
            const Floats weight = 1.f / probability;
            forLanes(traced, [&](int lane) { addShadowRay(i + lane, *m_scene.lights.sampled()[light], weight[lane]); });
        }
        const int group = m_scene.lights.groupOfSampled(light);
        m_shadows.trace([&](int i, const Vec3f& arrives) { add(i, m_wave.scatterings(i) + 1, group, arrives); });
    }

    /// With which to trace shadow rays from the paths from `first` on.
    Floats shadowProbability(int first, std::size_t light) const
    {
        if (light >= m_scene.shadow_roulettes.size()) return floats(1);
        const Ints onSurface = m_wave.onSurfaces(first);
        const VectorColumn& p = m_wave.positions();
        const Floats inMedium = m_scene.shadow_roulettes[light].probabilities(
            p.x.lanes(first), p.y.lanes(first), p.z.lanes(first), maskOf(m_wave.lanesInUse(first)));
        return select(onSurface, floats(1), inMedium);
    }

    void addShadowRay(int i, const Light& light, float weight)
    {
        const bool first = m_wave.scatterings(i) == 0;
        const Vec2f u = first ? at(i).sampler.stratified(Sampler::Event::FirstLight) : m_wave.uniform2(i);
        const LightSample sample = light.sample(m_wave.position(i), u);
        const auto [density, tint] = m_wave.scattering(i, sample.direction);
        if (density <= 0 || sample.scale <= 0) return;
        const Ray ray{m_wave.position(i), sample.direction, m_wave.time(i)};
        const float share = at(i).ends ? 1 : 1 - shareOfScattering(light, ray, density);  // nothing follows an end
        const Vec3f scattered = m_wave.throughput(i).cwiseProduct(sample.irradiance).cwiseProduct(tint) *
                                (weight * share * sample.scale * density);
        if (first && at(i).is_caught && distanceToHoldout(ray, ShadowRays::end(sample.distance)) == infinity)
            at(i).result.unshadowed += scattered;
        m_shadows.add(i, ray, sample.distance, scattered, m_wave.nextWord(i));
    }

    const RenderScene& m_scene;
    static constexpr int restGroup = 0;  // that of bodies with emission

    int m_total, m_next = 0;
    const std::function<PathStart(int)>& m_start;
    const std::function<void(int, const PathResult&)>& m_finish;
    int m_groups;  // of lights; 0 = none
    WaveOf<Path> m_wave;
    std::vector<int> m_ends;
    ShadowRays m_shadows;
};

}  // namespace

void tracePaths(const RenderScene& scene, int count, const std::function<PathStart(int)>& start,
                const std::function<void(int, const PathResult&)>& finish)
{
    CameraPaths(scene, count, start, finish).run();
}

void tracePathsInParallel(const RenderScene& scene, int count, const std::function<PathStart(int)>& start,
                          const std::function<void(int, const PathResult&)>& finish)
{
    constexpr int atOnce = 4096;
    tbb::parallel_for(0, (count + atOnce - 1) / atOnce, [&](int part) {
        const int first = part * atOnce;
        tracePaths(
            scene, std::min(atOnce, count - first), [&](int i) { return start(first + i); },
            [&](int i, const PathResult& result) { finish(first + i, result); });
    });
}

PathResult radiance(const RenderScene& scene, const Ray& cameraRay, Sampler& sampler)
{
    PathResult found;
    const auto start = [&](int) { return PathStart{cameraRay, sampler}; };
    tracePaths(scene, 1, start, [&](int, const PathResult& result) { found = result; });
    return found;
}

}  // namespace firn
