#include "sim/material_table.h"

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
    for (const SnowRegion& region : scene.snow) {
        table.models.push_back(snowModel(region.material, scene.solver.plasticity));
        table.near_rest = table.near_rest && region.material.critical_compression <= seriesLimit &&
                          region.material.critical_stretch <= seriesLimit;
    }
    return table;
}

}  // namespace firn
