#pragma once
// Sleeping snow: blocks of particles that have not moved for some frames are taken out of the step until something
// disturbs them. Asleep, particles keep place, F_E and J_P and have no velocity; those that share nodes with moving
// snow still give it their mass and their forces. A block wakes in the step in which a node it reaches is so fast that
// the wave it carries would strain the snow by a quarter of what it yields at, or in which a moving body comes near.
// What sleeping may change is bounded: a particle falls asleep only where it moved by less than solver.sleep_cells from
// frame to frame.

#include "sim/contact.h"
#include "sim/grid.h"
#include "sim/particles.h"

namespace firn {

class Sleepers {
public:
    /// Moves the blocks of `awake` that have been quiet for `quietFrames` frames, with quiet neighbours and no moving
    /// body near, to sleep. Called at frame starts; counts quiet frames in Particles::state. `farthest`: how many cells
    /// count as quiet from frame to frame.
    void settle(Particles& awake, const Contact& contact, double h, double farthest, double frame_s);

    /// Blocks that share leaves with the awake ones, ready for rasterize and addForces.
    const Order& rim(const Grid& grid);  // its colours list those blocks only

    /// Notes which blocks the step disturbs: of the rim by a node's new speed, of all by a moving body.
    void findDisturbed(const Grid& grid, const Contact& contact, double wakeSpeed);

    /// Moves what findDisturbed noted to the end of `awake`.
    void wakeDisturbed(Particles& awake);

    const Particles& particles() const { return m_particles; }
    std::size_t count() const { return m_count; }
    double mass() const { return m_mass; }
    std::size_t bytes() const;

    /// Drops the places of particles that woke; then particles() holds the sleeping ones only.
    void compact();
    /// Takes over the sleeping particles of a checkpoint.
    void restore(Particles particles);

    static constexpr int quietFrames = 3;
    static constexpr double wakeStrain = 0.25;  // of the yield strain

private:
    void take(Particles particles);

    Particles m_particles;         // sorted by block; those of woken blocks stay until compact()
    Order m_order;                 // blocks of woken particles have count 0
    std::vector<int> m_disturbed;  // blocks of m_order
    std::size_t m_count = 0;
    double m_mass = 0;
};

}  // namespace firn
