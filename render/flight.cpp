#include "render/flight.h"

#include <algorithm>

namespace firn {

namespace {

constexpr float slow_m_s = 0.4f, fast_m_s = 2;

}  // namespace

float flightOf(float speed_m_s) { return std::clamp((speed_m_s - slow_m_s) / (fast_m_s - slow_m_s), 0.0f, 1.0f); }

Vec3f unhiddenOffset(const Vec3d& position, const Vec3f& offset, const Surfaces* surfaces)
{
    const float length = offset.norm();
    if (surfaces == nullptr || length == 0) return offset;
    const Ray ray{position.cast<float>(), offset / length};
    return surfaces->occluded(ray, length) ? Vec3f::Zero().eval() : offset;
}

}  // namespace firn
