#include "render/light_frame.h"

#include <cmath>

namespace firn {

LightFrame LightFrame::facing(const Vec3f& middle, const Vec3f& point, const Vec3f& above)
{
    LightFrame frame;
    frame.middle = middle;
    frame.front = (point - middle).normalized();
    const Vec3f across = above.cross(frame.front);
    constexpr float nearlyParallel = 1e-4f;
    frame.right = across.norm() > nearlyParallel ? across.normalized() : frame.front.unitOrthogonal();
    frame.up = frame.front.cross(frame.right).normalized();
    frame.right = frame.up.cross(frame.front);
    return frame;
}

float LightFrame::distanceAlong(const Ray& ray) const
{
    const float approach = -front.dot(ray.direction);
    return approach > 0 ? (ray.origin - middle).dot(front) / approach : -1;
}

}  // namespace firn
