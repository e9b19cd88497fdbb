#pragma once
// The production step without a scene: no bodies, step length and share of FLIP as the test says.

#include <algorithm>

#include "sim/contact.h"
#include "sim/transfer.h"
#include "sim/update_nodes.h"

namespace firn {

/// The production step on its own, with what it needs around it.
struct FastStep {
    Particles particles, next;
    Order order;
    Grid grid;
    Materials materials;
    Contact contact;
    double lightest;  // particle, kg

    FastStep(Particles from, double h, const SnowMaterial& snow, bool plastic)
        : particles(std::move(from)), grid(h), contact({}, h)
    {
        setNearRest(snow, plastic, false);
        lightest = static_cast<double>(*std::min_element(particles.mass.begin(), particles.mass.end()));
    }
    /// Whether stresses are computed by the series near rest.
    void setNearRest(const SnowMaterial& keys, bool plastic, bool nearRest)
    {
        Snow<double> snow = Snow<double>::of(keys, plastic);
        snow.near_rest = nearRest;
        materials = Materials({snow});
    }
    void toGrid()
    {
        order.build(particles);
        grid.activate(order);
        rasterize(particles, order, grid);
        addForces(particles, materials, order, grid);
    }
    UpdateResult step(double dt, double alpha, const Vec3d& gravity)
    {
        toGrid();
        updateVelocities(grid, dt, gravity, 1e-7 * lightest);
        const Transfer transfer = !particles.affine      ? Transfer::Flip
                                  : particles.has_travel ? Transfer::AffineFlip
                                                         : Transfer::Apic;
        const VelocityRule rule{transfer, alpha, dt};
        prepareTransfer(grid, rule, NodeFlags(grid.leafCount()));
        UpdateResult result = updateParticles(particles, materials, order, grid, &contact, rule, next);
        std::swap(particles, next);
        return result;
    }
};

}  // namespace firn
