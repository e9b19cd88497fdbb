// Seeding: how many particles, how heavy, and where. Counts are compared with volume * ppc / dx^3; cells inside a
// region hold exactly ppc particles, so only cells cut by its surface (S / dx^2 of them, times ppc) are left to chance:
// their count has a standard deviation of at most sqrt(ppc S / dx^2) / 2.

#include <catch2/catch.hpp>
#include <map>

#include "common/error.h"
#include "sim/simulation.h"
#include "tests/common/body/pulsing_sphere.h"
#include "tests/sim/seeded.h"

using namespace firn;
using namespace firn::seeding;

namespace {

double massOf(const Particles& p)
{
    double sum = 0;
    for (const float m : p.mass) sum += static_cast<double>(m);
    return sum;
}

/// A layer on y = 0, from -half to half along x and z.
SnowRegion squareLayer(double half_m, double depth_m)
{
    SnowRegion layer;
    layer.shape = SnowShape::Layer;
    layer.min = Vec3d(-half_m, 0, -half_m);
    layer.max = Vec3d(half_m, 0, half_m);
    layer.depth_m = depth_m;
    return layer;
}

}  // namespace

TEST_CASE("A box on cell borders gets exactly its particles and mass")
{
    // 10 x 5 x 4 cells of 8: 1600 particles, 400 kg/m^3 * 0.2 * 0.1 * 0.08 m^3 = 0.64 kg
    const Particles p = seeded(snowBox(Vec3d(-0.1, 0, 0.02), Vec3d(0.1, 0.1, 0.1)));
    CHECK(p.size() == 1600);
    CHECK(massOf(p) == Approx(0.64).epsilon(1e-6));
    for (std::size_t i = 0; i < p.size(); ++i) {
        REQUIRE(p.id[i] == i);
        REQUIRE(p.volume0[i] == Approx(dx * dx * dx / 8));
        REQUIRE((p.J_P[i] == 1 && p.material[i] == 0 && p.modulus_factor[i] == 1));
    }
}

TEST_CASE("Every cell holds its number of particles, and the places prefer no part of it")
{
    const Particles p = seeded(snowBox(Vec3d::Zero(), Vec3d::Constant(0.32)));
    std::map<std::array<int, 3>, int> cells;
    double mean[3] = {}, square[3] = {};
    for (std::size_t i = 0; i < p.size(); ++i) {
        ++cells[{p.cell[0][i], p.cell[1][i], p.cell[2][i]}];
        for (int a = 0; a < 3; ++a) {
            const double offset = static_cast<double>(p.offset[a][i]);
            mean[a] += offset;
            square[a] += offset * offset;
        }
    }
    CHECK(cells.size() == 4096);
    for (const auto& [cell, count] : cells) REQUIRE(count == 8);
    const double n = static_cast<double>(p.size());
    for (int a = 0; a < 3; ++a) {  // uniform: mean 1/2, mean square 1/3; faces repel a little
        CHECK(mean[a] / n == Approx(0.5).margin(0.003));
        CHECK(square[a] / n == Approx(1.0 / 3).margin(0.015));
    }
}

TEST_CASE("A sphere's count and mass are those of its volume")
{
    // R = 0.15: V = 4/3 pi R^3 = 0.014137 m^3, 14137 particles; S = 0.2827 m^2
    const Particles p = seeded(snowSphere(Vec3d(0.013, 0.4, -0.07), 0.15));
    const double V = 4.0 / 3 * pi * 0.15 * 0.15 * 0.15;
    CHECK(static_cast<double>(p.size()) == Approx(V * 8 / (dx * dx * dx)).margin(countTolerance(4 * pi * 0.15 * 0.15)));
    CHECK(massOf(p) == Approx(static_cast<double>(p.size()) * 400 * dx * dx * dx / 8).epsilon(1e-6));
}

