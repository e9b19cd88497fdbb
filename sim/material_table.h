#pragma once
// The scene's snows as the hot loops read them: one SnowModel per region, broadcast to the lanes of a batch.

#include <vector>

#include "common/scene/scene.h"
#include "sim/constitutive.h"
#include "sim/lanes.h"

namespace firn {

/// The constitutive parameters of a region's snow.
SnowModel snowModel(const SnowMaterial& material, bool plastic);

struct MaterialTable {
    std::vector<SnowModel> models;  // by region
    bool plastic = true;
    double yield_speed = 0;  // m/s: a pressure wave of this particle speed strains the weakest snow to its yield
    bool near_rest = false;  // plastic return keeps all stretches within 1 +- seriesLimit
};

/// The table of a scene's regions.
MaterialTable materialTable(const Scene& scene);

/// Parameters of a batch of particles.
struct MaterialLanes {
    Batch mu0, lambda0, hardening, max_hardening, min_stretch, max_stretch, min_J_P, max_J_P;

    MaterialLanes(const MaterialTable& table, const std::vector<std::uint8_t>& material, const Lanes& lanes)
    {
        const std::uint8_t first = table.models.size() == 1 ? 0 : material[lanes.index[0]];
        setAll(table.models[first]);
        if (table.models.size() == 1) return;
        for (int l = 0; l < batchSize; ++l) {
            const std::uint8_t region = material[lanes.index[l]];
            if (region != first) set(l, table.models[region]);
        }
    }

private:
    void setAll(const SnowModel& model)
    {
        mu0 = broadcast(static_cast<float>(model.mu0));
        lambda0 = broadcast(static_cast<float>(model.lambda0));
        hardening = broadcast(static_cast<float>(model.hardening));
        max_hardening = broadcast(static_cast<float>(model.max_hardening));
        min_stretch = broadcast(static_cast<float>(model.min_stretch));
        max_stretch = broadcast(static_cast<float>(model.max_stretch));
        min_J_P = broadcast(static_cast<float>(model.min_J_P));
        max_J_P = broadcast(static_cast<float>(model.max_J_P));
    }
    void set(int l, const SnowModel& model)
    {
        mu0[l] = static_cast<float>(model.mu0);
        lambda0[l] = static_cast<float>(model.lambda0);
        hardening[l] = static_cast<float>(model.hardening);
        max_hardening[l] = static_cast<float>(model.max_hardening);
        min_stretch[l] = static_cast<float>(model.min_stretch);
        max_stretch[l] = static_cast<float>(model.max_stretch);
        min_J_P[l] = static_cast<float>(model.min_J_P);
        max_J_P[l] = static_cast<float>(model.max_J_P);
    }
};

}  // namespace firn
