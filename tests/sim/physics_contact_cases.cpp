// The experiments of physics_cases.h in which a body carries, holds or presses snow.

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>

#include "tests/sim/physics_setup.h"

namespace firn::physics {

namespace {

constexpr double ballCell = 0.01, ballRadius = 12 * ballCell;

}  // namespace

Scene rollingScene(const Setting& setting, double friction)
{
    constexpr double slope = 30 * pi / 180, R = ballRadius;
    Scene scene = sceneFor(setting, ballCell);
    scene.solver.plasticity = false;
    scene.solver.gravity = g * Vec3d(std::sin(slope), -std::cos(slope), 0);
    scene.snow = {ofTough(snowSphere(Vec3d(0, R, 0), R))};
    scene.bodies = {plane(Vec3d::Zero(), Vec3d::UnitY(), friction)};
    return scene;
}

Rolling rolling(const Setting& setting, double friction)
{
    constexpr double dx = ballCell, R = ballRadius, frameSeconds = 0.05;
    Scene scene = rollingScene(setting, friction);
    setFrameSeconds(scene, frameSeconds);
    const auto simulation = placed(scene, setting);
    const Mat3d back = tilt(setting).transpose();
    const Vec3d origin = shiftOf(setting, dx);
    Rolling result;
    double first = 0;
    constexpr int start = 4, end = 16;
    for (int frame = 1; frame <= end; ++frame) {
        simulation->advanceFrame(nullptr);
        if (frame < start) continue;
        const ParticleFrame now = simulation->particleFrame();
        const Vec3d center = centerOfMass(now), velocity = meanVelocity(now);
        double moment = 0, inertia = 0, lowest = 1e9;
        for (std::size_t i = 0; i < now.size(); ++i) {
            const Vec3d r = back * (now.position_m[i] - center);
            const Vec3d v = back * (now.velocity_m_s[i].cast<double>() - velocity);
            const double m = static_cast<double>(now.mass_kg[i]);
            moment += m * (r.x() * v.y() - r.y() * v.x());
            inertia += m * (r.x() * r.x() + r.y() * r.y());
            lowest = std::min(lowest, (back * (now.position_m[i] - origin)).y());
        }
        const double v = (back * velocity).x();
        result.slip = v / (-moment / inertia * R);
        result.height_cells = std::max(result.height_cells, lowest / dx);
        if (frame == start) first = v;
        if (frame == end) result.acceleration = (v - first) / ((end - start) * frameSeconds) / (5. / 7 * g / 2);
    }
    return result;
}

namespace {

Scene elasticBlock(const Setting& setting, double dx, double slope_deg, double friction)
{
    Scene scene = sceneFor(setting, dx);
    scene.solver.plasticity = false;
    const double slope = slope_deg * pi / 180;
    scene.solver.gravity = g * Vec3d(std::sin(slope), -std::cos(slope), 0);
    scene.snow = {snowBox(Vec3d::Zero(), Vec3d(16, 8, 16) * dx)};
    scene.bodies = {plane(Vec3d::Zero(), Vec3d::UnitY(), friction)};
    return scene;
}

}  // namespace

double blockCreep(const Setting& setting)
{
    constexpr double dx = 0.02;
    Scene scene = elasticBlock(setting, dx, 30, 0.7);
    setFrameSeconds(scene, 1);
    const auto simulation = placed(scene, setting);
    const Vec3d before = centerOfMass(simulation->particleFrame());
    simulation->advanceFrame(nullptr);
    return (tilt(setting).transpose() * (centerOfMass(simulation->particleFrame()) - before)).x() / dx;
}

Landing landing(const Setting& setting)
{
    constexpr double dx = 0.02;
    Scene scene = elasticBlock(setting, dx, 0, 0.5);
    scene.solver.plasticity = true;
    const double above = 0.1;
    scene.snow[0].min.y() += above;
    scene.snow[0].max.y() += above;
    scene.snow[0].velocity = Vec3d(0, -0.5, 0);
    setFrameSeconds(scene, 1);
    const auto simulation = placed(scene, setting);
    const Vec3d origin = shiftOf(setting, dx);
    const Mat3d back = tilt(setting).transpose();
    const double before = (back * (centerOfMass(simulation->particleFrame()) - origin)).y() - above;
    simulation->advanceFrame(nullptr);
    const ParticleFrame end = simulation->particleFrame();
    return {((back * (centerOfMass(end) - origin)).y() - before) / dx,
            simulation->stats().diagnostics.kinetic_J / totalMass(end)};
}

namespace {

constexpr double bedTop = 0.14;
const Vec3d sole(0.1, 0.1, 0.2);

}  // namespace

Scene footprintScene(const Setting& setting, double dx)
{
    constexpr double top = bedTop, pressed = 0.07, half = 0.24;
    Scene scene = sceneFor(setting, dx);
    scene.solver.gravity = Vec3d(0, -g, 0);
    scene.snow = {ofPreset(snowBox(Vec3d(-half, 0, -half), Vec3d(half, top, half)), "settled")};
    scene.snow[0].noise = SnowNoise();
    BodySpec block = box(Vec3d::Zero(), sole, 0.3);
    block.rounding_m = 0.02;
    const auto at = [&](double time_s, double y) {
        return BodyKey{time_s, Vec3d(0, y + sole.y() / 2, 0), Vec3d::Zero(), Easing::Smooth};
    };
    block.keys = {at(0, top + 0.02), at(0.25, top - pressed), at(0.35, top - pressed), at(0.5, top + 0.05)};
    scene.bodies = {plane(Vec3d::Zero(), Vec3d::UnitY(), 0.5), block};
    for (const double side : {-1., 1.})
        for (const Vec3d& axis : {Vec3d(1, 0, 0), Vec3d(0, 0, 1)})
            scene.bodies.push_back(plane(side * half * axis, -side * axis, 0.3));
    return scene;
}

Print footprint(const Setting& setting, double dx)
{
    constexpr double top = bedTop, column = 0.02;
    Scene scene = footprintScene(setting, dx);
    setFrameSeconds(scene, 0.55);
    Simulation simulation(scene);
    simulation.advanceFrame(nullptr);
    const ParticleFrame end = simulation.particleFrame();
    std::map<std::pair<int, int>, double> highest;
    for (const Vec3d& x : end.position_m) {
        double& y =
            highest[{static_cast<int>(std::floor(x.x() / column)), static_cast<int>(std::floor(x.z() / column))}];
        y = std::max(y, x.y());
    }
    Print result;
    int floors = 0;
    for (const auto& [place, y] : highest) {
        const double x = (place.first + 0.5) * column, z = (place.second + 0.5) * column;
        result.rim_m = std::max(result.rim_m, y - top);
        if (std::abs(x) > sole.x() / 2 - 0.025 || std::abs(z) > sole.z() / 2 - 0.025) continue;
        result.depth_m += top - y;
        ++floors;
    }
    result.depth_m /= floors;
    return result;
}

}  // namespace firn::physics
