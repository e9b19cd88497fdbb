#include "sim/material/materials.h"

#include <algorithm>
#include <cmath>
#include <limits>

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

double restWaveSpeed(const Scene& scene, const Materials& materials)
{
    double fastest = 0;
    for (std::size_t region = 0; region < materials.regions(); ++region) {
        const SnowRegion& snow = scene.snow[region];
        const double density = snow.material.density_kg_m3;
        const double stiffest = std::exp(std::abs(snow.noise.stiffness)) * std::max(1.0, snow.crust.stiffness);
        const double lightest = density * std::exp(-std::abs(snow.noise.density)) * std::min(1.0, snow.crust.density);
        const MaterialState<double> rest{Mat3<double>::identity(), 1, stiffest, density / closedPoreDensity, 1};
        const auto modulus = [&](const auto& model) { return model.waveModulus(rest); };
        fastest = std::max(fastest, std::sqrt(std::visit(modulus, materials[region]) / lightest));
    }
    return fastest;
}

double packedWaveSpeed(const Scene& scene, const Materials& materials, double density)
{
    double fastest = 0;
    for (std::size_t region = 0; region < materials.regions() && scene.solver.plasticity; ++region) {
        const double atRest = scene.snow[region].material.density_kg_m3;
        if (scene.snow[region].still || atRest >= density) continue;
        const MaterialState<double> packed{Mat3<double>::identity(), atRest / density, 1, atRest / closedPoreDensity,
                                           1};
        const auto modulus = [&](const auto& model) { return model.waveModulus(packed); };
        fastest = std::max(fastest, std::sqrt(std::visit(modulus, materials[region]) / atRest));
    }
    return fastest;
}

}  // namespace firn
