#include "sim/update_nodes.h"

#include "sim/parallel.h"

namespace firn {

namespace {

/// Leaves v_old in the momentum field (beside the mass) and v* in the force field.
void applyForces(const Leaf& leaf, float dt, const Vec3f& gravity, float minMass)
{
    for (int n = 0; n < nodesPerLeaf; ++n) {
        float* momentum = leaf.momentum + 4 * n;
        float* force = leaf.force + 4 * n;
        const float inverseMass = momentum[3] > minMass ? 1 / momentum[3] : 0.f;
        for (int a = 0; a < 3; ++a) {
            momentum[a] *= inverseMass;
            force[a] = inverseMass > 0 ? momentum[a] + dt * (force[a] * inverseMass + gravity[a]) : 0.f;
        }
    }
}

void collideNodes(const Leaf& leaf, const Contact& contact, double h)
{
    const Vec3d center = (leaf.origin.cast<double>() + Vec3d::Constant((leafSize - 1) / 2.0)) * h;
    const std::vector<int> pieces = contact.near(center, (leafSize - 1) / 2.0 * std::sqrt(3.0) * h);
    if (pieces.empty()) return;
    for (int n = 0; n < nodesPerLeaf; ++n) {
        if (leaf.momentum[4 * n + 3] == 0) continue;
        float* v = leaf.force + 4 * n;
        const Vec3d x = (leaf.origin + Vec3i(n >> 6, n >> 3 & 7, n & 7)).cast<double>() * h;
        const Vec3d after = contact.collide(pieces, x, Vec3d(v[0], v[1], v[2]));
        for (int a = 0; a < 3; ++a) v[a] = static_cast<float>(after[a]);
    }
}

/// v_old becomes v_new - alpha v_old: with it, (1 - alpha) PIC + alpha FLIP is alpha v_p plus one weighted sum.
void prepareBlend(const Leaf& leaf, float alpha)
{
    for (int n = 0; n < nodesPerLeaf; ++n)
        for (int a = 0; a < 3; ++a) leaf.momentum[4 * n + a] = leaf.force[4 * n + a] - alpha * leaf.momentum[4 * n + a];
}

}  // namespace

void updateNodes(Grid& grid, const Contact& contact, double dt, const Vec3d& gravity, double alpha, double min_mass)
{
    parallelFor(grid.leaves.size(), [&](std::size_t i) {
        const Leaf& leaf = grid.leaves[i];
        applyForces(leaf, static_cast<float>(dt), gravity.cast<float>(), static_cast<float>(min_mass));
        collideNodes(leaf, contact, grid.spacing());
        prepareBlend(leaf, static_cast<float>(alpha));
    });
}

}  // namespace firn
