#include "sim/material_table.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace firn {

SnowModel snowModel(const SnowMaterial& material, bool plastic)
{
    SnowModel model;
    model.mu0 = lameMu(material.youngs_modulus_pa, material.poisson_ratio);
    model.lambda0 = lameLambda(material.youngs_modulus_pa, material.poisson_ratio);
    model.hardening = material.hardening;
    model.plastic = plastic;
    model.min_stretch = plastic ? 1 - material.critical_compression : 0;
    model.max_stretch = plastic ? 1 + material.critical_stretch : 1e30;
    model.min_J_P = material.min_J_P;
    model.max_J_P = material.max_J_P;
    model.max_hardening = material.max_hardening;
    return model;
}

MaterialTable materialTable(const Scene& scene)
{
    MaterialTable table;
    table.plastic = table.near_rest = scene.solver.plasticity;
    table.yield_speed = std::numeric_limits<double>::infinity();
    for (const SnowRegion& region : scene.snow) {
        const SnowMaterial& m = region.material;
        table.models.push_back(snowModel(region.material, scene.solver.plasticity));
        const double waveSpeed =
            std::sqrt((table.models.back().lambda0 + 2 * table.models.back().mu0) / m.density_kg_m3);
        table.yield_speed =
            std::min(table.yield_speed, waveSpeed * std::min(m.critical_compression, m.critical_stretch));
        table.near_rest = table.near_rest && m.critical_compression <= seriesLimit && m.critical_stretch <= seriesLimit;
    }
    return table;
}

}  // namespace firn
