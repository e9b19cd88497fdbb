#pragma once
// What the experiments of physics_cases.h share: scenes for a setting, and simulations that are turned and moved as a
// whole.

#include <memory>

#include "tests/sim/physics_cases.h"
#include "tests/sim/snow_scene.h"

namespace firn::physics {

constexpr double g = 9.81;  // m/s^2

/// The turn of the whole experiment about z.
Mat3d tilt(const Setting& setting);

/// The displacement of the whole experiment, m.
Vec3d shiftOf(const Setting& setting, double dx);

/// A scene without snow and gravity that is solved as the setting says.
Scene sceneFor(const Setting& setting, double dx);

/// The region with the material and noise of a preset.
SnowRegion ofPreset(SnowRegion region, const char* name);

/// The region with packing snow that holds together: its strength hardens and it has no seams. The preset `packing`
/// breaks, so the motion of its centre would tell more of the pieces than of transfer and contact.
SnowRegion ofTough(SnowRegion region);

/// The scene, seeded upright and then turned and moved as a whole.
std::unique_ptr<Simulation> placed(Scene scene, const Setting& setting);

}  // namespace firn::physics
