#pragma once
// Rays on which the light of lamps enters a scene, aimed at what the camera sees.

#include <array>
#include <vector>

#include "render/light.h"
#include "render/sampler.h"

namespace firn {

/// A ray leaves a lamp through a point that is chosen evenly on one of many spheres. The spheres around few seen places
/// are small, and half of the rays pass one of them; a quarter pass one of those twice as full, and so on, until the
/// last one, which holds the scene. So most light is sampled where it is seen, and all of it has a chance.
class LampPhotons {
public:
    /// The sphere that holds the scene. Others are added in groups.
    LampPhotons(const Vec3f& center, float radius);

    /// Adds a sphere (m) around seen places to group `level`: 0 has the fewest places in each.
    void add(std::size_t level, const Vec3f& center, float radius);

    struct LampRay {
        Ray ray;
        Vec3f power = Vec3f::Zero();  // W, as if this ray were the only one; zero where there is no light
    };
    /// `choice` chooses group and sphere, `place` the point on it, `u` the point of the lamp. All uniform in [0, 1).
    LampRay sample(const Light& lamp, const Vec2f& choice, const Vec2f& place, const Vec2f& u) const;

    static constexpr std::size_t levels = 8;

private:
    struct Sphere {
        Vec3f center;
        float radius;
    };

    const Sphere& chosen(float ofGroup, float ofSphere) const;
    float density(const Light& lamp, const Ray& ray) const;

    std::array<std::vector<Sphere>, levels> m_spheres;
    Sphere m_scene;
};

}  // namespace firn
