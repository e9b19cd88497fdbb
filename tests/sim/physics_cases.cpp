// The experiments of physics_cases.h with the snow itself: impacts, compression, free flight.

#include "tests/sim/physics_cases.h"

#include <algorithm>
#include <cmath>

#include "sim/material/snow.h"
#include "tests/sim/confined_column.h"
#include "tests/sim/physics_setup.h"

namespace firn::physics {

namespace {

/// Of any particle, from its change of volume, kg/m^3.
double densest(const ParticleFrame& frame)
{
    double most = 0;
    for (std::size_t i = 0; i < frame.size(); ++i)
        most = std::max(most, static_cast<double>(frame.mass_kg[i] / frame.volume0_m3[i] /
                                                  (frame.F_E[i].determinant() * frame.J_P[i])));
    return most;
}

template <class F>
double shareOfMass(const ParticleFrame& frame, const F& counts)
{
    double sum = 0;
    for (std::size_t i = 0; i < frame.size(); ++i)
        if (counts(i)) sum += static_cast<double>(frame.mass_kg[i]);
    return sum / totalMass(frame);
}

/// Mean vertical Cauchy stress of the paper's snow between two heights, Pa; pressure is positive.
double pressureBetween(const ParticleFrame& frame, const Mat3d& turn, const Vec3d& origin, double low, double high)
{
    const Snow<double> snow = Snow<double>::of(SnowMaterial(), true);
    const Vec3d up = turn * Vec3d::UnitY();
    double sum = 0, volume = 0;
    for (std::size_t i = 0; i < frame.size(); ++i) {
        const double y = up.dot(frame.position_m[i] - origin);
        if (y < low || y > high) continue;
        MaterialState<double> state;
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b) state.F_E[a][b] = static_cast<double>(frame.F_E[i](a, b));
        state.J_P = static_cast<double>(frame.J_P[i]);
        state.modulus_factor = state.strength = 1;
        state.fill = static_cast<double>(frame.mass_kg[i] / frame.volume0_m3[i]) / closedPoreDensity;
        const Symmetric3<double> tau = snow.kirchhoffStress(state);
        const Mat3d matrix =
            (Mat3d() << tau.xx, tau.xy, tau.xz, tau.xy, tau.yy, tau.yz, tau.xz, tau.yz, tau.zz).finished();
        const double volume0 = static_cast<double>(frame.volume0_m3[i]);
        sum -= volume0 * up.dot(matrix * up);
        volume += volume0 * static_cast<double>(frame.F_E[i].determinant()) * state.J_P;
    }
    return sum / volume;
}

/// Amplitude and rms of the density's profile between two heights, over its mean.
std::pair<double, double> bands(const ParticleFrame& frame, const Mat3d& turn, const Vec3d& origin, double low,
                                double high)
{
    const double width = frame.dx_m / 2;
    const Vec3d up = turn * Vec3d::UnitY();
    const auto kernel = [](double x) {
        x = std::abs(x);
        if (x < 1) return x * x * x / 2 - x * x + 2. / 3;
        return x < 2 ? std::pow(2 - x, 3) / 6 : 0.;
    };
    std::vector<double> profile;
    const int places = static_cast<int>(std::ceil((high - low) / (width / 4)));
    for (int place = 0; place < places; ++place) {
        const double y = low + place * width / 4;
        double sum = 0;
        for (std::size_t i = 0; i < frame.size(); ++i)
            sum += static_cast<double>(frame.mass_kg[i]) * kernel((up.dot(frame.position_m[i] - origin) - y) / width);
        profile.push_back(sum);
    }
    double mean = 0, square = 0;
    for (const double value : profile) mean += value / static_cast<double>(profile.size());
    for (const double value : profile) square += std::pow(value / mean - 1, 2) / static_cast<double>(profile.size());
    const auto [least, most] = std::minmax_element(profile.begin(), profile.end());
    return {(*most - *least) / 2 / mean, std::sqrt(square)};
}

}  // namespace

