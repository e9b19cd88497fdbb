#include "tests/sim/pieces.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

namespace firn {

namespace {

constexpr double looseVolume = 1.5, linkOfDx = 1.25;

using Cell = std::array<int, 3>;

class Pieces {
public:
    explicit Pieces(std::size_t count) : m_parent(count)
    {
        std::iota(m_parent.begin(), m_parent.end(), std::size_t{0});
    }

    std::size_t rootOf(std::size_t i)
    {
        while (m_parent[i] != i) i = m_parent[i] = m_parent[m_parent[i]];
        return i;
    }
    void join(std::size_t a, std::size_t b) { m_parent[rootOf(a)] = rootOf(b); }

private:
    std::vector<std::size_t> m_parent;
};

std::vector<std::size_t> solidOnes(const ParticleFrame& frame)
{
    std::vector<std::size_t> solid;
    for (std::size_t i = 0; i < frame.size(); ++i)
        if (frame.F_E[i].determinant() * frame.J_P[i] < static_cast<float>(looseVolume)) solid.push_back(i);
    return solid;
}

/// Masses of the groups of particles that are linked, kg.
std::vector<double> linked(const ParticleFrame& frame, const std::vector<std::size_t>& some)
{
    const double reach = linkOfDx * frame.dx_m;
    std::map<Cell, std::vector<std::size_t>> cells;
    const auto cellOf = [&](std::size_t i) {
        const Vec3d at = (frame.position_m[i] / reach).array().floor();
        return Cell{static_cast<int>(at.x()), static_cast<int>(at.y()), static_cast<int>(at.z())};
    };
    for (const std::size_t i : some) cells[cellOf(i)].push_back(i);
    Pieces pieces(frame.size());
    const auto joinWith = [&](std::size_t i, const Cell& cell) {
        const auto others = cells.find(cell);
        if (others == cells.end()) return;
        for (const std::size_t j : others->second)
            if (j > i && (frame.position_m[i] - frame.position_m[j]).squaredNorm() <= reach * reach) pieces.join(i, j);
    };
    for (const std::size_t i : some) {
        const Cell cell = cellOf(i);
        for (int n = 0; n < 27; ++n) joinWith(i, {cell[0] + n / 9 - 1, cell[1] + n / 3 % 3 - 1, cell[2] + n % 3 - 1});
    }
    std::map<std::size_t, double> mass;
    for (const std::size_t i : some) mass[pieces.rootOf(i)] += static_cast<double>(frame.mass_kg[i]);
    std::vector<double> masses;
    masses.reserve(mass.size());
    for (const auto& entry : mass) masses.push_back(entry.second);
    return masses;
}

}  // namespace

std::vector<double> solidPieces(const ParticleFrame& frame)
{
    std::vector<double> pieces = linked(frame, solidOnes(frame));
    double mass = 0;
    for (const float m : frame.mass_kg) mass += static_cast<double>(m);
    for (double& piece : pieces) piece /= mass;
    std::sort(pieces.rbegin(), pieces.rend());
    return pieces;
}

}  // namespace firn
