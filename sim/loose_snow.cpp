#include "sim/loose_snow.h"

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <utility>

#include "sim/parallel.h"

namespace firn {

namespace {

constexpr double freeFill = 0.2, packedFill = 0.6;

/// The mass in each cell of the grid. Sums run in the order of the particles' numbers.
class CellMasses {
public:
    explicit CellMasses(const Particles& particles)
    {
        std::vector<std::pair<LeafKey, std::uint32_t>> order(particles.size());
        parallelFor(order.size(), [&](std::size_t p) {
            order[p] = {coarseCellKey(particles, p, 1), static_cast<std::uint32_t>(p)};
        });
        tbb::parallel_sort(order.begin(), order.end());
        for (const auto& [key, p] : order) {
            if (m_keys.empty() || m_keys.back() != key) {
                m_keys.push_back(key);
                m_masses.push_back(0);
            }
            m_masses.back() += static_cast<double>(particles.mass[p]);
        }
    }

    /// The mass in the 2 x 2 x 2 cells around a particle, kg.
    double around(const Particles& particles, std::size_t p) const
    {
        Vec3i low;
        for (int a = 0; a < 3; ++a) low[a] = particles.cell[a][p] - (particles.offset[a][p] < 0.5f);
        double sum = 0;
        for (int i = 0; i < 8; ++i) sum += at(leafKey(low.x() + (i & 1), low.y() + (i >> 1 & 1), low.z() + (i >> 2)));
        return sum;
    }

private:
    double at(LeafKey key) const
    {
        const auto found = std::ranges::lower_bound(m_keys, key);
        return found != m_keys.end() && *found == key ? m_masses[static_cast<std::size_t>(found - m_keys.begin())] : 0;
    }

    std::vector<LeafKey> m_keys;
    std::vector<double> m_masses;  // kg
};

double loosenessOf(const Particles& particles, std::size_t p, const CellMasses& masses, double h)
{
    const double density = static_cast<double>(particles.mass[p]) / static_cast<double>(particles.volume0[p]);
    const double fill = masses.around(particles, p) / (8 * h * h * h * density);
    return std::clamp((packedFill - fill) / (packedFill - freeFill), 0., 1.);
}

}  // namespace

LeafKey coarseCellKey(const Particles& particles, std::size_t p, int edge)
{
    Vec3i coarse;
    for (int a = 0; a < 3; ++a) {
        const std::int32_t cell = particles.cell[a][p];
        coarse[a] = (cell >= 0 ? cell : cell - edge + 1) / edge;
    }
    return leafKey(coarse);
}

Vec3d motionOf(const Particles& particles, std::size_t p)
{
    const auto& v = particles.motion();
    return {v[0][p], v[1][p], v[2][p]};
}

std::vector<LooseParticle> looseSnow(const Particles& particles, const AirFlow& air, double h, double time_s)
{
    const CellMasses masses(particles);
    std::vector<LooseParticle> result(particles.size());
    parallelFor(result.size(), [&](std::size_t p) {
        LooseParticle& loose = result[p];
        loose.looseness = loosenessOf(particles, p, masses, h);
        if (loose.looseness == 0) return;
        loose.particle = static_cast<std::uint32_t>(p);
        loose.wind = air.velocity(position(particles, p, h), time_s);
        loose.speed = (motionOf(particles, p) - loose.wind).norm();
    });
    std::erase_if(result, [](const LooseParticle& loose) { return loose.looseness == 0 || loose.speed == 0; });
    return result;
}

}  // namespace firn
