// What a blend of PIC and FLIP loses of rigid rotation per step. PIC averages velocities over the kernel twice (to the
// grid and back). For v = omega x r the average is v itself inside, and less near the free surface, where there is
// matter on one side only; integrated over the body the angular momentum that one PIC step loses is, with the variance
// h^2 / 3 of the cubic kernel per axis, 5 h^2 / (3 R^2) of the total for a sphere and 4 h^2 / (3 R^2) for a disk. FLIP
// loses nothing, so the blend loses (1 - alpha) of that.

#include <catch2/catch.hpp>

#include "tests/sim/fast_step.h"
#include "tests/sim/turning_snow.h"

using namespace firn;

namespace {

constexpr double h = 0.02, R = 8 * h;

/// Turning about y with 1 rad/s.
template <class F>
Particles turning(const F& inside)
{
    return turningSnow(h, 10, 1, false, inside);
}

double angularMomentum(const Particles& p)
{
    double sum = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
        const Vec3d v(p.velocity[0][i], p.velocity[1][i], p.velocity[2][i]);
        sum += static_cast<double>(p.mass[i]) * position(p, i, h).cross(v).y();
    }
    return sum;
}

/// -ln of the share of angular momentum that is left after a step, mean over 200 steps of 1e-4 s. The body turns by
/// 0.02 rad meanwhile; its modulus of 1 Pa makes its stress negligible.
double lossPerStep(Particles particles, double alpha)
{
    SnowMaterial soft;
    soft.youngs_modulus_pa = 1;
    FastStep fast(std::move(particles), h, soft, false);
    const double before = angularMomentum(fast.particles);
    constexpr int steps = 200;
    for (int n = 0; n < steps; ++n) fast.step(1e-4, alpha, Vec3d::Zero());
    return std::log(before / angularMomentum(fast.particles)) / steps;
}

}  // namespace

TEST_CASE("A sphere loses (1 - alpha) 5 h^2 / (3 R^2) of its spin per step")
{
    // alpha = 0.95, R = 8 h: 0.05 * 5 / 192 = 1.302e-3 per step
    const double expected = 0.05 * 5 / (3 * 64.0);
    const double found = lossPerStep(turning([](const Vec3d& x) { return x.norm() < R; }), 0.95);
    CHECK(found == Approx(expected).epsilon(0.25));
}

TEST_CASE("A disk loses (1 - alpha) 4 h^2 / (3 R^2) of its spin per step")
{
    // alpha = 0.95, R = 8 h: 0.05 * 4 / 192 = 1.042e-3 per step; its thickness of 4 h does not matter
    const double expected = 0.05 * 4 / (3 * 64.0);
    const auto disk = [](const Vec3d& x) { return std::hypot(x.x(), x.z()) < R && std::abs(x.y()) < 2 * h; };
    CHECK(lossPerStep(turning(disk), 0.95) == Approx(expected).epsilon(0.25));
}

TEST_CASE("Pure FLIP keeps the spin")
{
    // alpha = 1 loses nothing in exact arithmetic; float transfers of 64 terms err by 1e-7 per step
    CHECK(std::abs(lossPerStep(turning([](const Vec3d& x) { return x.norm() < R; }), 1)) < 1e-6);
}
