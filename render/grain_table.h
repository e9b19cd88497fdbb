#pragma once
// Finds the grains that reach a box.

#include <vector>

#include "common/leaf_key.h"
#include "render/grains.h"

namespace firn {

class GrainTable {
public:
    /// The grains are sorted into cubes with edges of `cube_m`.
    GrainTable(std::vector<Grain> grains, double cube_m);

    /// Those whose kernels may reach a box (m), in an order that depends on the grains alone.
    void find(const Vec3d& low, const Vec3d& high, std::vector<Grain>& found) const;

    /// Whether a grain's kernel may reach a box (m).
    static bool reaches(const Grain& grain, const Vec3d& low, const Vec3d& high)
    {
        const double reach = 2 * static_cast<double>(grain.width_m);
        return (grain.position.array() > low.array() - reach).all() &&
               (grain.position.array() < high.array() + reach).all();
    }

private:
    double m_cube_m, m_reach_m = 0;
    std::vector<LeafKey> m_keys;  // of the grains' cubes, ascending
    std::vector<Grain> m_grains;
};

}  // namespace firn
