#pragma once
// How deep points lie in snow, in mean free paths.

#include "render/lanes.h"
#include "render/render_scene.h"

namespace firn {

class SnowDepth {
public:
    /// `scene` must have snow in bricks and outlive this. Depths are measured up to `endDepth` and what a way of
    /// `beyond` units of the bricks adds to it, so that values between points that are so far apart are right at the
    /// end depth.
    SnowDepth(const RenderScene& scene, float endDepth, float beyond);

    /// The least optical depth along six directions, within the snow around each point (m) and before the next body.
    Floats at(Floats x, Floats y, Floats z, LaneBits lanes) const;

private:
    const RenderScene& m_scene;
    float m_endDepth, m_beyond;
};

}  // namespace firn