Scene impactScene(const Setting& setting, double speed_m_s, int cells)
{
    constexpr double edge = 0.2;
    Scene scene = sceneFor(setting, edge / cells);
    scene.solver.gravity = Vec3d(0, -g, 0);
    scene.snow = {ofTough(snowBox(Vec3d(0, 0, 0), Vec3d::Constant(edge)))};
    scene.snow[0].velocity = Vec3d(0, -speed_m_s, 0);
    scene.bodies = {plane(Vec3d::Zero(), Vec3d::UnitY(), 0)};
    return scene;
}

Impact impact(const Setting& setting, double speed_m_s, int cells)
{
    Scene scene = impactScene(setting, speed_m_s, cells);
    const double duration = 0.6 / speed_m_s + 0.01;
    constexpr int frames = 20;
    setFrameSeconds(scene, duration / frames);
    const auto simulation = placed(scene, setting);
    const double before = totalMass(simulation->particleFrame()) * speed_m_s * speed_m_s / 2;
    Impact result;
    for (int frame = 0; frame < frames; ++frame) {
        simulation->advanceFrame(nullptr);
        result.densest_kg_m3 = std::max(result.densest_kg_m3, densest(simulation->particleFrame()));
    }
    const ParticleFrame end = simulation->particleFrame();
    const Vec3d up = tilt(setting) * Vec3d::UnitY();
    result.leaving_m_s = up.dot(meanVelocity(end));
    result.kinetic_share = simulation->stats().diagnostics.kinetic_J / before;
    result.elastic_share = simulation->stats().diagnostics.elastic_J / before;
    result.thrown_share =
        shareOfMass(end, [&](std::size_t i) { return up.dot(end.velocity_m_s[i].cast<double>()) > speed_m_s / 5; });
    return result;
}

double sinkageUnder(double pressure_pa)
{
    // M h(J_P) theta_c / J_P with J_P = s / (1 - theta_c)
    const SnowMaterial snow;
    const double nu = snow.poisson_ratio;
    const double M = snow.youngs_modulus_pa * (1 - nu) / ((1 + nu) * (1 - 2 * nu));
    double low = 0.5, high = 1 - snow.critical_compression;
    for (int n = 0; n < 60; ++n) {
        const double s = (low + high) / 2, J_P = s / (1 - snow.critical_compression);
        const double pressure = M * std::exp(snow.hardening * (1 - J_P)) * snow.critical_compression / J_P;
        (pressure > pressure_pa ? low : high) = s;
    }
    return 1 - low;
}

Compression compression(const Setting& setting, int cells)
{
    constexpr double depth = 0.5, speed = 0.1, most = 0.27;
    const double dx = depth / cells, width = 6 * dx;
    Scene scene = sceneFor(setting, dx);
    scene.snow = {snowBox(Vec3d::Zero(), Vec3d(width, depth, width))};
    scene.bodies = {plane(Vec3d::Zero(), Vec3d::UnitY(), 0), plane(Vec3d::Zero(), Vec3d::UnitX(), 0),
                    plane(Vec3d(width, 0, 0), -Vec3d::UnitX(), 0), plane(Vec3d::Zero(), Vec3d::UnitZ(), 0),
                    plane(Vec3d(0, 0, width), -Vec3d::UnitZ(), 0)};
    const Vec3d plateSize(width + 8 * dx, 0.2, width + 8 * dx);
    BodySpec plate = box(Vec3d::Zero(), plateSize, 0);
    plate.keys.resize(2);
    plate.keys[0].position = Vec3d(width / 2, depth + 0.1, width / 2);
    plate.keys[1].position = plate.keys[0].position - Vec3d(0, most * depth, 0);
    plate.keys[1].time_s = most * depth / speed;
    scene.bodies.push_back(plate);
    constexpr int frames = 108;
    setFrameSeconds(scene, plate.keys[1].time_s / frames);
    const auto simulation = placed(scene, setting);
    const Mat3d turn = tilt(setting);
    const Vec3d origin = shiftOf(setting, dx);
    Compression result;
    double before = 0;
    for (int frame = 1; frame <= frames; ++frame) {
        simulation->advanceFrame(nullptr);
        const double sunk = most * frame / frames, step = most / frames, height = depth * (1 - sunk);
        const ParticleFrame now = simulation->particleFrame();
        const double pressure = pressureBetween(now, turn, origin, height / 3, height * 2 / 3);
        const auto note = [&](double load, double& sinkage) {
            if (sinkage == 0 && pressure >= load) sinkage = sunk - step * (pressure - load) / (pressure - before);
        };
        note(1e4, result.sinkage_10_kPa);
        note(2e4, result.sinkage_20_kPa);
        note(5e4, result.sinkage_50_kPa);
        before = pressure;
        if (frame == std::lround(0.15 / most * frames))
            std::tie(result.band_amplitude, result.band_rms) = bands(now, turn, origin, height / 4, height * 3 / 4);
    }
    return result;
}

