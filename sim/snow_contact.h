#pragma once
// Contact of the snow with the bodies over the steps of a simulation, by one of two ways: nodes are stopped (the
// paper's way), or impulses act on particles.

#include <span>

#include "common/cache/checkpoint.h"
#include "sim/contact_impulses.h"
#include "sim/update_nodes.h"

namespace firn {

/// Particles, and the order of those blocks that take part in contact: all awake ones, or the rim of sleeping ones.
struct Participants {
    const Particles& particles;
    const Order& order;
};

/// Adhesion (Pa) of the snow of each region; empty if none has any.
std::vector<float> adhesionsOf(const Scene& scene);

class SnowContact {
public:
    /// The bodies stand where they are at time 0 until place() is called.
    SnowContact(const std::vector<Body>& bodies, const Solver& solver);

    Contact& bodies() { return m_bodies; }
    const Contact& bodies() const { return m_bodies; }

    /// Step 5 of the paper: contact changes the grid's velocity v*. Of `asleep` (may be null), only the blocks in
    /// Order::colours take part. The bodies must be placed for the step.
    void apply(Grid& grid, const ContactStep& step, const Participants& awake, const Participants* asleep);
    /// Contact once more, after the semi-implicit solve.
    void applyAgain(Grid& grid);

    /// What holds the nodes in the solve between.
    const HeldNodes& held() const { return m_held; }
    ContactImpulses& impulses() { return m_impulses; }

    /// The nodes that a body stops, or that an impulse reaches.
    NodeFlags touchedNodes(const Grid& grid) const;

    /// The bodies for step 9, or nullptr where the impulses have done its work.
    const Contact* ofParticles() const { return m_stopsParticles ? &m_bodies : nullptr; }

    /// Remembers the step's impulses. Call it when the step is good.
    void accept();

    /// Particles, by id, that fall asleep or wake.
    void fallAsleep(std::span<const std::uint32_t> particles);
    void wake(std::span<const std::uint32_t> particles);
    /// Particles, by id, that leave the simulation.
    void forget(std::span<const std::uint32_t> particles);

    void addTo(CheckpointView& view) const;
    /// Throws Error(File) where a block has the wrong size. Without blocks, contact remembers nothing.
    void restore(const Checkpoint& checkpoint);

private:
    Contact m_bodies;
    ContactMethod m_method;
    bool m_stopsParticles;
    HeldNodes m_held;
    ContactImpulses m_impulses;
    Touches m_awake, m_asleep;
};

}  // namespace firn
