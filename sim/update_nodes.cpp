#include "sim/update_nodes.h"

#include "sim/parallel.h"

namespace firn {

void updateVelocities(Grid& grid, double dt, const Vec3d& gravity, double min_mass)
{
    const float step = static_cast<float>(dt), lightest = static_cast<float>(min_mass);
    const Vec3f g = gravity.cast<float>();
    parallelFor(grid.leaves.size(), [&](std::size_t i) {
        const Leaf& leaf = grid.leaves[i];
        for (int n = 0; n < nodesPerLeaf; ++n) {
            float* momentum = leaf.momentum + 4 * n;
            float* force = leaf.force + 4 * n;
            const float inverseMass = momentum[3] > lightest ? 1 / momentum[3] : 0.f;
            for (int a = 0; a < 3; ++a) {
                momentum[a] *= inverseMass;
                force[a] = inverseMass > 0 ? momentum[a] + step * (force[a] * inverseMass + g[a]) : 0.f;
            }
        }
    });
}

void collide(const Contact& contact, Grid& grid, HeldNodes& held)
{
    const double h = grid.spacing(), half = (leafSize - 1) / 2.0;
    held.assign(grid.leaves.size(), {});
    parallelFor(grid.leaves.size(), [&](std::size_t i) {
        const Leaf& leaf = grid.leaves[i];
        const std::vector<int> pieces =
            contact.near((leaf.origin.cast<double>() + Vec3d::Constant(half)) * h, half * std::sqrt(3.0) * h);
        if (pieces.empty()) return;
        for (int n = 0; n < nodesPerLeaf; ++n) {
            if (leaf.momentum[4 * n + 3] == 0) continue;
            float* v = leaf.force + 4 * n;
            const Vec3d x = (leaf.origin + Vec3i(n >> 6, n >> 3 & 7, n & 7)).cast<double>() * h;
            Hold hold;
            const Vec3d after = contact.collide(pieces, x, Vec3d(v[0], v[1], v[2]), &hold);
            for (int a = 0; a < 3; ++a) v[a] = static_cast<float>(after[a]);
            if (hold.kind != Hold::Kind::Free) held[i].push_back({n, hold});
        }
    });
}

void prepareBlend(Grid& grid, double alpha)
{
    const float share = static_cast<float>(alpha);
    parallelFor(grid.leaves.size(), [&](std::size_t i) {
        const Leaf& leaf = grid.leaves[i];
        for (int n = 0; n < nodesPerLeaf; ++n)
            for (int a = 0; a < 3; ++a)
                leaf.momentum[4 * n + a] = leaf.force[4 * n + a] - share * leaf.momentum[4 * n + a];
    });
}

}  // namespace firn
