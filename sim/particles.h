#pragma once
// The snow's particles as structure of arrays, one array per component so that consecutive ones fill vector registers.
// Position is an integer cell and an offset within it, both in units of h: precision does not depend on the distance
// from the origin. Moving the particles by an even number of leaves changes no bit of the result; by another number of
// cells, sums over leaf borders are taken in another order.

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/math.h"

namespace firn {

struct Particles {
    std::array<std::vector<std::int32_t>, 3> cell;  // floor(x / h)
    std::array<std::vector<float>, 3> offset;       // x / h - cell, in [0, 1)
    std::array<std::vector<float>, 3> velocity;     // m/s
    std::array<std::vector<float>, 3> travel;       // m/s, moved it in its last step; only where `has_travel` says so
    std::array<std::vector<float>, 9> F_E;          // elastic deformation gradient, row major: F_E[3 * row + column]
    std::array<std::vector<float>, 9> C;            // affine velocity, 1/s, row major; only where `affine` says so
    std::vector<float> J_P;                         // det F_P
    std::vector<float> mass;                        // kg
    std::vector<float> volume0;                     // m^3
    std::vector<float> modulus_factor;              // on the region's Young's modulus (noise, crust)
    std::vector<float> strength;                    // on the region's theta_s; only where `varied_strength` says so
    std::vector<float> loosened;                    // share of the mass that is ground; only where `has_powder` says so
    std::vector<std::uint32_t> id;                  // by seeding order, never changes
    std::vector<std::uint8_t> material;             // index of the snow region
    std::array<std::vector<std::uint16_t>, 3> anchor;  // offset at the last frame, of 65536: whether it moves at all
    std::vector<std::uint8_t> quiet_frames;            // without motion; this and anchor only where `can_sleep` says so

    static constexpr std::uint8_t untouched = 255;  // of quiet_frames: asleep since it was seeded

    bool varied_strength = false;  // strength is kept; otherwise it is 1
    bool has_powder = false;       // loosened is kept
    bool affine = false;           // C is kept, and transferred with the velocity
    bool has_travel = false;       // travel is kept, as it differs from velocity
    bool can_sleep = false;        // anchor and quiet_frames are kept

    std::size_t size() const { return J_P.size(); }
    void resize(std::size_t count);
    /// The velocity with which positions change, m/s.
    const std::array<std::vector<float>, 3>& motion() const { return has_travel ? travel : velocity; }
    /// Keeps the optional columns that `other` keeps.
    void keepColumnsOf(const Particles& other);

    /// Calls f(name, column of each of the particles...) for every array that is kept, in a fixed order. The names are
    /// those of the checkpoint's blocks. All particles must keep the same columns.
    template <class F, class... P>
    static void zipColumns(F&& f, P&... particles)
    {
        constexpr const char* axes[] = {"x", "y", "z"};
        constexpr const char* entries[] = {"xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"};
        for (int a = 0; a < 3; ++a) f(std::string("cell.") + axes[a], particles.cell[a]...);
        for (int a = 0; a < 3; ++a) f(std::string("offset.") + axes[a], particles.offset[a]...);
        for (int a = 0; a < 3; ++a) f(std::string("velocity.") + axes[a], particles.velocity[a]...);
        for (int a = 0; (particles.has_travel && ...) && a < 3; ++a)
            f(std::string("travel.") + axes[a], particles.travel[a]...);
        for (int e = 0; e < 9; ++e) f(std::string("F_E.") + entries[e], particles.F_E[e]...);
        for (int e = 0; (particles.affine && ...) && e < 9; ++e) f(std::string("C.") + entries[e], particles.C[e]...);
        f(std::string("J_P"), particles.J_P...);
        f(std::string("mass"), particles.mass...);
        f(std::string("volume0"), particles.volume0...);
        f(std::string("stiffness"), particles.modulus_factor...);
        if ((particles.varied_strength && ...)) f(std::string("strength"), particles.strength...);
        if ((particles.has_powder && ...)) f(std::string("loosened"), particles.loosened...);
        f(std::string("id"), particles.id...);
        f(std::string("material"), particles.material...);
        if (!(particles.can_sleep && ...)) return;
        for (int a = 0; a < 3; ++a) f(std::string("anchor.") + axes[a], particles.anchor[a]...);
        f(std::string("state"), particles.quiet_frames...);
    }
    template <class P, class F>
    static void forEachColumn(P& particles, F&& f)
    {
        zipColumns(f, particles);
    }
};

/// Where a particle is, m.
inline Vec3d position(const Particles& particles, std::size_t p, double h)
{
    Vec3d x;
    for (int a = 0; a < 3; ++a) x[a] = (particles.cell[a][p] + static_cast<double>(particles.offset[a][p])) * h;
    return x;
}

/// Puts a particle at a place in units of h.
inline void setPosition(Particles& particles, std::size_t p, const Vec3d& x)
{
    for (int a = 0; a < 3; ++a) {
        const double cell = std::floor(x[a]);
        const auto offset = static_cast<float>(x[a] - cell);
        particles.cell[a][p] = static_cast<std::int32_t>(cell) + (offset >= 1);
        particles.offset[a][p] = offset >= 1 ? 0.f : offset;
    }
}

/// Appends the given rows of `from`, or all of them, to `to`.
void appendRows(const Particles& from, std::span<const std::uint32_t> rows, Particles& to);
void appendAll(const Particles& from, Particles& to);

}  // namespace firn
