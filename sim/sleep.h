#pragma once
// Sleeping snow: blocks of particles that have not moved for some frames are left out of the step until something
// disturbs them. Sleeping particles keep their position, F_E and J_P, and have no velocity. Those that share nodes with
// moving snow still add their mass and their forces to the nodes. A block wakes when a wave reaches it that would
// strain the snow by half of its yield strain, or when a moving body comes near. A slower wave is reflected by the
// sleeping snow, which at most doubles its strain. The speed that gravity gives in one step does not count: a step with
// one sweep of contact does not balance it everywhere. The error is bounded: a particle falls asleep only if it moved
// by less than solver.sleep_cells from frame to frame.

#include <functional>

#include "sim/contact.h"
#include "sim/grid.h"
#include "sim/particles.h"

namespace firn {

class Sleepers {
public:
    /// Puts blocks of `awake` to sleep of which nearly all particles have been quiet for `quietFrames` frames, with
    /// quiet neighbours and no moving body near. The few other particles of such a block, such as crumbs that still
    /// roll over it, stay awake. Call it at the start of each frame: it counts in Particles::quiet_frames. A particle
    /// is quiet if it has moved by less than `farthest` cells since the last call.
    void settle(Particles& awake, const Contact& contact, double h, double farthest, double frame_s);

    /// The sleeping blocks that share leaves with awake ones, for rasterize and addForces.
    const Order& rim(const Grid& grid);  // its colours list only those blocks

    /// Finds the blocks that the step disturbs: blocks of the rim whose nodes are faster than wakeSpeed (m/s), and all
    /// blocks that a moving body comes near. wakeSpeed includes the speed that gravity adds in the step. Blocks for
    /// which `held` is true are disturbed only by bodies.
    void findDisturbed(const Grid& grid, const Contact& contact, double wakeSpeed,
                       const std::function<bool(const Vec3i& origin)>& held);

    /// Moves the particles of those blocks to the end of `awake`.
    void wakeDisturbed(Particles& awake);

    /// Moves all particles there.
    void wakeAll(Particles& awake);

    /// Adds particles that sleep.
    void add(const Particles& particles);
    /// Takes out the particles of the blocks for which `leaves` is true.
    Particles takeOut(const std::function<bool(const Vec3i& origin)>& leaves);

    const Particles& particles() const { return m_particles; }
    std::size_t count() const { return m_count; }
    double mass() const { return m_mass; }
    std::size_t bytes() const;

    /// Removes the particles that woke; particles() then holds only the sleeping ones.
    void compact();
    /// Takes over the sleeping particles of a checkpoint.
    void restore(const Particles& particles);

    static constexpr int quietFrames = 3;
    static constexpr double nearlyAll = 0.95;  // of the particles of a block
    static constexpr double wakeStrain = 0.5;  // of the yield strain

private:
    void take(const Particles& particles);

    Particles m_particles;         // sorted by block; those of woken blocks stay until compact()
    Order m_order;                 // blocks of woken particles have count 0
    std::vector<int> m_disturbed;  // blocks of m_order
    std::size_t m_count = 0;
    double m_mass = 0;
};

}  // namespace firn
