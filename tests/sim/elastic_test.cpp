// Whole problems of elastic snow against closed forms.

#include <catch2/catch.hpp>

#include "sim/material/fixed_corotated.h"
#include "tests/sim/confined_column.h"

using namespace firn;

namespace {

struct Energy {
    double kinetic = 0, elastic = 0;
};

Energy energyOf(const ParticleFrame& frame)
{
    const double mu = lameMu(1.4e5, 0.2), lambda = lameLambda(1.4e5, 0.2);
    Energy sum;
    for (std::size_t i = 0; i < frame.size(); ++i) {
        Mat3<double> F;
        for (int e = 0; e < 9; ++e) F[e / 3][e % 3] = static_cast<double>(frame.F_E[i](e / 3, e % 3));
        const double speed = frame.velocity_m_s[i].cast<double>().norm();
        sum.kinetic += static_cast<double>(frame.mass_kg[i]) * speed * speed / 2;
        sum.elastic += static_cast<double>(frame.volume0_m3[i]) * energyDensity(F, mu, lambda);
    }
    return sum;
}

}  // namespace

TEST_CASE("A confined bar, fixed at one end, swings with T = 4 L / c_p")
{
    // L = 1 m: T = 4 / 19.7203 = 0.202837 s.
    const double expected = 0.202837;
    CHECK(confinedPeriod(20, 8, Integrator::Explicit, ContactMethod::Impulses) == Approx(expected).epsilon(0.01));
    CHECK(confinedPeriod(40, 8, Integrator::Explicit, ContactMethod::Impulses) == Approx(expected).epsilon(0.005));
    // Where contact stops nodes, those in the floor are at rest, but the first one above it moves, and its kernel
    // reaches into the floor: the bar is longer by half a cell, an error of first order in h.
    const double coarse = confinedPeriod(20, 8, Integrator::Explicit, ContactMethod::Nodes),
                 fine = confinedPeriod(40, 8, Integrator::Explicit, ContactMethod::Nodes);
    CHECK(coarse == Approx(expected).epsilon(0.03));
    CHECK(fine == Approx(expected).epsilon(0.015));
    const double order = std::log2((coarse - expected) / (fine - expected));
    CHECK(order >= 0.8);
    CHECK(order <= 1.3);
}

TEST_CASE("A confined column sinks by rho g H^2 / 2 M under its own weight")
{
    // H = 0.5 m: 400 * 9.81 * 0.25 / (2 * 155555.56) = 3.1532 mm at the top; at height y, rho g / M (H y - y^2 / 2).
    // Released from rest, the column swings about that state: its mean over whole periods.
    const double H = 0.5, g = 9.81, swing = 4 * H / std::sqrt(snowModulus / snowDensity);
    Scene scene = confinedColumn(H, 40, 8, g);
    constexpr int framesPerSwing = 20;
    setFrameSeconds(scene, swing / framesPerSwing);
    Simulation simulation(scene, withRegularParticles(Simulation(scene)));
    const ParticleFrame start = simulation.particleFrame();
    const auto before = byId(start);
    double found = 0, expected = 0;
    for (int frame = 0; frame < 3 * framesPerSwing; ++frame) {
        simulation.advanceFrame(nullptr);
        const ParticleFrame now = simulation.particleFrame();
        for (std::size_t i = 0; i < now.size(); ++i) {
            const double y = start.position_m[before[now.id[i]]].y();
            if (y < H - scene.solver.dx) continue;  // the topmost cells
            found += y - now.position_m[i].y();
            expected += snowDensity * g / snowModulus * (H * y - y * y / 2);
        }
    }
    const double atTop = snowDensity * g * H * H / (2 * snowModulus);
    REQUIRE(atTop == Approx(3.1532e-3).epsilon(1e-4));
    CHECK(found / expected * atTop == Approx(atTop).epsilon(0.02));
}

TEST_CASE("Two elastic balls collide: momentum is kept and energy never grows")
{
    // 1 m/s each, c_p = 19.7 m/s: strains of some per cent. PIC takes energy, nothing may give any.
    Scene scene = emptyScene(0.02);
    scene.solver.plasticity = false;
    scene.snow = {snowSphere(Vec3d(-0.11, 0.01, 0), 0.1), snowSphere(Vec3d(0.11, -0.01, 0), 0.1)};
    scene.snow[0].velocity = Vec3d(1, 0, 0);
    scene.snow[1].velocity = Vec3d(-1, 0, 0);
    setFrameSeconds(scene, 0.06);
    Simulation simulation(scene);
    const ParticleFrame start = simulation.particleFrame();
    const double initial = energyOf(start).kinetic;
    // x_n+1 = x_n + dt v_n+1: velocities belong to the middle of a step, positions to its end. The energy at the end of
    // step n is therefore its elastic energy and the mean of the kinetic energies of steps n and n + 1.
    Energy before = energyOf(start);
    double most = 0, leastKinetic = initial, momentumError = 0;
    simulation.advanceFrame([&](const SubstepStatus&) {
        const ParticleFrame now = simulation.particleFrame();
        const Energy energy = energyOf(now);
        most = std::max(most, before.elastic + (before.kinetic + energy.kinetic) / 2);
        leastKinetic = std::min(leastKinetic, energy.kinetic);
        momentumError = std::max(momentumError, (totalMomentum(now) - totalMomentum(start)).norm());
        before = energy;
        return true;
    });
    CHECK(most <= 1.001 * initial);
    CHECK(momentumError < 1e-5 * totalMass(start) * 1);  // of sum m |v|
    CHECK(leastKinetic < 0.1 * initial);                 // nearly all of it was elastic for a moment
    const ParticleFrame end = simulation.particleFrame();
    double left = 0, right = 0;  // and they bounced
    for (std::size_t i = 0; i < end.size(); ++i) {
        const double p = static_cast<double>(end.mass_kg[i]) * static_cast<double>(end.velocity_m_s[i].x());
        (end.material[i] == 0 ? left : right) += p;
    }
    CHECK(left < 0);
    CHECK(right > 0);
}
