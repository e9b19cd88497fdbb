#include "render/flight.h"

#include <algorithm>

namespace firn {

namespace {

constexpr float slow_m_s = 0.4f, fast_m_s = 2;

}  // namespace

float flightOf(float speed_m_s) { return std::clamp((speed_m_s - slow_m_s) / (fast_m_s - slow_m_s), 0.0f, 1.0f); }

Vec3f offsetUpToSurface(const Vec3d& position, const Vec3f& offset, const Surfaces* surfaces)
{
    constexpr float kept = 0.9f;  // of the distance to the surface
    const float length = offset.norm();
    if (surfaces == nullptr || length == 0) return offset;
    const Ray ray{position.cast<float>(), offset / length};
    SurfaceHit hit;
    return surfaces->intersect(ray, length, hit) ? Vec3f(ray.direction * (kept * hit.t)) : offset;
}

}  // namespace firn