double crater(const Setting& setting)
{
    constexpr double dx = 0.015;
    Scene scene = sceneFor(setting, dx);
    scene.solver.gravity = Vec3d(0, -g, 0);
    scene.snow = {ofTough(snowSphere(Vec3d(0, 0.31, 0), 0.1)),
                  ofPreset(snowBox(Vec3d(-0.4, 0, -0.4), Vec3d(0.4, 0.2, 0.4)), "powder")};
    scene.snow[0].name = "ball";
    scene.snow[0].velocity = Vec3d(0, -11.3, 0);
    scene.bodies = {plane(Vec3d::Zero(), Vec3d::UnitY(), 0.5)};
    setFrameSeconds(scene, 0.05);
    const auto simulation = placed(scene, setting);
    simulation->advanceFrame(nullptr);
    const ParticleFrame end = simulation->particleFrame();
    return shareOfMass(end, [&](std::size_t i) { return end.velocity_m_s[i].norm() > 1; });
}

double momentumDrift(const Setting& setting)
{
    constexpr double dx = 0.02;
    Scene scene = sceneFor(setting, dx);
    scene.snow = {snowSphere(Vec3d(0, 0, 0), 4 * dx)};
    scene.snow[0].velocity = Vec3d(3, -2, 1);
    scene.solver.dt_s = 1e-4;
    setFrameSeconds(scene, 0.3);
    const auto simulation = placed(scene, setting);
    const Vec3d before = totalMomentum(simulation->particleFrame());
    simulation->advanceFrame(nullptr);
    return (simulation->stats().momentum - before).norm() / before.norm();
}

double spinDrift(const Setting& setting)
{
    Scene scene = sceneFor(setting, 0.02);
    scene.snow = {snowSphere(Vec3d(0.1, 0.2, 0.3), 0.1)};
    scene.snow[0].spin_rad_s = Vec3d(0, 60, 0);
    return meanVelocity(placed(scene, setting)->particleFrame()).norm();
}

double yieldHeight(const Setting& setting, int cells)
{
    constexpr double height = 1, most = 1.4 * g;
    constexpr int steps = 280;
    Scene scene = confinedColumn(height, cells, 4, 0);
    scene.solver.transfer = setting.transfer;
    scene.solver.integrator = setting.integrator;
    scene.solver.contact = setting.contact;
    scene.solver.plasticity = true;
    setFrameSeconds(scene, 0.02);  // a tenth of the column's period
    Checkpoint state = copyOf(Simulation(scene).checkpoint());
    for (int step = 1; step <= steps; ++step) {
        scene.solver.gravity = Vec3d(0, -most * step / steps, 0);
        Simulation simulation(scene, state);
        simulation.advanceFrame(nullptr);
        const ParticleFrame frame = simulation.particleFrame();
        const auto yields = [](float J_P) { return std::abs(J_P - 1) > 1e-5f; };
        if (std::any_of(frame.J_P.begin(), frame.J_P.end(), yields)) return height * most * step / steps / g;
        state = copyOf(simulation.checkpoint());
    }
    return height * most / g;
}

}  // namespace firn::physics
