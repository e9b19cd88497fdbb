// Powder in the air: what snow gives off, how its puffs fly, and where their grains go.

#include "sim/powder.h"

#include <catch2/catch.hpp>

#include <numeric>
#include <span>

#include "tests/sim/snow_scene.h"

using namespace firn;

namespace {

constexpr double frame_s = 1. / 24;

Scene airyScene()
{
    Scene scene = emptyScene(0.02);
    scene.solver.gravity = Vec3d(0, -9.81, 0);
    scene.snow = {snowSphere(Vec3d(0, 0.2, 0), 0.08)};
    scene.snow[0].powder = {.share = 0.1, .work_J_kg = 5, .grain_mm = 0.1};
    scene.air.density_kg_m3 = 1.29;
    return scene;
}

Scene impact(double speed_m_s)
{
    Scene scene = airyScene();
    scene.snow[0].velocity = Vec3d(0, -speed_m_s, 0);
    scene.snow[0].material.critical_stretch = 0.002;
    scene.bodies = {plane(Vec3d::Zero(), Vec3d::UnitY(), 0.5)};
    return scene;
}

Puff puffAt(const Vec3d& place, const Vec3d& velocity)
{
    Puff puff;
    puff.position_m = place;
    puff.velocity_m_s = velocity;
    puff.radius_m = 0.05;
    puff.mass_kg = 1e-4;
    return puff;
}

/// Powder that consists of these puffs.
Powder powderOf(const Scene& scene, const std::vector<Puff>& puffs)
{
    Checkpoint checkpoint;
    const auto bytes = std::as_bytes(std::span(puffs));
    checkpoint.blocks["powder.puffs"] = {bytes.begin(), bytes.end()};
    checkpoint.blocks["powder.totals"] = std::vector<std::byte>(16);
    Powder powder(scene);
    powder.restore(checkpoint);
    return powder;
}

/// Lets puffs fly, with no snow around.
void fly(Powder& powder, const Scene& scene, int frames)
{
    const std::vector<Body> bodies = makeCollidingBodies(scene);
    Contact contact(bodies, scene.solver.dx);
    Particles none;
    none.has_powder = true;
    for (int frame = 0; frame < frames; ++frame) powder.advance(none, contact, frame * frame_s, frame_s);
}

/// Lone crumbs, 3 mm apart, that fly along x.
Particles rowOfCrumbs(const Scene& scene, float speed_m_s)
{
    Particles crumbs;
    keepColumnsFor(scene, crumbs);
    crumbs.resize(20);
    for (std::size_t p = 0; p < crumbs.size(); ++p) {
        setPosition(crumbs, p, Vec3d(0.1 + 0.15 * static_cast<double>(p), 1.5, 1.5));
        crumbs.mass[p] = 1e-3f;
        crumbs.volume0[p] = 5e-6f;
        crumbs.travel[0][p] = crumbs.velocity[0][p] = speed_m_s;
    }
    return crumbs;
}

/// All mass that there is or was, kg.
double totalOf(const FrameStats& stats) { return stats.mass_kg + stats.powder_kg + stats.settled_powder_kg; }

}  // namespace

TEST_CASE("Snow loses the mass of its powder, and harder impacts make more of it", "[powder]")
{
    std::vector<double> given;
    for (const double speed : {3., 9.}) {
        Simulation simulation(impact(speed));
        const double before = simulation.stats().mass_kg;
        advanceFrames(simulation, 10);
        const FrameStats& stats = simulation.stats();
        CHECK(totalOf(stats) == Approx(before).epsilon(1e-6));
        given.push_back(stats.powder_kg + stats.settled_powder_kg);
        ParticleFrame frame = simulation.particleFrame();
        const ParticleFrame powder = takePowder(frame);
        CHECK(powder.size() == stats.puffs);
        CHECK(totalMass(frame) == Approx(stats.mass_kg).epsilon(1e-6));
        CHECK(totalMass(powder) == Approx(stats.powder_kg).epsilon(1e-6));
    }
    CHECK(given[0] > 0);
    CHECK(given[1] > 2 * given[0]);
}

TEST_CASE("Snow that flies without breaking gives off no powder", "[powder]")
{
    Scene scene = airyScene();
    scene.snow[0].velocity = Vec3d(3, 3, 0);
    Simulation simulation(scene);
    advanceFrames(simulation, 6);
    CHECK(simulation.stats().puffs == 0);
}

