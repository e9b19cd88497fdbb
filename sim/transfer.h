#pragma once
// Between particles and grid: steps 1, 3, 7, 8 and 10 of Stomakhin et al. 2013, section 4.1, on leaf tiles.

#include <span>

#include "common/scene/scene.h"
#include "sim/grid.h"
#include "sim/material/materials.h"
#include "sim/order.h"
#include "sim/particles.h"

namespace firn {

class AirFlow;
class Contact;

/// 1. Momentum m_i v_i (kg m/s) and mass m_i (kg) of all nodes: sums of m_p v_p w_ip and m_p w_ip. With APIC the
/// velocity is v_p + C (x_i - x_p) (Jiang et al. 2015).
void rasterize(const Particles& particles, const Order& order, Grid& grid);

/// 3. Internal force (N) of all nodes: f_i = -sum V_p0 (dPsi/dF_E) F_E^T grad w_ip (eq. 6). Gravity comes with the
/// velocity update.
void addForces(const Particles& particles, const Materials& materials, const Order& order, Grid& grid);

/// The optional columns that the scene needs.
void keepColumnsFor(const Scene& scene, Particles& particles);

/// The air around the particles in a step.
struct AirStep {
    const AirFlow* flow = nullptr;  // null: there is none
    double time_s = 0;              // at the start of the step
};

/// How work grinds the snow of a region to powder (common/scene/scene.h, SnowPowder).
struct Grinding {
    float share = 0;
    float per_work = 0;  // 1 / work_J_kg, kg/J
};

/// How a step gives velocities to particles.
struct VelocityRule {
    Transfer transfer = Transfer::AffineFlip;
    double alpha = 0;  // share of FLIP in this step; not used by APIC
    double dt_s = 0;   // length of the step
    AirStep air = {};
    std::span<const Grinding> grinding = {};  // by region; empty: there is no powder
};

/// The rule for a step of dt_s. Alpha is scaled to the length of the step where the settings say so.
VelocityRule velocityRule(const Solver& solver, double dt_s);

/// What one update of the particles measured.
struct UpdateResult {
    double max_speed = 0;       // m/s
    double max_wave_speed = 0;  // m/s, of pressure waves; a mean over the mass of 2 x 2 x 2 cells
    Vec3d momentum = Vec3d::Zero();
    double mass = 0;
    long failed = -1;  // id of the first particle with a value that is not finite, an inverted F_E or a move of more
                       // than one cell; -1 where there is none
    std::string failure;
};

/// 7, 8, 9, 10. Reads the particles in sorted order, writes them updated to `next` in that order: deformation (eqs.
/// 9-11) with plastic return, velocity, contact, new position. For the velocity see VelocityGather. The grid must be
/// prepared for the rule (prepareTransfer). Where there is powder, plastic work grinds snow: Particles::loosened grows.
/// `contact` may be null: where contact acts by impulses on particles that
/// move with the grid, it has acted already. The drag of air acts last. `particles` are not changed, so a
/// failed step needs no undo.
UpdateResult updateParticles(const Particles& particles, const Materials& materials, const Order& order,
                             const Grid& grid, const Contact* contact, const VelocityRule& rule, Particles& next);

}  // namespace firn
