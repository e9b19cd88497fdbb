#pragma once
// The list of material models, and the materials of a scene. A new model is a header such as snow.h, its keys in
// common/scene, its tests, and its name in this list.

#include "sim/material/material_list.h"
#include "sim/material/snow.h"

namespace firn {

/// The first model that describes a region's material is the region's model. Snow describes all: it comes last.
using Materials = MaterialList<Snow>;

/// The material of each region of a scene.
Materials materialsOf(const Scene& scene);

/// The particle speed (m/s) of a pressure wave that strains the weakest material of a scene to its yield; infinite
/// where nothing yields.
double yieldSpeed(const Scene& scene, const Materials& materials);

/// An upper bound of the speed (m/s) of pressure waves in snow that nothing has strained, with noise and crust.
double restWaveSpeed(const Scene& scene, const Materials& materials);

/// The speed (m/s) of the fastest pressure wave in the snow of a scene at rest that was packed to `density` (kg/m^3); 0
/// where all snow is denser from the start or does not yield.
double packedWaveSpeed(const Scene& scene, const Materials& materials, double density);

}  // namespace firn
