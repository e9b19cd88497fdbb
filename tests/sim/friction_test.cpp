// A block of elastic snow on a surface with Coulomb friction, against the rigid block of the textbook. The block is 16
// x 8 x 16 cells; gravity is turned instead of the plane. Where it says settled, the block has come to rest in
// equilibrium first, held by a sticky surface and damped by PIC; then the surface is exchanged. Released without that,
// an undamped block rings and hops on the slope, at the same speed for every h: that is the elastic body's doing.

#include <catch2/catch.hpp>

#include "tests/common/body/scratch_folder.h"
#include "tests/sim/settled_block.h"

using namespace firn;
using namespace firn::settled_block;

namespace {

/// Mean acceleration of a settled block down a 30 degree incline, from 0.05 s to 0.4 s after its release.
double acceleration(double friction)
{
    const Scene scene = blockOnPlane(30, friction);
    Simulation simulation(scene, settledOnPlane(30));
    advanceFrames(simulation, 1);
    const double before = meanVelocity(simulation.particleFrame()).x();
    advanceFrames(simulation, 7);
    return (meanVelocity(simulation.particleFrame()).x() - before) / 0.35;
}

}  // namespace

TEST_CASE("A block slides down 30 degrees with g (sin - mu cos)")
{
    // 9.81 (0.5 - 0.3 * 0.8660) = 2.35629 m/s^2 and 9.81 (0.5 - 0.5 * 0.8660) = 0.65715 m/s^2, each within 0.02 g
    CHECK(acceleration(0.3) == Approx(2.35629).margin(0.02 * g));
    CHECK(acceleration(0.5) == Approx(0.65715).margin(0.02 * g));
}

TEST_CASE("A settled block sticks on 30 degrees at mu = 1.15 tan 30: it creeps by less than 0.1 h per 0.1 s")
{
    const Scene scene = blockOnPlane(30, 1.15 * std::tan(pi / 6));
    Simulation simulation(scene, settledOnPlane(30));
    for (int tenth = 0; tenth < 4; ++tenth) {
        const double before = centerOfMass(simulation.particleFrame()).x();
        advanceFrames(simulation, 2);
        CHECK(std::abs(centerOfMass(simulation.particleFrame()).x() - before) <= 0.1 * h);
    }
}

TEST_CASE("A sliding block stops after v^2 / (2 mu g)")
{
    // 2 m/s, mu = 0.3: 4 / (2 * 0.3 * 9.81) = 0.6796 m after 0.68 s
    Scene scene = blockOnPlane(0, 0.3);
    Checkpoint start = settledOnPlane(0);
    const std::size_t count = start.blocks.at("J_P").size() / sizeof(float);
    for (std::size_t p = 0; p < count; ++p) setVelocity(start, "x", p, 2);
    Simulation simulation(scene, start);
    const double from = centerOfMass(simulation.particleFrame()).x();
    advanceFrames(simulation, 16);
    CHECK(std::abs(meanVelocity(simulation.particleFrame()).x()) < 0.02);
    CHECK(centerOfMass(simulation.particleFrame()).x() - from == Approx(0.6796).epsilon(0.03));
}

