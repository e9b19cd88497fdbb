// Drag and wind: the formula of a sphere's drag, loose snow against a point mass with that drag, and packed snow.

#include "sim/air.h"

#include <catch2/catch.hpp>

#include <random>

#include "tests/sim/snow_scene.h"

using namespace firn;

namespace {

constexpr double density = 1.29, viscosity = 1.72e-5;

/// A single particle in air.
Scene looseCrumb()
{
    Scene scene = emptyScene(0.02);
    scene.solver.gravity = Vec3d(0, -9.81, 0);
    scene.snow = {snowBox(Vec3d::Zero(), Vec3d(0.009, 0.009, 0.009))};
    scene.snow[0].material.density_kg_m3 = 200;
    scene.snow[0].material.crumb_mm = 2;
    scene.air.density_kg_m3 = density;
    return scene;
}

/// Of a sphere of this crumb.
Vec3d dragAcceleration(const Vec3d& u)
{
    const double d = 2e-3, speed = u.norm();
    if (speed == 0) return Vec3d::Zero();
    return -0.75 * dragCoefficient(density * speed * d / viscosity) * density * speed / (200 * d) * u;
}

struct Flight {
    Vec3d place = Vec3d::Zero(), velocity;

    /// Midpoint rule in steps of 0.1 ms.
    void fly(double seconds, const Vec3d& wind)
    {
        const double dt = 1e-4;
        const Vec3d g(0, -9.81, 0);
        for (int n = 0; n < std::lround(seconds / dt); ++n) {
            const Vec3d half = velocity + dt / 2 * (g + dragAcceleration(velocity - wind));
            velocity += dt * (g + dragAcceleration(half - wind));
            place += dt * half;
        }
    }
};

Flight meanOf(const Simulation& simulation)
{
    const ParticleFrame frame = simulation.particleFrame();
    Flight mean{Vec3d::Zero(), Vec3d::Zero()};
    for (std::size_t i = 0; i < frame.size(); ++i) {
        mean.place += frame.position_m[i] / static_cast<double>(frame.size());
        mean.velocity += frame.velocity_m_s[i].cast<double>() / static_cast<double>(frame.size());
    }
    return mean;
}

}  // namespace

TEST_CASE("The drag of a sphere has its limits: Stokes for slow ones, a constant for fast ones")
{
    CHECK(dragCoefficient(1e-4) == Approx(24 / 1e-4).epsilon(1e-3));
    CHECK(dragCoefficient(100) == Approx(1.09).epsilon(2e-3));  // 0.24 (1 + 0.15 * 100^0.687)
    CHECK(dragCoefficient(1e5) == 0.44);
}

TEST_CASE("Loose snow falls with its terminal speed")
{
    Scene scene = looseCrumb();
    Simulation simulation(scene);
    REQUIRE(simulation.particleCount() == 1);
    advanceFrames(simulation, 48);
    double slow = 0, fast = 100;  // bisection: gravity and drag are equal
    while (fast - slow > 1e-6) {
        const double v = (slow + fast) / 2;
        (dragAcceleration(Vec3d(0, -v, 0)).y() < 9.81 ? slow : fast) = v;
    }
    CHECK(-meanOf(simulation).velocity.y() == Approx(slow).epsilon(0.01));
}

TEST_CASE("Loose snow that is thrown into the wind flies as a point mass with drag")
{
    Scene scene = looseCrumb();
    scene.snow[0].velocity = Vec3d(6, 5, 0);
    scene.air.wind_m_s = Vec3d(-2, 0, 3);
    Simulation simulation(scene);
    const Vec3d start = meanOf(simulation).place;
    advanceFrames(simulation, 12);
    const Flight end = meanOf(simulation);
    Flight expected{Vec3d::Zero(), scene.snow[0].velocity};
    expected.fly(0.5, scene.air.wind_m_s);
    INFO("moved by " << (end.place - start).transpose() << ", expected " << expected.place.transpose());
    CHECK((end.place - start - expected.place).norm() < 0.01 * expected.place.norm());
    CHECK((end.velocity - expected.velocity).norm() < 0.01 * expected.velocity.norm());
}

TEST_CASE("Packed snow is not touched by wind")
{
    Scene scene = emptyScene(0.02);
    scene.solver.gravity = Vec3d(0, -9.81, 0);
    scene.snow = {snowBox(Vec3d::Zero(), Vec3d(0.2, 0.1, 0.2))};
    scene.bodies = {plane(Vec3d::Zero(), Vec3d::UnitY(), 0.5)};
    const auto after = [&] {
        Simulation simulation(scene);
        advanceFrames(simulation, 3);
        return stateBytes(simulation.checkpoint());
    };
    const std::string still = after();
    scene.air.density_kg_m3 = density;
    scene.air.wind_m_s = Vec3d(30, 0, 0);
    CHECK(after() == still);
}

TEST_CASE("Gusts have their speed and no divergence, and the wind carries them")
{
    Scene scene = emptyScene(0.02);
    scene.air = {.density_kg_m3 = density, .gust_m_s = 4, .gust_size_m = 0.5, .seed = 3};
    const AirFlow air(scene);
    std::mt19937 random(2);
    std::uniform_real_distribution<double> along(-20, 20);
    const int count = 3000;
    double speed2 = 0, divergence2 = 0, slope2 = 0;
    for (int i = 0; i < count; ++i) {
        const double px = along(random), py = along(random), pz = along(random);
        const Vec3d x(px, py, pz);
        speed2 += air.velocity(x, 0.3).squaredNorm() / count;
        constexpr double step = 2e-3;
        double divergence = 0;
        for (int a = 0; a < 3; ++a) {
            const Vec3d change =
                air.velocity(x + step * Vec3d::Unit(a), 0.3) - air.velocity(x - step * Vec3d::Unit(a), 0.3);
            divergence += change[a] / (2 * step);
            slope2 += change.squaredNorm() / (4 * step * step) / count;
        }
        divergence2 += divergence * divergence / count;
    }
    CHECK(std::sqrt(speed2) == Approx(4).epsilon(0.15));
    CHECK(std::sqrt(divergence2) < 0.02 * std::sqrt(slope2));
    scene.air.wind_m_s = Vec3d(10, 0, 0);
    const Vec3d carried = AirFlow(scene).velocity(Vec3d(5, 1, 2), 0.3);
    CHECK((carried - scene.air.wind_m_s - air.velocity(Vec3d(2, 1, 2), 0.3)).norm() < 1e-9);
}
