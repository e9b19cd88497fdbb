// Energies and penetration of a frame against closed forms and against sums over the written particles.

#include "sim/diagnostics.h"

#include <catch2/catch.hpp>

#include "sim/contact.h"
#include "sim/material/materials.h"
#include "tests/common/body/pulsing_sphere.h"
#include "tests/sim/snow_scene.h"

using namespace firn;

TEST_CASE("Energies of particles that are all alike are those of one times their number")
{
    // A stretch of 1 % along x: Psi = (mu + lambda / 2) 0.01^2 exp(xi (1 - J_P)). Float stretches: 1e-7 / 0.01.
    constexpr std::size_t count = 2500;  // more than two chunks, the last not a whole number of batches
    constexpr double h = 0.02, m = 0.004, volume = 1e-5;
    Scene scene = emptyScene(h);
    scene.snow.push_back(snowBox(Vec3d::Zero(), Vec3d::Ones()));
    scene.bodies.push_back(plane(Vec3d(0, 0.1, 0), Vec3d::UnitY(), 0.5));
    Particles particles;
    particles.resize(count);
    for (std::size_t p = 0; p < count; ++p) {
        const int cell[] = {static_cast<int>(p % 50), static_cast<int>(p / 50), 3};  // x = (cell + 1/4) h
        for (int a = 0; a < 3; ++a) {
            particles.cell[a][p] = cell[a];
            particles.offset[a][p] = 0.25f;
            particles.velocity[a][p] = static_cast<float>(a + 1);
            particles.F_E[4 * a][p] = a == 0 ? 1.01f : 1.f;
        }
        particles.J_P[p] = 0.9f;
        particles.mass[p] = static_cast<float>(m);
        particles.volume0[p] = static_cast<float>(volume);
        particles.modulus_factor[p] = 1.5f;
    }
    Contact contact(makeBodies(scene), h);
    contact.place(0, 0);
    const Diagnostics found = diagnose(particles, materialsOf(scene), contact, h, Vec3d(0, -9.81, 0));
    const Snow<double> snow = Snow<double>::of(SnowMaterial(), true);
    const double psi = (snow.mu0 + snow.lambda0 / 2) * 1e-4 * 1.5 * std::exp(10 * 0.1);
    CHECK(found.elastic_J == Approx(count * volume * psi).epsilon(1e-4));
    CHECK(found.kinetic_J == Approx(count * m * (1 + 4 + 9) / 2).epsilon(1e-6));
    const double meanHeight = (24.5 + 0.25) * h;  // layers 0 .. 49, as many particles in each
    CHECK(found.potential_J == Approx(count * m * 9.81 * meanHeight).epsilon(1e-6));
    // Layers at .25 h, 1.25 h .. 4.25 h lie below the plane at 5 h, fifty particles in each.
    CHECK(found.penetrating == 250);
    CHECK(found.penetration_m == Approx(0.1 - 0.25 * h).epsilon(1e-12));
}

TEST_CASE("The depth of snow in a body that deforms is measured to its surface at the frame's time")
{
    // One particle 0.45 m and one 0.6 m from the centre of a ball of 0.5 + 0.2 sin 5t: at t = 0.1 s, 0.5959 m.
    constexpr double h = 0.02;
    const auto ball = std::make_shared<PulsingSphere>(Vec3d::Zero(), 0.5, 0.2);
    Body body;
    body.pieces = {ball};
    Scene scene = emptyScene(h);
    scene.snow.push_back(snowBox(Vec3d::Zero(), Vec3d::Ones()));
    Particles particles;
    particles.resize(2);
    for (int p = 0; p < 2; ++p) {
        particles.cell[0][p] = p == 0 ? 22 : 30;  // 22.5 and 30 cells
        particles.offset[0][p] = p == 0 ? 0.5f : 0.f;
        for (int a = 0; a < 3; ++a) particles.F_E[4 * a][p] = 1;
    }
    Contact contact({body}, h);
    contact.place(0.1, 0);
    const Diagnostics found = diagnose(particles, materialsOf(scene), contact, h, Vec3d::Zero());
    CHECK(found.penetrating == 1);
    CHECK(found.penetration_m == Approx(ball->radius(0.1) - 0.45).epsilon(1e-12));
}

TEST_CASE("A falling ball turns potential into kinetic energy and enters no body")
{
    Scene scene = emptyScene(0.02);
    scene.solver.gravity = Vec3d(0, -9.81, 0);
    scene.snow.push_back(snowSphere(Vec3d(0, 0.5, 0), 0.06));
    scene.bodies.push_back(plane(Vec3d::Zero(), Vec3d::UnitY(), 0.5));
    Simulation simulation(scene);
    const Diagnostics start = simulation.stats().diagnostics;
    CHECK(start.kinetic_J == 0);
    CHECK(start.elastic_J == 0);
    REQUIRE(simulation.advanceFrame({}));
    const Diagnostics end = simulation.stats().diagnostics;
    // Symplectic Euler with n steps loses (m g^2 t^2 / 2) / n to the moment at which v is taken: below 1 in n.
    const double released = start.potential_J - end.potential_J;
    CHECK(end.kinetic_J == Approx(released).epsilon(1.0 / static_cast<double>(simulation.stats().substeps)));
    CHECK(end.penetration_m == 0);
    CHECK(end.penetrating == 0);
}