namespace {

constexpr double plateBegin_s = settlingFrames * 0.05;  // the settled block's time

/// Where the moving plate is: it speeds up over 0.2 s (u^2: a = 2 * 0.05 / 0.04 = 2.5 m/s^2 < mu g = 4.9 m/s^2) and
/// goes on with 0.5 m/s.
double plateWay(double time_s)
{
    const double t = std::max(0.0, time_s - plateBegin_s);
    return t < 0.2 ? 0.05 * t * t / 0.04 : 0.05 + 0.5 * (t - 0.2);
}

Scene rigidPlate()
{
    Scene scene = blockOnPlane(0, 0.5);
    scene.bodies = {box(Vec3d(0, -0.1, 0.16), Vec3d(2, 0.2, 1), 0.5)};
    BodyKey rest, fast, end;
    rest.position = fast.position = end.position = scene.bodies[0].position;
    rest.time_s = plateBegin_s;
    rest.ease = Easing::In;
    fast.time_s = plateBegin_s + 0.2;
    fast.position.x() += plateWay(fast.time_s);
    end.time_s = plateBegin_s + 1.2;
    end.position.x() += plateWay(end.time_s);
    scene.bodies[0].keys = {rest, fast, end};
    return scene;
}

/// The same plate as a sequence of meshes, one per frame, whose lower side swings.
Scene deformingPlate(const ScratchFolder& folder)
{
    Scene scene = blockOnPlane(0, 0.5);
    for (int frame = 1; frame <= settlingFrames + 20; ++frame) {
        const double time_s = (frame - 1) * 0.05;
        std::string text;
        for (const double y : {-0.2 + 0.02 * std::sin(5 * time_s), 0.0})
            for (const double z : {-0.34, 0.66})
                for (const double x : {-1.0, 1.0})
                    text += "v " + std::to_string(x + plateWay(time_s)) + " " + std::to_string(y) + " " +
                            std::to_string(z) + "\n";
        text += "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n";
        char name[32];
        std::snprintf(name, sizeof name, "plate.%04d.obj", frame);
        folder.write(name, text);
    }
    BodySpec plate;
    plate.name = "plate";
    plate.shape = BodyShape::Mesh;
    plate.file = folder.path("plate.####.obj");
    plate.friction = 0.5;
    scene.bodies = {plate};
    return scene;
}

struct Carried {
    double speed_m_s;               // of the block, over 0.4 s
    std::vector<Vec3d> position_m;  // by the particles' numbers
};

Carried carry(const Scene& scene, const Checkpoint& start)
{
    Simulation simulation(scene, start);
    advanceFrames(simulation, 8);
    const double before = centerOfMass(simulation.particleFrame()).x();
    advanceFrames(simulation, 8);
    const ParticleFrame now = simulation.particleFrame();
    Carried result{(centerOfMass(now).x() - before) / 0.4, std::vector<Vec3d>(now.size())};
    for (std::size_t p = 0; p < now.size(); ++p) result.position_m.at(now.id[p]) = now.position_m[p];
    return result;
}

}  // namespace

TEST_CASE("A moving plate carries a block that sticks to it by friction, rigid or deforming")
{
    const ScratchFolder folder("plate");
    const Scene rigid = rigidPlate();
    const Checkpoint start = settled(rigid);
    const Carried onRigid = carry(rigid, start), onDeforming = carry(deformingPlate(folder), start);
    CHECK(onRigid.speed_m_s == Approx(0.5).epsilon(1e-3));
    CHECK(onDeforming.speed_m_s == Approx(0.5).epsilon(1e-3));
    REQUIRE(onRigid.position_m.size() == onDeforming.position_m.size());
    double farthest = 0;
    for (std::size_t p = 0; p < onRigid.position_m.size(); ++p)
        farthest = std::max(farthest, (onRigid.position_m[p] - onDeforming.position_m[p]).norm());
    INFO("farthest " << farthest / h << " h");
    CHECK(farthest < 0.02 * h);
}

TEST_CASE("Snow on a sticky slope that its cells do not follow stays at rest")
{
    Scene scene = emptyScene(0.04);
    const Vec3d normal = Vec3d(0.5, 0.866, 0).normalized();
    scene.bodies = {plane(Vec3d::Zero(), normal, 0)};
    scene.bodies[0].sticky = true;
    scene.snow = {snowBox(Vec3d(-0.2, -0.1, -0.2), Vec3d(0.2, 0.12, 0.2))};
    scene.solver.gravity = Vec3d(0, -g, 0);
    setFrameSeconds(scene, 1 / 24.);
    for (const Integrator integrator : {Integrator::Explicit, Integrator::Implicit}) {
        scene.solver.integrator = integrator;
        Simulation simulation(scene);
        advanceFrames(simulation, 20);
        CHECK(simulation.stats().max_speed_m_s < 0.05);
    }
}

