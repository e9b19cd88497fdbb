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
    /// Spheres by component, so that density() runs in vector registers.
    struct Group {
        std::vector<float> x, y, z, radius;
        Sphere at(std::size_t i) const { return {{x[i], y[i], z[i]}, radius[i]}; }
        /// Negative where the line of a ray does not meet the sphere (m^2). It may be positive where it nearly does.
        float marginOf(std::size_t i, const Ray& ray) const
        {
            constexpr float wider = 1.001f;
            const Vec3f &o = ray.origin, &d = ray.direction;
            float px = x[i] - o.x(), py = y[i] - o.y(), pz = z[i] - o.z();
            const float along = px * d.x() + py * d.y() + pz * d.z();
            px -= along * d.x();
            py -= along * d.y();
            pz -= along * d.z();
            return wider * radius[i] * radius[i] - (px * px + py * py + pz * pz);
        }
    };

    Sphere chosen(float ofGroup, float ofSphere) const;
    float density(const Light& lamp, const Ray& ray) const;

    std::array<Group, levels> m_groups;
    Sphere m_scene;
};

}  // namespace firn