TEST_CASE("A puff that is thrown takes in air and keeps its momentum", "[powder]")
{
    Scene scene = airyScene();
    scene.solver.gravity = Vec3d::Zero();
    const double u = 8, r = 0.05, alpha = 0.25, seconds = 6 * frame_s;
    Powder powder = powderOf(scene, {puffAt(Vec3d(0, 5, 0), Vec3d(u, 0, 0))});
    fly(powder, scene, 6);
    REQUIRE(powder.puffs().size() == 1);
    const Puff& puff = powder.puffs()[0];
    const auto cube = [](double x) { return x * x * x; };
    CHECK(puff.velocity_m_s.x() * cube(puff.radius_m) == Approx(u * cube(r)).epsilon(1e-9));
    // r^4 = r0^4 + 4 alpha u0 r0^3 t, and the way is (r - r0) / alpha. Diffusion of still air adds to the radius.
    const double radius = std::pow(std::pow(r, 4) + 4 * alpha * u * cube(r) * seconds, 0.25);
    CHECK(puff.radius_m == Approx(radius).epsilon(0.05));
    CHECK(puff.radius_m > radius);
    CHECK(puff.position_m.x() == Approx((radius - r) / alpha).epsilon(0.1));
}

TEST_CASE("Puffs drift with the wind while their grains fall at their terminal speed", "[powder]")
{
    Scene scene = airyScene();
    scene.air.wind_m_s = Vec3d(2, 0, -1);
    Powder powder = powderOf(scene, {puffAt(Vec3d(0, 5, 0), Vec3d::Zero())});
    fly(powder, scene, 12);
    REQUIRE(powder.puffs().size() == 1);
    const Vec3d moved = powder.puffs()[0].position_m - Vec3d(0, 5, 0);
    CHECK(moved.x() == Approx(1).epsilon(1e-9));
    CHECK(moved.z() == Approx(-0.5).epsilon(1e-9));
    // A sphere of ice of 0.1 mm: Stokes' law with the correction of Schiller and Naumann.
    const double fall = -moved.y() / 0.5, reynolds = 1.29 * fall * 1e-4 / 1.72e-5;
    const double stokes = 917 * 9.81 * 1e-8 / (18 * 1.72e-5);
    CHECK(fall * (1 + 0.15 * std::pow(reynolds, 0.687)) == Approx(stokes).epsilon(1e-3));
}

TEST_CASE("Grains settle on the ground, and puffs do not pass through bodies", "[powder]")
{
    Scene scene = airyScene();
    scene.bodies = {plane(Vec3d::Zero(), Vec3d::UnitY(), 0.5)};
    Powder powder = powderOf(scene, {puffAt(Vec3d(0, 0.1, 0), Vec3d(0, -3, 0))});
    double lowest = 1;
    for (int frame = 0; frame < 48; ++frame) {
        const double before = powder.mass();
        fly(powder, scene, 1);
        CHECK(powder.mass() <= before);
        CHECK(powder.mass() + powder.settledMass() == Approx(1e-4).epsilon(1e-9));
        for (const Puff& puff : powder.puffs()) lowest = std::min(lowest, puff.position_m.y());
    }
    CHECK(lowest > -0.01);
    CHECK(powder.settledMass() > 0.5e-4);
}

TEST_CASE("Loose snow takes the air along", "[powder]")
{
    Scene scene = airyScene();
    scene.solver.gravity = Vec3d::Zero();
    Particles crumbs = rowOfCrumbs(scene, 6);
    Contact contact({}, scene.solver.dx);
    Powder powder = powderOf(scene, {puffAt(Vec3d(0.03, 0.03, 0.03), Vec3d::Zero())});
    powder.advance(crumbs, contact, 0, frame_s);
    REQUIRE(powder.puffs().size() == 1);
    CHECK(powder.puffs()[0].velocity_m_s.x() > 0.5);
    CHECK(powder.puffs()[0].velocity_m_s.x() < 6);
    CHECK(powder.puffs()[0].position_m.x() > 0.04);
}