TEST_CASE("A moving wall pushes a block in front of it and is hardly entered")
{
    // No friction: the block, hit by a wall with 0.5 m/s, leaves it or rides with it, never slower; speeding up from
    // rest over 0.2 s, it rides.
    Scene scene = blockOnPlane(0, 0);
    scene.bodies.push_back(box(Vec3d(-0.1, 0.2, 0.16), Vec3d(0.2, 0.6, 1), 0));
    const Checkpoint start = settled(scene);
    BodyKey rest, fast, end;
    rest.position = fast.position = end.position = scene.bodies[1].position;
    const double begin = settlingFrames * 0.05;
    rest.time_s = begin;
    rest.ease = Easing::In;
    fast.time_s = begin + 0.2;
    fast.position.x() += 0.05;
    end.time_s = begin + 1.2;
    end.position.x() += 0.55;
    scene.bodies[1].keys = {rest, fast, end};
    Simulation simulation(scene, start);
    double deepest = 0, sum = 0, entered = 0;
    for (int frame = 1; frame <= 8; ++frame) {
        simulation.advanceFrame(nullptr);
        const double t = frame * 0.05, wall = t < 0.2 ? 0.05 * t * t / 0.04 : 0.05 + 0.5 * (t - 0.2);
        const ParticleFrame now = simulation.particleFrame();
        for (const Vec3d& x : now.position_m) {
            if (x.x() >= wall) continue;
            deepest = std::max(deepest, wall - x.x());
            sum += wall - x.x();
            ++entered;
        }
    }
    INFO(entered << " particles entered, " << deepest / h << " h at most");
    CHECK(deepest <= 0.5 * h);
    CHECK(sum / std::max(entered, 1.0) <= 0.1 * h);
    const double v = meanVelocity(simulation.particleFrame()).x();
    CHECK(v > 0.5 * 0.99);  // it leaves the wall for a moment at the end of the push, never lags behind
}

TEST_CASE("A sticky ball that is pressed into snow carries its first layer away")
{
    // The ball goes 8 cm into the layer. The first layer of snow on its cap of 0.1 m^2, 3 cm thick, has 1.2 kg.
    Scene scene = emptyScene(0.06);
    scene.solver.gravity = Vec3d(0, -g, 0);
    scene.snow = {snowBox(Vec3d(-0.4, 0, -0.4), Vec3d(0.4, 0.24, 0.4))};
    BodySpec ball;
    ball.shape = BodyShape::Sphere;
    ball.radius_m = 0.2;
    scene.bodies = {plane(Vec3d::Zero(), Vec3d::UnitY(), 0.6), ball};
    BodyKey above, pressed, lifted;
    above.position = Vec3d(0, 0.5, 0);
    pressed.time_s = 0.3;
    pressed.position = Vec3d(0, 0.36, 0);
    lifted.time_s = 0.8;
    lifted.position = Vec3d(0, 0.7, 0);
    scene.bodies[1].keys = {above, pressed, lifted};
    setFrameSeconds(scene, 0.05);
    const auto carried_kg = [&](bool sticky) {
        scene.bodies[1].sticky = sticky;
        Simulation simulation(scene);
        double deepest = 0, sum = 0;
        for (int frame = 0; frame < 17; ++frame) {
            simulation.advanceFrame(nullptr);
            deepest = std::max(deepest, simulation.stats().diagnostics.penetration_m);
        }
        CHECK(deepest < 0.001);
        const ParticleFrame now = simulation.particleFrame();
        for (std::size_t i = 0; i < now.size(); ++i)
            if ((now.position_m[i] - lifted.position).norm() < 0.25) sum += static_cast<double>(now.mass_kg[i]);
        return sum;
    };
    const double sticky = carried_kg(true), bare = carried_kg(false);
    INFO(sticky << " kg, without sticking " << bare << " kg");
    CHECK(sticky > 1.2);
    CHECK(bare < 0.05);
}
