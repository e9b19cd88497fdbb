#pragma once
// A particle near a surface in one step, and the law that contact follows there. Snow with the normal velocity v_n
// relative to the surface and the gap g = distance - reach may close its gap and no more:
//     v_n >= -g / dt                             for g > 0
//     v_n >= min(recovery |g| / dt, 1 m/s)       for g <= 0.
// An impulse J on the particle changes its velocity by A J. The normal part only pushes, and Coulomb's law bounds the
// tangential part. Where points share nodes, many sets of impulses would do; a small softness, by which a normal
// impulse J_n lets the particle yield with the speed softness A J_n, spreads the load over them. With the recovery it
// makes a pad as stiff as some 0.2 cells of snow. An impulse on a point that sticks may pull, and its tangential part
// has no bound. It is soft along the normal, too: otherwise points at different gaps would work against each other, and
// their impulses would grow from step to step. Snow with adhesion that has touched is held by a normal part down to
// -pull, and Coulomb's law bounds the tangential part by friction (J_n + pull), as in the law of Derjaguin (1934).
// Where that is too little, this force pulls until the particle is too far away to be remembered, as bridges of water
// do.

#include <array>
#include <cstdint>

#include "common/math.h"

namespace firn {

// A semi-implicit step is many times as long, and the pad yields with the square of its length: at 0.5, a box that is
// pressed into snow at 0.55 m/s sinks in by 0.2 cells. With less softness, more sweeps are needed.
constexpr float explicitSoftness = 0.5f, implicitSoftness = 0.1f;

struct ContactPoint {
    std::uint32_t particle = 0;  // id
    std::uint32_t piece = 0;
    int cell = 0;                                          // of its first node in the block's tile
    std::array<float, 4> x{}, y{}, z{};                    // weights of the kernel
    Vec3f normal = Vec3f::Zero(), body_velocity = normal;  // of the surface, m/s
    float reach = 0;                                       // m
    float least_speed = 0;                                 // along the normal, relative to the body, m/s
    float friction = 0;
    float softness = explicitSoftness;
    bool sticks = false;            // to a sticky place
    float pull = 0;                 // greatest impulse of adhesion in the step, N s; 0 before the particle touches
    float response = 0;             // A = sum w_ip^2 / m_i, 1/kg
    Vec3f impulse = Vec3f::Zero();  // N s
};

/// The least speed (m/s) that contact allows along the normal, relative to the body, for a particle with that gap. A
/// held particle with a positive gap gets a small negative speed, which closes the gap.
double leastSpeed(double gap_m, bool isHeld, double dt_s);

/// The impulse nearest to J that contact can give.
Vec3f admissible(const ContactPoint& point, const Vec3f& J);

/// The impulse after one correction, for a particle with velocity v in m/s.
Vec3f improved(const ContactPoint& point, const Vec3f& v);

/// Whether contact acts on the point: its impulse is not zero.
bool bearsLoad(const ContactPoint& point);

/// The impulse against a change u (m/s) of the velocity of a point that bears load.
Vec3f resistance(const ContactPoint& point, const Vec3f& u);

}  // namespace firn
