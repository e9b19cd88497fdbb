#pragma once
// Optical depths along rays by sums over steps, without random numbers. They are approximate: for decisions and for
// layers, not for the picture's light.

#include <algorithm>

#include "render/tracking.h"

namespace firn {

/// Walks along the ray, which is in units of the bricks, in steps of half a voxel, or longer where that is at most an
/// eighth of optical depth. Calls visit(t, step, depth) with each step's start, length and optical depth until it
/// returns false.
template <class Visit>
void marchDepths(const Bricks& bricks, const Ray& ray, const Visit& visit, float tMax = infinity)
{
    constexpr float mostPerVoxel = 2, mostPerDepth = 8;
    for (BlockWalk walk(bricks, ray, tMax); walk.inside(); walk.leave()) {
        float tExit = 0;
        const Bricks::Block block = walk.enter(tExit);
        if (block.majorant <= 0) continue;
        const float length = tExit - walk.t();
        const int steps = static_cast<int>(length * std::min(mostPerVoxel, mostPerDepth * block.majorant)) + 1;
        const float step = length / static_cast<float>(steps);
        for (int i = 0; i < steps; ++i) {
            const float t = walk.t() + step * static_cast<float>(i);
            if (!visit(t, step, step * walk.value(block, t + 0.5f * step))) return;
        }
    }
}

/// Optical depth along the ray up to tMax, at most `most`. Ray and tMax are in units of the bricks.
float opticalDepth(const Bricks& bricks, const Ray& ray, float most, float tMax = infinity);

/// The same from a few values of each block: two near the start, and one farther on. Blocks may be eight voxels wide.
float roughOpticalDepth(const Bricks& bricks, const Ray& ray, float most, float tMax = infinity);

}  // namespace firn
