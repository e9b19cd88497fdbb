#include "sim/update_nodes.h"

#include "sim/parallel.h"

namespace firn {

void updateVelocities(Grid& grid, double dt, const Vec3d& gravity, double minMass)
{
    const float step = static_cast<float>(dt), lightest = static_cast<float>(minMass);
    const Vec3f g = gravity.cast<float>();
    grid.replaceSumsByVelocities([&](float* momentum, float* force) {
        for (int n = 0; n < floatsPerLeaf; n += 4) {
            float *m = momentum + n, *f = force + n;
            const float inverseMass = m[3] > lightest ? 1 / m[3] : 0.f;
            for (int a = 0; a < 3; ++a) {
                m[a] *= inverseMass;
                f[a] = inverseMass > 0 ? m[a] + step * (f[a] * inverseMass + g[a]) : 0.f;
            }
            f[3] = inverseMass;
        }
    });
}

void collide(const Contact& contact, Grid& grid, HeldNodes& held)
{
    const double h = grid.spacing(), half = (leafSize - 1) / 2.0;
    held.assign(grid.leafCount(), {});
    parallelFor(grid.leafCount(), [&](std::size_t i) {
        const Vec3i& origin = grid.origin(i);
        const std::vector<int> pieces =
            contact.near((origin.cast<double>() + Vec3d::Constant(half)) * h, half * std::sqrt(3.0) * h);
        if (pieces.empty()) return;
        for (int n = 0; n < nodesPerLeaf; ++n) {
            if (grid.mass(i, n) == 0) continue;
            float* v = grid.newVelocity(i) + 4 * n;
            const Vec3d x = (origin + Vec3i(n >> 6, n >> 3 & 7, n & 7)).cast<double>() * h;
            Hold hold;
            const Vec3d after = contact.collide(pieces, x, Vec3d(v[0], v[1], v[2]), &hold);
            for (int a = 0; a < 3; ++a) v[a] = static_cast<float>(after[a]);
            if (hold.kind != Hold::Kind::Free) held[i].push_back({n, hold});
        }
    });
}

namespace {

void prepareBlend(Grid& grid, float alpha)
{
    grid.replaceOldVelocitiesByBlend([&](float* oldVelocity, const float* newVelocity) {
        for (int n = 0; n < floatsPerLeaf; n += 4)
            for (int a = 0; a < 3; ++a) oldVelocity[n + a] = newVelocity[n + a] - alpha * oldVelocity[n + a];
    });
}

void prepareShares(Grid& grid, float alpha, const NodeFlags& touched)
{
    grid.replaceMassesByShares([&](std::size_t leaf, float* values) {
        for (std::size_t n = 0; n < nodesPerLeaf; ++n) values[4 * n + 3] = touched[leaf][n] ? 0 : alpha;
    });
}

}  // namespace

void prepareTransfer(Grid& grid, const VelocityRule& rule, const NodeFlags& touched)
{
    const float alpha = static_cast<float>(rule.alpha);
    if (rule.transfer == Transfer::Flip) prepareBlend(grid, alpha);
    if (rule.transfer == Transfer::AffineFlip) prepareShares(grid, alpha, touched);
}

}  // namespace firn