TEST_CASE("A box turns about its centre, and its crust turns with it")
{
    SnowRegion box = snowBox(Vec3d(-0.2, 0.9, -0.1), Vec3d(0.2, 1.1, 0.1));
    box.rotation_deg = Vec3d(0, 0, 90);  // its upper side now faces -x
    box.crust.depth_m = 0.05;
    box.crust.density = 2;
    const Particles p = seeded(box);
    CHECK(static_cast<double>(p.size()) == Approx(16000).margin(countTolerance(0.4)));
    Box3d bounds;
    for (std::size_t i = 0; i < p.size(); ++i) {
        const Vec3d x = position(p, i, dx);
        bounds.extend(x);
        const double density = static_cast<double>(p.mass[i] / p.volume0[i]);
        REQUIRE(density == Approx(x.x() < -0.05 ? 800 : 400));
    }
    CHECK((bounds.min() - Vec3d(-0.1, 0.8, -0.1)).cwiseAbs().maxCoeff() < 0.005);
    CHECK((bounds.max() - Vec3d(0.1, 1.2, 0.1)).cwiseAbs().maxCoeff() < 0.005);
    box.rotation_deg.setZero();
    const Particles upright = seeded(box);
    for (std::size_t i = 0; i < upright.size(); ++i) REQUIRE(position(upright, i, dx).x() < 0.2);
    CHECK(static_cast<double>(upright.size()) == Approx(16000).margin(countTolerance(0.4)));
}

TEST_CASE("A layer fills what lies between its ground and its rough top")
{
    SnowRegion layer;
    layer.shape = SnowShape::Layer;
    layer.min = Vec3d(-0.5, 0.1, -0.3);
    layer.max = Vec3d(0.5, 0, 0.3);
    layer.depth_m = 0.13;
    // flat: 1 m * 0.13 m * 0.6 m = 0.078 m^3
    CHECK(static_cast<double>(seeded(layer).size()) == Approx(0.078 * 8 / (dx * dx * dx)).margin(countTolerance(0.6)));
    layer.roughness_m = 0.03;
    const Particles rough = seeded(layer);
    double highest = 0, lowest = 1;
    std::vector<double> top(25, 0);  // by strips of 0.04 m in x
    for (std::size_t i = 0; i < rough.size(); ++i) {
        const Vec3d x = position(rough, i, dx);
        highest = std::max(highest, x.y());
        lowest = std::min(lowest, x.y());
        double& strip = top[static_cast<std::size_t>((x.x() + 0.5) / 0.04)];
        strip = std::max(strip, x.y());
    }
    CHECK(lowest >= 0.1);
    CHECK(highest <= 0.1 + 0.13 + 0.03);
    CHECK(*std::max_element(top.begin(), top.end()) - *std::min_element(top.begin(), top.end()) > 0.005);
}

TEST_CASE("No particle is seeded inside a body")
{
    // The box lies half in the ground, and a ball sits in it: 0.4 * 0.1 * 0.4 m^3 - 4/3 pi 0.04^3 m^3 are left
    Scene scene = emptyScene(dx);
    scene.snow = {snowBox(Vec3d(-0.2, -0.1, -0.2), Vec3d(0.2, 0.1, 0.2))};
    BodySpec ball;
    ball.shape = BodyShape::Sphere;
    ball.radius_m = 0.04;
    ball.position = Vec3d(0.03, 0.05, 0.01);
    scene.bodies = {plane(Vec3d::Zero(), Vec3d::UnitY(), 0.5), ball};
    const Particles p = seeded(scene);
    for (std::size_t i = 0; i < p.size(); ++i) {
        const Vec3d x = position(p, i, dx);
        REQUIRE(x.y() >= 0);
        REQUIRE((x - ball.position).norm() >= 0.04 - 1e-8);
    }
    const double V = 0.016 - 4.0 / 3 * pi * 0.04 * 0.04 * 0.04;
    CHECK(static_cast<double>(p.size()) == Approx(V * 8 / (dx * dx * dx)).margin(countTolerance(4 * pi * 0.04 * 0.04)));
}

