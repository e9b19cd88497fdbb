#include "tests/sim/physics_setup.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "common/scene/presets.h"
#include "sim/transfer.h"

namespace firn::physics {

Mat3d tilt(const Setting& setting)
{
    return Eigen::AngleAxisd(setting.tilt_deg * pi / 180, Vec3d::UnitZ()).toRotationMatrix();
}

Scene sceneFor(const Setting& setting, double dx)
{
    Scene scene = emptyScene(dx);
    scene.solver.transfer = setting.transfer;
    scene.solver.integrator = setting.integrator;
    scene.solver.contact = setting.contact;
    scene.solver.cfl /= setting.shorter_steps;
    scene.solver.wave_cfl /= setting.shorter_steps;
    scene.solver.implicit_dt_s /= setting.shorter_steps;
    scene.end_frame = 1 << 20;
    return scene;
}

SnowRegion ofPreset(SnowRegion region, const char* name)
{
    region.preset = name;
    region.material = snowPreset(name).material;
    region.noise = snowPreset(name).noise;
    return region;
}

SnowRegion ofTough(SnowRegion region)
{
    region.material = {.density_kg_m3 = 350,
                       .youngs_modulus_pa = 1.3e5,
                       .critical_compression = 0.032,
                       .critical_stretch = 0.011,
                       .hardening = 8};
    region.noise = {.stiffness = 0.25, .scale_m = 0.05};
    return region;
}

Vec3d shiftOf(const Setting& setting, double dx) { return Vec3d::Constant(setting.shift_cells * dx); }

namespace {

/// Turns freshly seeded particles about the origin, and moves them.
void place(Particles& particles, double dx, const Mat3d& turn, const Vec3d& shift)
{
    const auto turnVector = [&](auto& columns, std::size_t p) {
        const Vec3d v = turn * Vec3d(columns[0][p], columns[1][p], columns[2][p]);
        for (int a = 0; a < 3; ++a) columns[a][p] = static_cast<float>(v[a]);
    };
    for (std::size_t p = 0; p < particles.size(); ++p) {
        turnVector(particles.velocity, p);
        if (particles.has_travel) turnVector(particles.travel, p);
        const Vec3d x = (turn * position(particles, p, dx) + shift) / dx;
        for (int a = 0; a < 3; ++a) {
            particles.cell[a][p] = static_cast<std::int32_t>(std::floor(x[a]));
            particles.offset[a][p] = std::min(static_cast<float>(x[a] - std::floor(x[a])), 0.99999994f);
        }
    }
}

/// The checkpoint of a freshly seeded scene, turned and moved.
Checkpoint placedStart(const Scene& scene, const Mat3d& turn, const Vec3d& shift)
{
    const Simulation upright(scene);
    Particles particles, asleep, frozen;
    SolverState state;
    keepColumnsFor(scene, particles);
    restore(copyOf(upright.checkpoint()), particles, asleep, frozen, state);
    if (!turn.isIdentity(1e-12) || !shift.isZero(0)) place(particles, scene.solver.dx, turn, shift);
    return copyOf(checkpointView(particles, asleep, frozen, state));
}

}  // namespace

std::unique_ptr<Simulation> placed(Scene scene, const Setting& setting)
{
    const Mat3d turn = tilt(setting);
    const Vec3d shift = shiftOf(setting, scene.solver.dx);
    const Checkpoint start = placedStart(scene, turn, shift);
    scene.solver.gravity = turn * scene.solver.gravity;
    for (BodySpec& body : scene.bodies) {
        body.position = turn * body.position + shift;
        if (body.shape == BodyShape::Plane)
            body.normal = turn * body.normal;
        else
            body.rotation_deg.z() += setting.tilt_deg;
        for (BodyKey& key : body.keys) {
            key.position = turn * key.position + shift;
            key.rotation_deg.z() += setting.tilt_deg;
        }
    }
    return std::make_unique<Simulation>(scene, start);
}

}  // namespace firn::physics
