#include "sim/puffs.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "common/leaf_key.h"

namespace firn {

namespace {

/// What remains of several puffs as one.
class PuffSum {
public:
    void add(const Puff& puff)
    {
        if (m_count++ == 0) m_first = puff;
        m_mass += puff.mass_kg;
        m_place += puff.mass_kg * puff.position_m;
        m_momentum += puff.mass_kg * puff.velocity_m_s;
        m_square += puff.mass_kg *
                    ((puff.position_m - m_first.position_m).squaredNorm() + perRadius * puff.radius_m * puff.radius_m);
    }
    Puff puff() const
    {
        if (m_count == 1) return m_first;
        Puff result = m_first;
        result.mass_kg = m_mass;
        result.position_m = m_place / m_mass;
        result.velocity_m_s = m_momentum / m_mass;
        const double square = m_square / m_mass - (result.position_m - m_first.position_m).squaredNorm();
        result.radius_m = std::sqrt(square / perRadius);
        return result;
    }

private:
    static constexpr double perRadius = 0.6;  // mean square distance from the centre of an even ball
    int m_count = 0;
    Puff m_first = {};
    double m_mass = 0, m_square = 0;
    Vec3d m_place = Vec3d::Zero(), m_momentum = Vec3d::Zero();
};

struct Entry {
    std::uint32_t region;
    int level;
    LeafKey cell;
    std::uint32_t id;
    std::size_t place;

    auto group() const { return std::tie(region, level, cell); }
    bool operator<(const Entry& other) const
    {
        return std::tie(region, level, cell, id, place) <
               std::tie(other.region, other.level, other.cell, other.id, other.place);
    }
};

}  // namespace

bool hasCellKey(const Vec3d& cell) { return cell.cwiseAbs().maxCoeff() < leafKeyLimit - 2; }

std::vector<Puff> mergedPuffs(const std::vector<Puff>& puffs, double h, int coarser)
{
    std::vector<Entry> order(puffs.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        const Puff& puff = puffs[i];
        const int level = std::max(0, std::ilogb(puff.radius_m / h)) + coarser;
        const Vec3i cell = (puff.position_m / std::ldexp(h, level - 1)).array().floor().cast<int>();
        order[i] = {puff.region, level, leafKey(cell), puff.id, i};
    }
    std::ranges::sort(order, std::less<>());
    std::vector<Puff> result;
    result.reserve(order.size());
    PuffSum sum;
    for (std::size_t k = 0; k < order.size(); ++k) {
        sum.add(puffs[order[k].place]);
        if (k + 1 < order.size() && order[k + 1].group() == order[k].group()) continue;
        result.push_back(sum.puff());
        sum = {};
    }
    return result;
}

}  // namespace firn