TEST_CASE("No particle is seeded inside a body that deforms, as it is at time 0")
{
    // The ball's radius swings about 0.05 m, which it has at time 0.
    Scene scene = emptyScene(dx);
    scene.snow = {snowBox(Vec3d(-0.1, -0.1, -0.1), Vec3d(0.1, 0.1, 0.1))};
    Body body;
    body.pieces = {std::make_shared<PulsingSphere>(Vec3d(0.03, 0.02, 0.01), 0.05, 0.04)};
    const Particles p = seeded(scene, {body});
    for (std::size_t i = 0; i < p.size(); ++i)
        REQUIRE((position(p, i, dx) - Vec3d(0.03, 0.02, 0.01)).norm() >= 0.05 - 1e-8);
    const double V = 0.008 - 4.0 / 3 * pi * 0.05 * 0.05 * 0.05;
    CHECK(static_cast<double>(p.size()) == Approx(V * 8 / (dx * dx * dx)).margin(countTolerance(4 * pi * 0.05 * 0.05)));
}

TEST_CASE("Where regions overlap the first has the snow")
{
    Scene scene = emptyScene(dx);
    scene.snow = {snowSphere(Vec3d::Zero(), 0.1), snowBox(Vec3d(-0.2, -0.2, -0.2), Vec3d(0.2, 0.2, 0.2))};
    const Particles p = seeded(scene);
    std::size_t inBall = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
        const bool inside = position(p, i, dx).norm() < 0.1 - 1e-7;
        if (inside) REQUIRE(p.material[i] == 0);
        if (p.material[i] == 1) REQUIRE(position(p, i, dx).norm() > 0.1 - 1e-7);
        inBall += p.material[i] == 0;
    }
    scene.snow.pop_back();
    CHECK(inBall == seeded(scene).size());  // the ball is as if it were alone
    // together they fill the box of 20^3 cells once
    CHECK(static_cast<double>(p.size()) == Approx(8000 * 8).margin(countTolerance(4 * pi * 0.01) * std::sqrt(2)));
}

TEST_CASE("A region that holds nothing is an error that names it")
{
    Scene scene = emptyScene(dx);
    scene.snow = {snowBox(Vec3d(0, -0.2, 0), Vec3d(0.1, -0.1, 0.1))};
    scene.snow[0].name = "buried";
    scene.bodies = {plane(Vec3d::Zero(), Vec3d::UnitY(), 0.5)};
    try {
        seeded(scene);
        FAIL("no error");
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::Usage);
        CHECK_THAT(error.what(), Catch::Contains("'buried'") && Catch::Contains("inside body 'plane'"));
    }
}

TEST_CASE("The same seed gives the same particles, another seed others")
{
    SnowRegion region = snowSphere(Vec3d::Zero(), 0.1);
    const Particles a = seeded(region), b = seeded(region);
    CHECK(a.offset == b.offset);
    region.seed = 2;
    CHECK(seeded(region).offset != a.offset);
}

TEST_CASE("A region's velocity and spin are those of its particles")
{
    SnowRegion region = snowSphere(Vec3d(1, 2, 3), 0.1);
    region.velocity = Vec3d(1, 0, -1);
    region.spin_rad_s = Vec3d(0, 2, 0);
    const Particles p = seeded(region);
    Vec3d center = Vec3d::Zero(), momentum = Vec3d::Zero();
    for (std::size_t i = 0; i < p.size(); ++i) {
        center += static_cast<double>(p.mass[i]) * position(p, i, dx) / massOf(p);
        for (int a = 0; a < 3; ++a)
            momentum[a] += static_cast<double>(p.mass[i]) * static_cast<double>(p.velocity[a][i]);
    }
    for (std::size_t i = 0; i < p.size(); ++i) {
        const Vec3d v = region.velocity + region.spin_rad_s.cross(position(p, i, dx) - center);
        for (int a = 0; a < 3; ++a) REQUIRE(p.velocity[a][i] == Approx(v[a]).margin(1e-6));
    }
    CHECK((momentum / massOf(p) - region.velocity).norm() < 1e-6);  // the spin adds none
}

