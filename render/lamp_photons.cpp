#include "render/lamp_photons.h"

#include <algorithm>
#include <cmath>

#include "render/phase.h"

namespace firn {

namespace {

/// The probability of a group. The last one, `level` = LampPhotons::levels, is the scene's sphere alone.
float shareOf(std::size_t level)
{
    return std::ldexp(1.0f, -static_cast<int>(std::min(level + 1, LampPhotons::levels)));
}

/// Density of the direction from a point to the lamp, per steradian; of a lamp without size, relative to that of its
/// only point. The ray leads to the lamp, which is at the distance.
float densityAt(const Light& lamp, const Ray& toLamp, float distance)
{
    const bool isPoint = lamp.foundBy() == FoundBy::LightSampling;
    return isPoint ? distance * distance : lamp.density(toLamp);
}

}  // namespace

LampPhotons::LampPhotons(const Vec3f& center, float radius) : m_scene{center, radius} {}

void LampPhotons::add(std::size_t level, const Vec3f& center, float radius)
{
    Group& group = m_groups.at(level);
    group.x.push_back(center.x());
    group.y.push_back(center.y());
    group.z.push_back(center.z());
    group.radius.push_back(radius);
}

/// By two uniform numbers in [0, 1).
LampPhotons::Sphere LampPhotons::chosen(float ofGroup, float ofSphere) const
{
    for (std::size_t level = 0; level < levels; ++level) {
        if (ofGroup < shareOf(level)) {
            const std::size_t count = m_groups[level].x.size();
            return m_groups[level].at(
                std::min(static_cast<std::size_t>(ofSphere * static_cast<float>(count)), count - 1));
        }
        ofGroup -= shareOf(level);
    }
    return m_scene;
}

/// Of a ray from the lamp, per area across it and per steradian: the sum over all points where it passes a sphere of
/// the probability to choose that point, and from there the lamp's.
float LampPhotons::density(const Light& lamp, const Ray& ray) const
{
    const auto ofSphere = [&](const Sphere& sphere) {
        const Vec3f offset = sphere.center - ray.origin;
        const float along = offset.dot(ray.direction), radius2 = sphere.radius * sphere.radius;
        const float half2 = radius2 - (offset - along * ray.direction).squaredNorm();
        if (half2 <= 0) return 0.0f;
        const float half = std::sqrt(half2), cosine = half / sphere.radius;
        float sum = 0;
        for (const float t : {along - half, along + half})
            if (t > 0) sum += densityAt(lamp, {ray.at(t), -ray.direction}, t);
        return sum / (4 * pif * radius2 * cosine);
    };
    float sum = shareOf(levels) * ofSphere(m_scene);
    constexpr std::size_t block = 16;
    std::array<float, block> margins{};
    for (std::size_t level = 0; level < levels; ++level) {
        const Group& group = m_groups[level];
        const std::size_t count = group.x.size();
        const float share = shareOf(level) / static_cast<float>(count);
        for (std::size_t first = 0; first < count; first += block) {
            const std::size_t here = std::min(block, count - first);
            for (std::size_t i = 0; i < here; ++i) margins[i] = group.marginOf(first + i, ray);
            for (std::size_t i = 0; i < here; ++i)
                if (margins[i] > 0) sum += share * ofSphere(group.at(first + i));  // most are passed by
        }
    }
    return sum;
}

LampPhotons::LampRay LampPhotons::sample(const Light& lamp, const Vec2f& choice, const Vec2f& place,
                                         const Vec2f& u) const
{
    const Sphere sphere = chosen(choice.x(), choice.y());
    const Vec3f point = sphere.center + sphere.radius * deflect(Vec3f::UnitY(), 2 * place.x() - 1, place.y());
    const LightSample sample = lamp.sample(point, u);
    if (sample.scale <= 0) return {};
    const Ray toLamp{point, sample.direction};
    LampRay result;
    result.ray = {toLamp.at(sample.distance), -sample.direction};
    const float all = density(lamp, result.ray);
    if (all <= 0) return {};
    result.power = sample.irradiance * (sample.scale * densityAt(lamp, toLamp, sample.distance) / all);
    return result;
}

}  // namespace firn