TEST_CASE("Snow that lies does not hold the air, so the wind takes powder off it", "[powder]")
{
    Scene scene = airyScene();
    scene.solver.gravity = Vec3d::Zero();
    scene.air.wind_m_s = Vec3d(-3, 0, 0);
    Particles crumbs = rowOfCrumbs(scene, 0);
    Contact contact({}, scene.solver.dx);
    Powder powder = powderOf(scene, {puffAt(Vec3d(0.03, 0.03, 0.03), Vec3d::Zero())});
    powder.advance(crumbs, contact, 0, frame_s);
    REQUIRE(powder.puffs().size() == 1);
    CHECK(powder.puffs()[0].position_m.x() == Approx(0.03 - 3 * frame_s).epsilon(1e-9));
}

TEST_CASE("Puffs that merge keep mass, centre, momentum and spread", "[powder]")
{
    std::vector<Puff> puffs;
    for (int i = 0; i < 40; ++i) {
        const int layer = i / 20;
        Puff puff = puffAt(Vec3d(0.01 * (i % 4), 0.02 * (i % 5), 0.015 * layer), Vec3d(i % 3, -1, 0.5 * (i % 2)));
        puff.radius_m = 0.04 + 0.001 * i;
        puff.mass_kg = 1e-5 * (1 + i % 7);
        puff.id = static_cast<std::uint32_t>(i);
        puff.region = static_cast<std::uint32_t>(i % 2);
        puffs.push_back(puff);
    }
    const auto momentsOf = [](const std::vector<Puff>& of) {
        std::array<double, 8> sums{};
        for (const Puff& puff : of) {
            sums[0] += puff.mass_kg;
            for (int a = 0; a < 3; ++a) {
                sums[1 + static_cast<std::size_t>(a)] += puff.mass_kg * puff.position_m[a];
                sums[4 + static_cast<std::size_t>(a)] += puff.mass_kg * puff.velocity_m_s[a];
            }
            sums[7] += puff.mass_kg * (puff.position_m.squaredNorm() + 0.6 * puff.radius_m * puff.radius_m);
        }
        return sums;
    };
    const auto before = momentsOf(puffs);
    std::size_t last = puffs.size() + 1;
    for (const int coarser : {0, 2, 5}) {
        const std::vector<Puff> merged = mergedPuffs(puffs, 0.02, coarser);
        CHECK(merged.size() < last);
        last = merged.size();
        const auto after = momentsOf(merged);
        for (std::size_t k = 0; k < before.size(); ++k) CHECK(after[k] == Approx(before[k]).epsilon(1e-9));
        std::vector<Puff> reversed(puffs.rbegin(), puffs.rend());
        const std::vector<Puff> again = mergedPuffs(reversed, 0.02, coarser);
        REQUIRE(again.size() == merged.size());
        for (std::size_t k = 0; k < merged.size(); ++k) CHECK(again[k].position_m == merged[k].position_m);
    }
    CHECK(last == 2);  // one of each region
}

TEST_CASE("A checkpoint whose powder is cut or missing is refused", "[powder]")
{
    const Scene scene = impact(5);
    const Simulation simulation(scene);
    const auto refusal = [&](const char* name, std::size_t bytes) {
        Checkpoint checkpoint = copyOf(simulation.checkpoint());
        checkpoint.blocks[name].resize(bytes);
        if (bytes == 0) checkpoint.blocks.erase(name);
        CHECK_THROWS_WITH(Simulation(scene, checkpoint), Catch::Contains(std::string("checkpoint: block '") + name));
    };
    refusal("powder.puffs", 0);
    refusal("powder.puffs", 71);
    refusal("powder.totals", 0);
    refusal("powder.totals", 32);
}

TEST_CASE("There are never more puffs than allowed", "[powder]")
{
    Scene scene = airyScene();
    scene.air.most_puffs = 100;
    std::vector<Puff> puffs;
    for (int i = 0; i < 1000; ++i) {
        const int row = i / 10, layer = i / 100;
        puffs.push_back(puffAt(Vec3d(0.3 * (i % 10), 5 + 0.3 * (row % 10), 0.3 * layer), Vec3d::Zero()));
        puffs.back().id = static_cast<std::uint32_t>(i);
    }
    Powder powder = powderOf(scene, puffs);
    fly(powder, scene, 1);
    CHECK(powder.puffs().size() <= 100);
    CHECK(powder.puffs().size() > 10);
    CHECK(powder.mass() == Approx(0.1).epsilon(1e-9));
}
