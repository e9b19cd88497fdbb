#include "render/powder_clouds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "render/sampler.h"

namespace firn {

namespace {

constexpr int cloudsOfPuff = 4;
constexpr float smallestCloud = 0.2f, largestCloud = 0.5f;  // their radius, of that of the puff
constexpr float unevenness = 2.4f;                          // masses per area vary by up to e^2.4 both ways
constexpr std::uint64_t cloudSeed = 7;
// Clouds around their common centre are closer than those around the puff's. With this factor, they spread as far as an
// even ball on average (measured).
constexpr float apart = 1.3f;

Vec3f placeInBall(Sampler& sampler)
{
    for (;;) {
        const Vec2f u = sampler.uniform2();
        Vec3f place = 2 * Vec3f(u.x(), u.y(), sampler.uniform()) - Vec3f::Ones();
        if (place.squaredNorm() < 1) return place;
    }
}

std::array<PowderCloud, cloudsOfPuff> cloudsOf(const PowderPuffs& powder, std::size_t i)
{
    std::array<PowderCloud, cloudsOfPuff> clouds;
    float mass = 0;
    Vec3d center = Vec3d::Zero();
    for (std::size_t k = 0; k < clouds.size(); ++k) {
        Sampler sampler(cloudSeed, powder.id[i], static_cast<std::uint32_t>(k));
        const float size = smallestCloud + (largestCloud - smallestCloud) * sampler.uniform();
        const Vec3f place = apart * std::sqrt(1 - size * size) * placeInBall(sampler);
        clouds[k] = {(powder.radius_m[i] * place).cast<double>(), size * powder.radius_m[i],
                     size * size * std::exp(unevenness * (sampler.uniform() + sampler.uniform() - 1))};
        mass += clouds[k].mass_kg;
        center += static_cast<double>(clouds[k].mass_kg) * clouds[k].position_m;
    }
    for (PowderCloud& cloud : clouds) {
        cloud.position_m += powder.position_m[i] - center / static_cast<double>(mass);
        cloud.mass_kg *= powder.mass_kg[i] / mass;
    }
    return clouds;
}

}  // namespace

std::vector<PowderCloud> powderClouds(const PowderPuffs& powder, std::span<const SnowOptics> optics)
{
    std::vector<PowderCloud> clouds;
    clouds.reserve(cloudsOfPuff * powder.size());
    for (std::size_t i = 0; i < powder.size(); ++i) {
        const double opacity = optics[std::min<std::size_t>(powder.material[i], optics.size() - 1)].powder_m2_per_kg /
                               optics.front().extinction_m2_per_kg;
        for (PowderCloud cloud : cloudsOf(powder, i)) {
            cloud.mass_kg *= static_cast<float>(opacity);
            clouds.push_back(cloud);
        }
    }
    return clouds;
}

}  // namespace firn