TEST_CASE("Other numbers of particles per cell keep the mass")
{
    for (const int ppc : {1, 4, 7, 10, 27}) {
        SnowRegion region = snowBox(Vec3d::Zero(), Vec3d(0.1, 0.1, 0.1));
        region.particles_per_cell = ppc;
        const Particles p = seeded(region);
        CHECK(p.size() == static_cast<std::size_t>(125 * ppc));
        CHECK(massOf(p) == Approx(0.4).epsilon(1e-5));  // 400 kg/m^3 * 1 l
    }
}

TEST_CASE("Regions that share places and regions of few particles are remarked on")
{
    Scene scene = emptyScene(dx);
    // 10 x 10 x 10 cells; the second reaches 5 x 10 x 10 cells of the first; the third is 2 x 2 x 2 cells.
    scene.snow = {snowBox(Vec3d::Zero(), Vec3d::Constant(0.2)), snowBox(Vec3d(0.1, 0, 0), Vec3d(0.3, 0.2, 0.2)),
                  snowBox(Vec3d::Constant(1), Vec3d::Constant(1.04))};
    scene.snow[0].name = "bank";
    scene.snow[1].name = "drift";
    scene.snow[2].name = "crumb";
    const Simulation simulation(scene);
    const std::vector<std::string>& remarks = simulation.remarks();
    REQUIRE(remarks.size() == 2);
    CHECK_THAT(remarks[0], Catch::Contains("'drift' overlaps 'bank'") && Catch::Contains("4000"));
    CHECK_THAT(remarks[1], Catch::Contains("'crumb' has only 64 particles") && Catch::Contains("2 x 2 x 2 cells"));
    CHECK(Simulation(scene, copyOf(simulation.checkpoint())).remarks().empty());
    scene.snow = {scene.snow[0]};
    CHECK(Simulation(scene).remarks().empty());
    scene.bodies = {plane(Vec3d::Zero(), Vec3d::UnitY(), 0.5), box(Vec3d(0, -1, 0), Vec3d::Constant(0.5), 0.5)};
    REQUIRE(Simulation(scene).remarks().size() == 1);
    CHECK_THAT(Simulation(scene).remarks()[0], Catch::Contains("body 'box' is inside body 'plane'"));
    scene.bodies = {plane(Vec3d(0, 0.05, 0), Vec3d::UnitY(), 0.5)};
    REQUIRE(Simulation(scene).remarks().size() == 1);
    CHECK_THAT(Simulation(scene).remarks()[0],
               Catch::Contains("inside bodies, most of it in 'plane'") && Catch::Contains("of its 8000 particles"));
    scene.snow.push_back(snowBox(Vec3d(0, 0, 0), Vec3d(0.1, 0.1, 0.1)));
    CHECK_THROWS_WITH(Simulation(scene), Catch::Contains("holds no particle: it is partly inside body 'plane', and the "
                                                         "rest is covered by 'bank', which comes first"));
    scene.snow.pop_back();
    scene.bodies.clear();
    scene.snow[0].max.y() = 0.01;
    REQUIRE(Simulation(scene).remarks().size() == 1);
    CHECK_THAT(Simulation(scene).remarks()[0], Catch::Contains("is 0.5 cells thick"));
}

TEST_CASE("The count told beforehand is that of the simulation")
{
    Scene scene = emptyScene(dx);
    scene.snow = {snowSphere(Vec3d::Zero(), 0.1)};
    CHECK(countParticles(scene) == Simulation(scene).particleCount());
}

TEST_CASE("Still regions have no particles")
{
    Scene scene = emptyScene(dx);
    scene.snow = {snowSphere(Vec3d::Zero(), 0.1), snowSphere(Vec3d(0.5, 0, 0), 0.1)};
    const std::size_t both = countParticles(scene);
    scene.snow[1].still = true;
    CHECK(2 * countParticles(scene) < both + 100);
    CHECK(countParticles(scene) == seeded(scene).size());
}

