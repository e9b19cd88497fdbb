#include "render/optical_depth.h"

namespace firn {

float opticalDepth(const Bricks& bricks, const Ray& ray, float most, float tMax)
{
    float depth = 0;
    marchDepths(
        bricks, ray, [&](float, float, float more) { return (depth += more) < most; }, tMax);
    return std::min(depth, most);
}

float roughOpticalDepth(const Bricks& bricks, const Ray& ray, float most, float tMax)
{
    constexpr float nearUnits = 16;
    float depth = 0;
    for (BlockWalk walk(bricks, ray, tMax); walk.inside() && depth < most; walk.leave()) {
        float tExit = 0;
        const Bricks::Block block = walk.enter(tExit);
        if (block.majorant <= 0) continue;
        const float t = walk.t(), length = tExit - t;
        depth += length * (t < nearUnits
                               ? 0.5f * (walk.value(block, t + 0.25f * length) + walk.value(block, t + 0.75f * length))
                               : walk.value(block, t + 0.5f * length));
    }
    return std::min(depth, most);
}

}  // namespace firn
