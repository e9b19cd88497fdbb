// APIC and affine FLIP. With C (Jiang, Schroeder, Selle, Teran, Stomakhin 2015) an affine velocity field passes
// from particles to nodes and back unchanged, so linear and angular momentum are kept. A particle's angular momentum is
// that of its point and that of its affine motion about it, x_p x m_p v_p + m_p axial(C D) with D = h^2 / 3 I.

#include <catch2/catch.hpp>

#include "tests/sim/fast_step.h"
#include "tests/sim/plain.h"
#include "tests/sim/snow_scene.h"
#include "tests/sim/turning_snow.h"

using namespace firn;

namespace {

constexpr double h = 0.02;

/// A cloud with random C of some tens of 1/s: v varies by about its own size over a cell.
Particles affineCloud()
{
    Particles p = randomParticles(800, Vec3i(-12, -3, -9), Vec3i(10, 11, 8), h, 0.005);
    p.affine = true;
    p.resize(p.size());
    std::mt19937 random(5);
    std::normal_distribution<float> normal(0, 30);
    for (auto& column : p.C)
        for (float& c : column) c = normal(random);
    return p;
}

struct Momenta {
    Vec3d linear = Vec3d::Zero(), angular = Vec3d::Zero();
};

Momenta momenta(const std::vector<plain::Particle>& particles)
{
    Momenta sum;
    for (const plain::Particle& p : particles) {
        const Mat3d B = p.C * h * h / 3;
        sum.linear += p.mass * p.v;
        sum.angular += p.x.cross(p.mass * p.v);
        // sum w (x_i - x_p) x (C (x_i - x_p)) = axial vector of C D
        sum.angular += p.mass * Vec3d(B(2, 1) - B(1, 2), B(0, 2) - B(2, 0), B(1, 0) - B(0, 1));
    }
    return sum;
}

Momenta momenta(const plain::Nodes& nodes)
{
    Momenta sum;
    for (const auto& [at, node] : nodes) {
        sum.linear += node.momentum;
        sum.angular += (Vec3d(at[0], at[1], at[2]) * h).cross(node.momentum);
    }
    return sum;
}

/// A step of APIC in double without stress.
void plainStep(std::vector<plain::Particle>& particles, double dt)
{
    Snow<double> model = Snow<double>::of(SnowMaterial(), false);
    model.mu0 = model.lambda0 = 0;
    plain::Nodes nodes = plain::rasterize(particles, h);
    plain::updateVelocities(nodes, dt, Vec3d::Zero());
    plain::updateAffine(particles, h, nodes);
    plain::updateParticles(particles, model, h, dt, 0, nodes);
}

/// Turning about y with 5 rad/s.
template <class F>
Particles turning(const F& inside)
{
    return turningSnow(h, 6, 5, true, inside);
}

bool inBall(const Vec3d& x) { return x.norm() < 5 * h; }
bool inDisk(const Vec3d& x) { return std::hypot(x.x(), x.z()) < 5 * h && std::abs(x.y()) < h; }

}  // namespace

TEST_CASE("APIC transfers keep linear and angular momentum both ways")
{
    std::vector<plain::Particle> particles = plain::fromColumns(affineCloud(), h);
    const Momenta before = momenta(particles);
    const Momenta onGrid = momenta(plain::rasterize(particles, h));
    CHECK((onGrid.linear - before.linear).norm() < 1e-12 * before.linear.norm());
    CHECK((onGrid.angular - before.angular).norm() < 1e-12 * before.angular.norm());
    plainStep(particles, 1e-3);
    const Momenta after = momenta(particles);
    CHECK((after.linear - before.linear).norm() < 1e-12 * before.linear.norm());
    CHECK((after.angular - before.angular).norm() < 1e-12 * before.angular.norm());
}

TEST_CASE("APIC carries an affine velocity field to the nodes and back unchanged")
{
    Particles cloud = affineCloud();
    Mat3d A;
    A << 3, -20, 7, 11, -5, 2, -9, 4, 13;
    const Vec3d b(1, -2, 0.5);
    std::vector<plain::Particle> particles = plain::fromColumns(cloud, h);
    for (plain::Particle& p : particles) p.v = A * p.x + b, p.C = A;
    const std::vector<plain::Particle> before = particles;
    plainStep(particles, 1e-4);
    for (std::size_t p = 0; p < particles.size(); ++p) {
        REQUIRE((particles[p].v - before[p].v).norm() < 1e-11);
        REQUIRE((particles[p].C - A).norm() < 1e-8);
    }
}

