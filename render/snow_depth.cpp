#include "render/snow_depth.h"

#include <array>

#include "render/wide_bricks.h"

namespace firn {

namespace {

constexpr float outside = 0.02f;  // of the density at a point: what is thinner is not the same snow

}  // namespace

SnowDepth::SnowDepth(const RenderScene& scene, float endDepth, float beyond)
    : m_scene(scene), m_endDepth(endDepth), m_beyond(beyond)
{
}

Floats SnowDepth::at(Floats x, Floats y, Floats z, LaneBits lanes) const
{
    const Volume& volume = *m_scene.volume;
    const Vec3f zero = volume.toIndex(Vec3f::Zero());
    const float scale = 1 / volume.voxelSize_m();
    const std::array<Floats, 3> p = {x * scale + zero.x(), y * scale + zero.y(), z * scale + zero.z()};
    const Floats here = valuesAt(volume.bricks(), p[0], p[1], p[2], maskOf(lanes));
    const Ints inSnow = here > 0.f;
    const Floats enough = m_endDepth + here * m_beyond;
    Floats least = select(inSnow, enough, Floats{});
    if (m_scene.surfaces != nullptr) {
        forLanes(bitsOf(inSnow), [&](int lane) {
            const float clearance = m_scene.surfaces->clearance({x[lane], y[lane], z[lane]});
            least[lane] = std::min(least[lane], clearance * here[lane] * scale);
        });
    }
    const Floats step = larger(floats(0.1f), smaller(0.5f * enough / here, floats(1)));  // in units of the bricks
    for (int direction = 0; direction < 6; ++direction) {
        const auto axis = static_cast<std::size_t>(direction / 2);
        const Floats along = direction % 2 == 0 ? -step : step;
        std::array<Floats, 3> q = p;
        q[axis] += 0.5f * along;
        Floats depth{};
        for (Ints goesOn = depth < least; bitsOf(goesOn) != 0; goesOn &= depth < least) {
            const Floats value = valuesAt(volume.bricks(), q[0], q[1], q[2], goesOn);
            goesOn &= value >= outside * here;
            depth += select(goesOn, value * step, Floats{});
            q[axis] += along;
        }
        least = smaller(least, depth);
    }
    return least;
}

}  // namespace firn
