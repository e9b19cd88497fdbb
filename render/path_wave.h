#pragma once
// Many paths that go from vertex to vertex together: what camera paths (radiance.cpp) and photons
// (light_cache_fill.cpp) have in common. Each stage runs over all paths, sixteen or eight at a time. What a path does
// depends neither on its place nor on the other paths.

#include <vector>

#include "render/free_spheres.h"
#include "render/lanes.h"
#include "render/principled.h"
#include "render/render_scene.h"
#include "render/wide_tracking.h"

namespace firn {

/// A point of a surface at the end of a ray.
struct SurfaceVertex {
    Vec3f normal, emission;
    SurfaceMaterial material;
    bool is_holdout = false, catches_shadows = false;

    /// What is scattered to the side from which a ray came along `incoming`. The material must not be matte.
    Principled seenFrom(const Vec3f& incoming) const { return {material, normal, -incoming}; }

    /// Makes the material rougher for a path that rough surfaces or snow have scattered before. Few paths find what
    /// smooth surfaces focus on snow, and each of them is a bright dot; blurred, it has the same light and less noise
    /// (Kaplanyan and Dachsbacher 2013, Path space regularization for holistic and robust light transport).
    void blur(float roughnessSoFar);
};

class PathWave {
public:
    /// `scene` must outlive the wave.
    PathWave(const RenderScene& scene, int capacity);

    int count() const { return m_count; }
    int capacity() const { return m_capacity; }
    bool isFull() const { return m_count == m_capacity; }

    /// Adds a path with its first ray. `opticalDepth` is that to its first collision; `key` starts its random numbers.
    /// Returns its place.
    int add(const Ray& ray, float opticalDepth, std::uint64_t key);

    /// Ends a path: the last path takes its place.
    void remove(int path);

    /// Finds where the rays end: at the next collision with the medium or at a surface, whichever is nearer, or at
    /// infinity.
    void findVertices();

    float t(int path) const { return m_t[path]; }  // metres along the ray to its end
    /// The lanes from path `first` on whose rays leave the scene, and those whose rays end at a surface.
    LaneBits leaving(int first) const { return bitsOf(m_t.lanes(first) >= infinity) & lanesInUse(first); }
    LaneBits atSurfaces(int first) const { return bitsOf(m_onSurface.lanes(first)) & lanesInUse(first); }
    /// The paths that leave the scene, in ascending order.
    void findLeaving(std::vector<int>& paths) const;
    /// The lanes from path `first` on whose paths have not been scattered yet.
    LaneBits unscattered(int first) const { return bitsOf(m_scatterings.lanes(first) == 0) & lanesInUse(first); }
    bool isOnSurface(int path) const { return m_onSurface[path] != 0; }
    const SurfaceVertex& surface(int path) const { return m_surfaces[static_cast<std::size_t>(path)]; }
    Ray ray(int path) const { return {m_position[path], m_direction[path], m_time[path]}; }
    /// Density, per steradian, with which scattering chose the ray; 0 for the first ray of a path.
    float density(int path) const { return m_density[path]; }
    int scatterings(int path) const { return m_scatterings[path]; }

    /// Moves paths to their vertices and multiplies throughputs by the albedo there, but for glossy surfaces, whose
    /// scattering has it. No path may leave the scene.
    void absorb();

    /// Collisions with the medium so far, and their sum with the weights that the path had.
    int collisions(int path) const { return m_collisions[path]; }
    float weightedCollisions(int path) const { return m_weightedCollisions[path]; }

    /// After absorb(): the vertex, the direction in which the path came, and what is left of its light.
    const VectorColumn& positions() const { return m_position; }
    Vec3f position(int path) const { return m_position[path]; }
    Vec3f incoming(int path) const { return m_direction[path]; }
    Vec3f throughput(int path) const { return m_throughput[path]; }
    float time(int path) const { return m_time[path]; }
    Ints onSurfaces(int first) const { return m_onSurface.lanes(first); }
    /// What is scattered from a direction: density * tint is radiance per incident radiance and steradian, without the
    /// albedo of absorb(); density is also that of scatter().
    Scattering scattering(int path, const Vec3f& outgoing) const;

    /// Russian roulette. `ends` receives the paths that end, in ascending order; the throughputs of the others rise,
    /// so that the mean stays the same.
    void roulette(std::vector<int>& ends);
    /// How many paths this one stands for: what roulette has raised it by.
    float weight(int path) const { return m_weight[path]; }

    /// Chooses the next rays.
    void scatter()
    {
        scatter([this](int path) { return Vec2f(m_u[path], m_v[path]); });
    }
    /// As scatter(). `first(path)` gives the random numbers of a path's first scattering.
    template <class First>
    void scatter(First first)
    {
        drawForScattering();
        for (int i = 0; i < m_count; ++i) {
            if (m_scatterings[i] > 0) continue;
            const Vec2f u = first(i);
            m_u[i] = u.x();
            m_v[i] = u.y();
        }
        chooseDirections();
    }

    /// The next random numbers of a path, or of all paths from `first` on.
    std::uint64_t nextWord(int path) { return mixBits(m_random[path] += goldenStep); }
    Vec2f uniform2(int path);
    Uniforms uniforms(int first);

    /// Of the lanes from path `first` on, those that have a path.
    LaneBits lanesInUse(int first) const;

private:
    void fly();
    void meetSurfaces();
    void meetSurface(int path);
    void absorbInMixture(int path);
    void absorbAtSurface(int path);
    void scatterAtSurface(int path, const Vec3f& incoming);
    void scatterAtGloss(int path, const Vec3f& incoming);
    void drawForScattering();
    void chooseDirections();

    const RenderScene& m_scene;
    int m_capacity, m_count = 0;
    VectorColumn m_position;  // where the ray starts; after absorb(), the vertex
    VectorColumn m_direction, m_throughput;
    Column<float> m_t, m_depth, m_density, m_weight, m_time;
    Column<float> m_surfaceAlbedo;  // product of the albedos of the path's surfaces
    Column<float> m_roughness;      // the largest that the path was scattered by; 1 for snow
    Column<float> m_u, m_v;
    Column<float> m_weightedCollisions;
    Column<std::int32_t> m_scatterings, m_collisions, m_onSurface;
    Column<std::uint64_t> m_random;
    std::vector<SurfaceVertex> m_surfaces;
    FreeSpheres m_free;
    RayBatch m_rays;
};

/// A wave in which every path has data of its own.
template <class Data>
class WaveOf : public PathWave {
public:
    WaveOf(const RenderScene& scene, int capacity)
        : PathWave(scene, capacity), m_data(static_cast<std::size_t>(capacity))
    {
    }

    void add(const Ray& ray, float opticalDepth, std::uint64_t key, const Data& data)
    {
        of(PathWave::add(ray, opticalDepth, key)) = data;
    }

    void remove(int path)
    {
        PathWave::remove(path);
        of(path) = of(count());
    }

    /// Removes paths, given in ascending order.
    void remove(const std::vector<int>& paths)
    {
        for (std::size_t k = paths.size(); k-- > 0;) remove(paths[k]);
    }

    Data& of(int path) { return m_data[static_cast<std::size_t>(path)]; }

private:
    std::vector<Data> m_data;
};

}  // namespace firn
