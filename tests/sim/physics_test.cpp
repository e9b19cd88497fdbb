// The experiments of physics_cases.h, reduced, with the default transfer. Each has a number that snow must meet; the
// campaign tests/campaign/physics.cpp runs them all, larger.

#include "tests/sim/physics_cases.h"

#include <catch2/catch.hpp>

using namespace firn;
using namespace firn::physics;

TEST_CASE("Snow that hits the ground does not bounce, and becomes no denser than ice")
{
    // At 50 m/s stored elastic energy is below 0.1 % of the impact's, which is a rebound of at most 1.6 m/s; where
    // particles move with velocities that the grid does not see, streams pass through each other and 40 % comes back.
    Setting setting;
    setting.shorter_steps = GENERATE(1., 2.);
    const Impact result = impact(setting, 50, 10);
    CHECK(result.leaving_m_s <= 0.05 * 50);
    CHECK(result.densest_kg_m3 <= 1.05 * 917);
}

TEST_CASE("No shell flies off snow that hits the ground")
{
    const Impact result = impact(Setting(), 20, 10);
    CHECK(result.leaving_m_s <= 0.1 * 20);
    CHECK(result.thrown_share == 0);
}

TEST_CASE("Snow that is packed within a semi-implicit step is not thrown back")
{
    // With the derivative of the pressure at the start of a step, the centre leaves with 5 m/s and 80 % is thrown back.
    Setting setting;
    setting.integrator = Integrator::Implicit;
    const Impact result = impact(setting, 20, 14);
    CHECK(result.leaving_m_s <= 0.1 * 20);
    CHECK(result.thrown_share == 0);
}

TEST_CASE("Slow compression makes no layers")
{
    // Where particles move with velocities that the grid does not see, layers of +- 45 % arise.
    const Compression result = compression(Setting(), 12);
    CHECK(result.band_amplitude <= 0.1);
}

TEST_CASE("Free flight keeps its momentum")
{
    for (const Transfer transfer : {Transfer::AffineFlip, Transfer::Apic, Transfer::Flip})
        CHECK(momentumDrift({.transfer = transfer}) <= 1e-5);
}
