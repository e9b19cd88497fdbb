// A ball that rolls over snow grows if the snow packs (campaign: rolling.cpp; scene: rolling-snowball.toml).

#include <catch2/catch.hpp>

#include <numbers>

#include "common/scene/presets.h"
#include "tests/sim/rolling_ball.h"
#include "tests/sim/snow_scene.h"

using namespace firn;

namespace {

void setKind(SnowRegion& region, const char* preset)
{
    region.material = snowPreset(preset).material;
    region.noise = snowPreset(preset).noise;
    region.seams = snowPreset(preset).seams;
}

/// A ball of 24 cm rolls over 5 cm of snow, down a slope of 30 degrees along +x: gravity is inclined instead.
Scene slope(const char* preset)
{
    constexpr double radius_m = 0.12, depth_m = 0.05, speed_m_s = 1.2, angle = std::numbers::pi / 6;
    Scene scene = emptyScene(0.03);
    scene.fps = 24;
    scene.solver.gravity = 9.81 * Vec3d(std::sin(angle), -std::cos(angle), 0);
    scene.snow = {snowSphere(Vec3d(0.25, depth_m + radius_m, 0), radius_m),
                  snowBox(Vec3d(0, 0, -0.2), Vec3d(1.2, depth_m, 0.2))};
    for (SnowRegion& region : scene.snow) setKind(region, preset);
    SnowRegion& ball = scene.snow[0];
    ball.velocity = Vec3d(speed_m_s, 0, 0);
    ball.spin_rad_s = Vec3d(0, 0, -speed_m_s / radius_m);
    scene.bodies = {plane(Vec3d::Zero(), Vec3d::UnitY(), 1)};
    return scene;
}

/// After 0.75 s.
RollingBall::State rolled(const Scene& scene)
{
    Simulation simulation(scene);
    const RollingBall ball(simulation.particleFrame());
    advanceFrames(simulation, 18);
    return ball.at(simulation.particleFrame());
}

}  // namespace

TEST_CASE("A ball grows while it rolls over moist snow, not over icy snow or powder")
{
    Scene scene = slope("moist");
    scene.snow[0].material.density_kg_m3 = 250;  // packed by hand
    scene.snow[0].material.youngs_modulus_pa = 6e4;
    const RollingBall::State moist = rolled(scene);
    CHECK(moist.moved_m > 0.6);
    CHECK(moist.own > 0.95);
    CHECK(moist.other > 0.5);
    CHECK(rolled(slope("icy")).other < 0.05);
    CHECK(rolled(slope("powder")).other < 0.05);
}
