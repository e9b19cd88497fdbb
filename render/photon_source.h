#pragma once
// Chooses the rays on which light enters a scene, so that about as much of it arrives wherever the camera looks.

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "render/lamp_photons.h"
#include "render/light.h"
#include "render/lights.h"
#include "render/sampler.h"

namespace firn {

/// Light on its way into the scene.
struct Photon {
    Ray ray;
    Vec3f power = Vec3f::Zero();  // W, as if this photon were the only one
    bool is_sampled = false;      // light sampling finds this light (light.h)
    int group = 0;                // of the light
};

/// Places that the camera sees are grouped into spheres with equal numbers of places. A photon passes through a disc
/// around the center of a sphere, perpendicular to its direction. The disc has the sphere's radius times a power of
/// two; each doubling is half as likely. So most light is sampled where it is seen, and all of it has a chance. Light
/// of lamps goes through spheres instead (lamp_photons.h).
class PhotonSource {
public:
    /// `seen` (m): at least one place. `reach_m`: how far light spreads in snow, added to the spheres. Photons from
    /// infinity start outside the sphere of `radius` (m) around `center`, which should hold all bodies.
    PhotonSource(const Lights& lights, std::vector<Vec3f> seen, float reach_m, const Vec3f& center, float radius);

    /// The photons of a sampler's pixel together are stratified. Power is zero where no light comes from.
    Photon sample(Sampler& sampler) const;

    /// Power (W, luminance) of a typical photon where most of them are sampled.
    float leastPower() const;

private:
    static constexpr std::size_t targetCount = 128, lanes = 16;
    /// Spheres, by component, so that density() runs in vector registers.
    struct Targets {
        std::array<float, targetCount> x, y, z, inverse_square;  // 1 / radius^2
        Vec3f center(std::size_t i) const { return {x[i], y[i], z[i]}; }
    };
    struct Choice {
        std::shared_ptr<const Light> light;
        int group;
        float share;
    };

    void addTargets(std::span<Vec3f> places, std::size_t first, std::size_t count, float reach_m);
    void addLights(const Lights& lights);
    float density(const Vec3f& point, const Vec3f& direction) const;

    Targets m_targets;
    std::vector<Choice> m_lights;
    LampPhotons m_lampPhotons;
    Vec3f m_center;
    float m_radius;
    float m_power = 0;  // W / m^2 of all lights together, luminance
};

}  // namespace firn
