#include "sim/diagnostics.h"

#include <algorithm>

#include "sim/contact.h"
#include "sim/parallel.h"
#include "sim/particle_lanes.h"

namespace firn {

namespace {

/// Particles that lie together in memory, and mostly in space.
struct Chunk {
    std::uint32_t first, end;
};

/// V_p^0 Psi(F_E) of a batch.
Batch elasticEnergy(const Particles& particles, const Materials& materials, const Lanes& lanes)
{
    const MaterialState<Batch> state = materialState(particles, lanes);
    const Batch density =
        materials.evaluate(particles.material, lanes, [&](const auto& model) { return model.energyDensity(state); });
    return lanes.load(particles.volume0) * density;
}

void addEnergies(const Particles& particles, const Materials& materials, Chunk chunk, double h, const Vec3d& gravity,
                 Diagnostics& sum)
{
    for (std::uint32_t k = chunk.first; k < chunk.end; k += batchSize) {
        const Lanes lanes(k, chunk.end);
        const Batch elastic = elasticEnergy(particles, materials, lanes);
        for (int l = 0; l < lanes.count; ++l) sum.elastic_J += static_cast<double>(elastic[l]);
    }
    for (std::uint32_t p = chunk.first; p < chunk.end; ++p) {
        const double m = particles.mass[p];
        const Vec3d v(particles.velocity[0][p], particles.velocity[1][p], particles.velocity[2][p]);
        sum.kinetic_J += m * v.squaredNorm() / 2;
        sum.potential_J -= m * gravity.dot(position(particles, p, h));
    }
}

void addPenetration(const Particles& particles, const Contact& contact, Chunk chunk, double h, Diagnostics& sum)
{
    Box3d bounds;
    for (std::uint32_t p = chunk.first; p < chunk.end; ++p) bounds.extend(position(particles, p, h));
    const std::vector<int> pieces = contact.near(bounds.center(), bounds.sizes().norm() / 2);
    if (pieces.empty()) return;
    for (std::uint32_t p = chunk.first; p < chunk.end; ++p) {
        const Immersion found = contact.immersion(pieces, position(particles, p, h));
        sum.penetration_m = std::max(sum.penetration_m, found.depth);
        sum.penetrating += found.depth > 0;
        if (found.depth > 0.1 * h) sum.caught_kg[{found.body, found.other}] += static_cast<double>(particles.mass[p]);
    }
}

}  // namespace

void Diagnostics::operator+=(const Diagnostics& other)
{
    kinetic_J += other.kinetic_J;
    potential_J += other.potential_J;
    elastic_J += other.elastic_J;
    penetration_m = std::max(penetration_m, other.penetration_m);
    penetrating += other.penetrating;
    for (const auto& [bodies, mass] : other.caught_kg) caught_kg[bodies] += mass;
}

Diagnostics diagnose(const Particles& particles, const Materials& materials, const Contact& contact, double h,
                     const Vec3d& gravity)
{
    constexpr std::size_t chunkSize = 1024;
    const std::size_t count = particles.size();
    std::vector<Diagnostics> parts((count + chunkSize - 1) / chunkSize);
    parallelFor(parts.size(), [&](std::size_t i) {
        const Chunk chunk{static_cast<std::uint32_t>(i * chunkSize),
                          static_cast<std::uint32_t>(std::min(count, (i + 1) * chunkSize))};
        addEnergies(particles, materials, chunk, h, gravity, parts[i]);
        addPenetration(particles, contact, chunk, h, parts[i]);
    });
    Diagnostics total;
    for (const Diagnostics& part : parts) total += part;
    return total;
}

}  // namespace firn
