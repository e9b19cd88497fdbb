#include "sim/material/materials.h"

namespace firn {

Materials materialsOf(const Scene& scene)
{
    std::vector<Materials::Material> regions;
    for (const SnowRegion& region : scene.snow)
        regions.push_back(Materials::describedBy(region.material, scene.solver.plasticity));
    return Materials(regions);
}

double yieldSpeed(const Scene& scene, const Materials& materials)
{
    double slowest = std::numeric_limits<double>::infinity();
    for (std::size_t region = 0; region < materials.regions(); ++region) {
        const double density = scene.snow[region].material.density_kg_m3;
        const auto ofRegion = [&](const auto& model) { return model.yieldSpeed(density); };
        slowest = std::min(slowest, std::visit(ofRegion, materials[region]));
    }
    return slowest;
}

}  // namespace firn