TEST_CASE("Fast affine transfers agree with the plain ones")
{
    // floats carry 24 bits, sums of some tens of terms: 1e-5 of the largest; C is a difference of those over h / 3
    const bool withFlip = GENERATE(false, true);
    const double alpha = withFlip ? 0.9 : 0;
    Particles cloud = affineCloud();
    cloud.has_travel = withFlip;
    cloud.resize(cloud.size());
    FastStep fast(cloud, h, SnowMaterial(), true);
    std::vector<plain::Particle> particles = plain::fromColumns(fast.particles, h);
    const Snow<double> model = Snow<double>::of(SnowMaterial(), true);
    plain::Nodes nodes = plain::rasterize(particles, h);
    plain::addForces(particles, model, h, nodes);
    double momentum = 0, speed = 0, C = 0;
    for (const auto& [at, node] : nodes) momentum = std::max(momentum, node.momentum.norm());
    fast.toGrid();
    for (std::size_t leaf = 0; leaf < fast.grid.leafCount(); ++leaf)
        for (int n = 0; n < nodesPerLeaf; ++n) {
            const Vec3i at = fast.grid.origin(leaf) + Vec3i(n >> 6, n >> 3 & 7, n & 7);
            const auto found = nodes.find({at.x(), at.y(), at.z()});
            const Vec3d expected = found == nodes.end() ? Vec3d(0, 0, 0) : found->second.momentum;
            const float* m = fast.grid.momentum(leaf) + 4 * n;
            REQUIRE((Vec3d(m[0], m[1], m[2]) - expected).norm() < 1e-5 * momentum);
        }

    const double dt = 1e-4;
    const Vec3d gravity(0, -9.81, 0);
    plain::updateVelocities(nodes, dt, gravity);
    plain::updateAffine(particles, h, nodes);
    plain::updateParticles(particles, model, h, dt, alpha, nodes, plain::Travel::Grid);
    REQUIRE(fast.step(dt, alpha, gravity).failed == -1);
    REQUIRE(fast.particles.affine);
    for (const plain::Particle& p : particles) speed = std::max(speed, p.v.norm()), C = std::max(C, p.C.norm());
    const std::vector<plain::Particle> found = plain::fromColumns(fast.particles, h);
    for (std::size_t i = 0; i < found.size(); ++i) {
        const plain::Particle& expected = particles[fast.particles.id[i]];
        REQUIRE((found[i].v - expected.v).norm() < 1e-5 * speed);
        REQUIRE((found[i].C - expected.C).norm() < 1e-5 * (C + 3 / h * speed));
        REQUIRE((found[i].x - expected.x).norm() < 1e-5 * h);
        REQUIRE((found[i].F_E - expected.F_E).norm() < 1e-5);
    }
}

TEST_CASE("APIC and affine FLIP keep the spin of a ball and of a disk")
{
    // Nothing is lost in exact arithmetic, whatever the free surface; FLIP with alpha = 0.95 at R = 5 h would lose
    // 0.05 * 5 / 75 = 3.3e-3 of it per step (spin_test.cpp).
    const bool withFlip = GENERATE(false, true);
    for (Particles start : {turning(inBall), turning(inDisk)}) {
        std::vector<plain::Particle> particles = plain::fromColumns(start, h);
        const double before = momenta(particles).angular.y();
        for (int n = 0; n < 20; ++n) plainStep(particles, 1e-3);
        CHECK(momenta(particles).angular.y() == Approx(before).epsilon(1e-6));

        SnowMaterial soft;
        soft.youngs_modulus_pa = 1;
        start.has_travel = withFlip;
        start.resize(start.size());
        FastStep fast(start, h, soft, false);
        // Affine FLIP errs by the square of the angle of a step: the share of FLIP moves with its particle.
        const double dt = withFlip ? 1e-4 : 1e-3;
        for (int n = 0; n < 20; ++n) REQUIRE(fast.step(dt, withFlip ? 0.95 : 0, Vec3d::Zero()).failed == -1);
        // float transfers of 64 terms err by about 1e-7 per step
        CHECK(momenta(plain::fromColumns(fast.particles, h)).angular.y() == Approx(before).epsilon(1e-5));
    }
}

TEST_CASE("A spinning region starts with its spin in C, and FLIP has no such columns")
{
    Scene scene = emptyScene(h);
    scene.snow = {snowSphere(Vec3d(0.3, 0.1, 0), 0.05)};
    scene.snow[0].spin_rad_s = Vec3d(1, 2, 3);
    const auto columns = [](const Simulation& simulation) {
        std::map<std::string, std::span<const std::byte>> blocks;
        for (const auto& [name, bytes] : simulation.checkpoint().blocks) blocks[name] = bytes;
        return blocks;
    };
    scene.solver.transfer = Transfer::Flip;
    const Simulation flip(scene);
    CHECK(columns(flip).count("C.xx") == 0);
    scene.solver.transfer = Transfer::Apic;
    const Simulation apic(scene);
    // C x = omega x x: C_xy = -3, C_zy = 1, C_xz = 2
    const auto blocks = columns(apic);
    for (const auto& [name, value] : {std::pair{"C.xy", -3.f}, {"C.zy", 1.f}, {"C.xz", 2.f}, {"C.xx", 0.f}}) {
        const auto& bytes = blocks.at(name);
        REQUIRE(bytes.size() == apic.particleCount() * sizeof(float));
        float first = 0;
        std::memcpy(&first, bytes.data(), sizeof first);
        CHECK(first == value);
    }
    // nine floats per particle more, no less
    CHECK(apic.bytes() >= flip.bytes() + 36 * apic.particleCount());
}

TEST_CASE("A simulation resumes to the same bits with each transfer")
{
    Scene scene = emptyScene(h);
    scene.solver.transfer = GENERATE(Transfer::AffineFlip, Transfer::Apic, Transfer::Flip);
    scene.solver.gravity = Vec3d(0, -9.81, 0);
    scene.snow = {snowSphere(Vec3d(0, 0.07, 0), 0.06)};
    scene.snow[0].velocity = Vec3d(1, -2, 0);
    scene.snow[0].spin_rad_s = Vec3d(0, 0, -20);
    scene.bodies = {plane(Vec3d::Zero(), Vec3d::UnitY(), 0.5)};
    Simulation whole(scene);
    advanceFrames(whole, 1);
    Simulation again(scene, copyOf(whole.checkpoint()));
    advanceFrames(whole, 1);
    advanceFrames(again, 1);
    CHECK(stateBytes(again.checkpoint()) == stateBytes(whole.checkpoint()));
}
