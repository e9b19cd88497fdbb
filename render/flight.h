#pragma once
// What air does to the fine parts of flying snow: it slows them down sooner than large crumbs, so they trail behind.

#include "common/math.h"
#include "render/surfaces.h"

namespace firn {

/// How long air takes to stop single grains: the terminal velocity of grains of 0.1 to 0.3 mm over gravity.
inline constexpr float grainLag_s = 0.03f;

/// How far snow of this speed flies: 0 for snow that rests, 1 for snow that is fast.
float flightOf(float speed_m_s);

/// `offset` (m) from `position`, shortened so that it ends before a surface. `surfaces` may be null.
Vec3f offsetUpToSurface(const Vec3d& position, const Vec3f& offset, const Surfaces* surfaces);

}  // namespace firn
