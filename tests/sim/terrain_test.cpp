// Snow on terrain moves as on a plane of the same slope.

#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "sim/simulation.h"
#include "tests/common/body/scratch_folder.h"

using namespace firn;

namespace {

constexpr double slope_deg = 30;

/// A slab on a slope that falls along x.
Scene slabOn(BodySpec slope)
{
    Scene scene;
    scene.solver.dx = 0.05;
    scene.end_frame = 9;
    slope.name = "slope";
    slope.friction = 0.2;
    SnowRegion slab;
    slab.shape = SnowShape::Layer;
    slab.ground = "slope";
    slab.min = Vec3d(-0.5, 0, -0.3);
    slab.max = Vec3d(0.1, 0, 0.3);
    slab.depth_m = 0.2;
    scene.snow = {slab};
    scene.bodies = {slope};
    return scene;
}

Vec3d meanVelocity(Simulation& simulation)
{
    while (simulation.frame() < 9) simulation.advanceFrame({});
    const ParticleFrame frame = simulation.particleFrame();
    Vec3d sum = Vec3d::Zero();
    for (const Vec3f& v : frame.velocity_m_s) sum += v.cast<double>();
    return sum / static_cast<double>(frame.size());
}

}  // namespace

TEST_CASE("A slab slides on terrain as on a plane of the same slope", "[terrain]")
{
    const double fall = std::tan(slope_deg * pi / 180);
    const ScratchFolder folder("slope");
    BodySpec terrain, plane;
    terrain.shape = BodyShape::Terrain;
    terrain.file = folder.write("slope.obj", "v -2 " + std::to_string(2 * fall) + " -1\nv -2 " +
                                                 std::to_string(2 * fall) + " 1\nv 2 " + std::to_string(-2 * fall) +
                                                 " 1\nv 2 " + std::to_string(-2 * fall) + " -1\nf 1 2 3 4\n");
    plane.normal = Vec3d(fall, 1, 0);
    Simulation onTerrain(slabOn(terrain)), onPlane(slabOn(plane));
    const std::size_t count = onPlane.particleCount();
    CHECK(std::abs(static_cast<double>(onTerrain.particleCount()) - static_cast<double>(count)) < 0.002 * count);
    const Vec3d found = meanVelocity(onTerrain), expected = meanVelocity(onPlane);
    CHECK(expected.x() > 0.7);
    CHECK((found - expected).norm() < 0.02 * expected.norm());
    CHECK(onTerrain.stats().diagnostics.penetration_m < 0.1 * 0.05);
}

TEST_CASE("Snow on a body that moves at the first frame moves with it", "[terrain]")
{
    BodySpec car;
    car.shape = BodyShape::Box;
    car.size = Vec3d(1, 0.4, 1);
    car.velocity = Vec3d(5, 0, 0);
    Simulation simulation(slabOn(car));
    const double mass = simulation.stats().mass_kg;
    CHECK((simulation.stats().momentum / mass - car.velocity).norm() < 1e-3);
    simulation.advanceFrame({});
    simulation.advanceFrame({});
    CHECK((simulation.stats().momentum / mass - car.velocity).head<1>().norm() < 0.05);
}
