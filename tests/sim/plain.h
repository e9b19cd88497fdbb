#pragma once
// The step of Stomakhin et al. 2013 written plainly, in double precision over a map of nodes: the reference that tests
// hold the fast transfers to, and the place to read the method.

#include <array>
#include <map>
#include <vector>

#include "common/math.h"
#include "sim/material/snow.h"
#include "sim/particles.h"

namespace firn::plain {

struct Particle {
    Vec3d x, v;
    Mat3d F_E = Mat3d::Identity();
    Mat3d C = Mat3d::Zero();  // affine velocity of APIC, 1/s
    double J_P = 1, mass = 0, volume0 = 0, modulus_factor = 1, strength = 1;
};

struct Node {
    double mass = 0;
    Vec3d momentum = Vec3d::Zero(), force = Vec3d::Zero();
    Vec3d v_old = Vec3d::Zero(), v_new = Vec3d::Zero();
};

using Nodes = std::map<std::array<int, 3>, Node>;

/// 1. m_i and m_i v_i; with APIC the velocity of a particle's matter at a node is v_p + C (x_i - x_p) (Jiang et al.
/// 2015, eq. 8, with C = B D^-1).
Nodes rasterize(const std::vector<Particle>& particles, double h);

/// 3. f_i (eq. 6), without gravity.
void addForces(const std::vector<Particle>& particles, const Snow<double>& model, double h, Nodes& nodes);

/// 4. v_old and v_new = v_old + dt (f / m + g).
void updateVelocities(Nodes& nodes, double dt, const Vec3d& gravity);

/// What a particle's position moves with: the velocity that it keeps (Stomakhin et al. 2013), or the grid's.
enum class Travel { Kept, Grid };

/// 7., 8., 10. with alpha the share of FLIP.
void updateParticles(std::vector<Particle>& particles, const Snow<double>& model, double h, double dt, double alpha,
                     const Nodes& nodes, Travel travel = Travel::Kept);

/// APIC's part of step 8: C = 3 / h^2 sum w_ip v_i (x_i - x_p)^T, from D = h^2 / 3 I of the cubic kernel. Call it
/// before updateParticles moves the particles. The velocity of APIC is that of PIC, alpha = 0; affine FLIP has an alpha
/// and travels with the grid.
void updateAffine(std::vector<Particle>& particles, double h, const Nodes& nodes);

using NodeVectors = std::map<std::array<int, 3>, Vec3d>;
/// f_i = sum_p V_p0 dP(G_p F_p) F_p^T grad w_ip with G_p = sum_j u_j grad w_jp^T: minus the rate at which forces change
/// when nodes move with velocities u. u must hold every node that a particle reaches; the result is for the nodes of u.
NodeVectors applyStiffness(const std::vector<Particle>& particles, const Snow<double>& model, double h,
                           const NodeVectors& u);

/// The production particles in double precision.
std::vector<Particle> fromColumns(const Particles& particles, double h);

}  // namespace firn::plain