TEST_CASE("Volumes by the grid's density are those of the cells inside and larger at free surfaces")
{
    // rho_p = sum m_i w_ip / h^3: inside, 400 kg/m^3 up to noise; at a surface half of the kernel sees nothing
    Scene scene = emptyScene(dx);
    scene.snow = {snowBox(Vec3d::Zero(), Vec3d(0.2, 0.2, 0.2))};
    scene.snow[0].volume = VolumeRule::Grid;
    const ParticleFrame frame = Simulation(scene).particleFrame();
    const double cell = dx * dx * dx / 8;
    double inside = 0, insideCount = 0, surface = 0, surfaceCount = 0;
    for (std::size_t i = 0; i < frame.size(); ++i) {
        const Vec3d x = frame.position_m[i];
        const double depth = std::min(x.minCoeff(), (Vec3d::Constant(0.2) - x).minCoeff());
        const double ratio = static_cast<double>(frame.volume0_m3[i]) / cell;
        if (depth > 3 * dx) inside += ratio, ++insideCount;
        if (depth < 0.2 * dx) surface += ratio, ++surfaceCount;
    }
    CHECK(inside / insideCount == Approx(1).epsilon(0.02));
    CHECK(surface / surfaceCount > 1.4);
}

TEST_CASE("A layer carries its own weight from the start")
{
    SnowRegion layer = squareLayer(0.2, 0.3);
    layer.material.density_kg_m3 = 300;
    layer.material.youngs_modulus_pa = 2e5;
    layer.material.poisson_ratio = 0.25;
    layer.material.critical_compression = 0.02;
    const auto seededUnderGravity = [&] {
        Scene scene = emptyScene(dx);
        scene.solver.gravity = Vec3d(0, -9.81, 0);
        scene.snow = {layer};
        return seeded(scene);
    };
    const Particles p = seededUnderGravity();
    REQUIRE(p.size() > 1000);
    const double modulus = 2e5 * 0.75 / (1.25 * 0.5);  // lambda + 2 mu
    double worst = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
        const double s = static_cast<double>(p.F_E[4][i]), depth = 0.3 - position(p, i, dx).y();
        worst = std::max(worst, std::abs(modulus * (s - 1) * s + 300 * 9.81 * depth));
        REQUIRE((p.F_E[0][i] == 1 && p.F_E[8][i] == 1 && p.F_E[1][i] == 0 && p.J_P[i] == 1));
    }
    CHECK(worst < 0.05);  // Pa, of 883 at the ground

    // Snow that moves, and weak snow beyond its yield strain.
    layer.velocity = Vec3d(0, 1, 0);
    CHECK(seededUnderGravity().F_E[4][0] == 1);
    layer.velocity = Vec3d::Zero();
    layer.material.youngs_modulus_pa = 1e4;
    const Particles weak = seededUnderGravity();
    for (const float s : weak.F_E[4]) REQUIRE(s >= 1 - 0.9f * 0.02f);
}

TEST_CASE("A layer at rest stays at rest")
{
    Scene scene;
    scene.solver.dx = 0.03;
    SnowRegion layer = squareLayer(0.3, 0.24);
    layer.material.density_kg_m3 = 250;
    layer.material.youngs_modulus_pa = 8e4;
    layer.material.critical_compression = 0.015;
    scene.snow = {layer};
    BodySpec ground;
    ground.name = "ground";
    scene.bodies.push_back(ground);
    for (int side = 0; side < 4; ++side) {  // walls without friction, which only hold the layer together
        BodySpec wall;
        wall.name = "wall" + std::to_string(side);
        wall.shape = BodyShape::Plane;
        wall.friction = 0;
        wall.normal = (side % 2 ? 1 : -1) * (side < 2 ? Vec3d::UnitX() : Vec3d::UnitZ());
        wall.position = -0.3 * wall.normal;
        scene.bodies.push_back(wall);
    }
    Simulation simulation(scene);
    double fastest = 0;
    for (int frame = 0; frame < 4; ++frame) {
        simulation.advanceFrame({});
        fastest = std::max(fastest, simulation.stats().max_speed_m_s);
    }
    // Without stress at the start it falls by rho g H^2 / (2 M) = 0.8 mm and swings at up to 0.13 m/s.
    CHECK(fastest < 0.03);
}
