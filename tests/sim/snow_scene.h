#pragma once
// Small scenes and random particles for the solver's tests.

#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "sim/grid.h"
#include "sim/order.h"
#include "sim/simulation.h"
#include "tests/sim/checkpoint_bytes.h"

namespace firn {

/// No snow, no bodies, no gravity; the paper's snow is the default of every region added.
inline Scene emptyScene(double dx)
{
    Scene scene;
    scene.file = "test.toml";
    scene.name = "test";
    scene.solver.dx = dx;
    scene.solver.gravity = Vec3d::Zero();
    return scene;
}

inline SnowRegion snowBox(const Vec3d& min, const Vec3d& max)
{
    SnowRegion region;
    region.name = "box";
    region.shape = SnowShape::Box;
    region.min = min;
    region.max = max;
    return region;
}

inline SnowRegion snowSphere(const Vec3d& center, double radius_m)
{
    SnowRegion region;
    region.name = "sphere";
    region.shape = SnowShape::Sphere;
    region.center = center;
    region.radius_m = radius_m;
    return region;
}

inline BodySpec plane(const Vec3d& position, const Vec3d& normal, double friction)
{
    BodySpec body;
    body.name = "plane";
    body.shape = BodyShape::Plane;
    body.position = position;
    body.normal = normal;
    body.friction = friction;
    return body;
}

inline BodySpec box(const Vec3d& position, const Vec3d& size, double friction)
{
    BodySpec body;
    body.name = "box";
    body.shape = BodyShape::Box;
    body.position = position;
    body.size = size;
    body.friction = friction;
    return body;
}

/// Ends the frame after exactly this time: one frame of the scene is then this long.
inline void setFrameSeconds(Scene& scene, double seconds) { scene.fps = 1 / seconds; }

/// Where in a frame each id is: frames list particles in an order of their own.
inline std::vector<std::size_t> byId(const ParticleFrame& frame)
{
    std::vector<std::size_t> at(frame.size());
    for (std::size_t i = 0; i < frame.size(); ++i) at[frame.id[i]] = i;
    return at;
}

inline double totalMass(const ParticleFrame& frame)
{
    double sum = 0;
    for (const float m : frame.mass_kg) sum += static_cast<double>(m);
    return sum;
}

inline Vec3d totalMomentum(const ParticleFrame& frame)
{
    Vec3d sum = Vec3d::Zero();
    for (std::size_t i = 0; i < frame.size(); ++i)
        sum += static_cast<double>(frame.mass_kg[i]) * frame.velocity_m_s[i].cast<double>();
    return sum;
}

inline Vec3d meanVelocity(const ParticleFrame& frame) { return totalMomentum(frame) / totalMass(frame); }

inline Vec3d centerOfMass(const ParticleFrame& frame)
{
    Vec3d sum = Vec3d::Zero();
    for (std::size_t i = 0; i < frame.size(); ++i) sum += static_cast<double>(frame.mass_kg[i]) * frame.position_m[i];
    return sum / totalMass(frame);
}

/// All that a simulation will go on from, as bytes; without the wall time, which differs from run to run.
inline std::string stateBytes(const CheckpointView& view)
{
    nlohmann::json header = nlohmann::json::parse(view.header);
    header.erase("stats.seconds");
    std::string bytes = header.dump();
    for (const auto& [name, block] : view.blocks)
        bytes.append(name).append(reinterpret_cast<const char*>(block.data()), block.size());
    return bytes;
}

/// Sets one entry of a float column of a checkpoint.
inline void setEntry(Checkpoint& checkpoint, const std::string& column, std::size_t particle, float value)
{
    std::memcpy(checkpoint.blocks.at(column).data() + particle * sizeof value, &value, sizeof value);
}

/// Sets a component of a particle's velocity.
inline void setVelocity(Checkpoint& checkpoint, const std::string& axis, std::size_t particle, float value)
{
    setEntry(checkpoint, "velocity." + axis, particle, value);
    if (checkpoint.blocks.count("travel." + axis)) setEntry(checkpoint, "travel." + axis, particle, value);
}

/// A checkpoint of snow at rest that was simulated with FLIP, for another transfer: its further columns are zero.
inline Checkpoint withColumnsFor(Transfer transfer, Checkpoint checkpoint)
{
    const std::size_t bytes = checkpoint.blocks.at("J_P").size();
    if (transfer != Transfer::Flip)
        for (const char* entry : {"xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"})
            checkpoint.blocks[std::string("C.") + entry].assign(bytes, std::byte{0});
    if (transfer == Transfer::AffineFlip)
        for (const char* axis : {"x", "y", "z"})
            checkpoint.blocks[std::string("travel.") + axis].assign(bytes, std::byte{0});
    return checkpoint;
}

/// A column of a checkpoint.
template <class T>
std::vector<T> columnOf(const Checkpoint& checkpoint, const std::string& name)
{
    const std::vector<std::byte>& bytes = checkpoint.blocks.at(name);
    std::vector<T> column(bytes.size() / sizeof(T));
    std::memcpy(column.data(), bytes.data(), bytes.size());
    return column;
}

/// The seeded state with every cell's eight particles in the middles of its octants.
inline Checkpoint withRegularParticles(const Simulation& simulation)
{
    Checkpoint copy = copyOf(simulation.checkpoint());
    const std::string axes[] = {"x", "y", "z"};
    std::vector<std::int32_t> cell[3];
    std::vector<float> offset[3];
    for (std::size_t a = 0; a < 3; ++a) {
        cell[a] = columnOf<std::int32_t>(copy, "cell." + axes[a]);
        offset[a] = columnOf<float>(copy, "offset." + axes[a]);
    }
    std::map<std::array<std::int32_t, 3>, int> found;
    for (std::size_t p = 0; p < cell[0].size(); ++p) {
        const int octant = found[{cell[0][p], cell[1][p], cell[2][p]}]++;
        for (std::size_t a = 0; a < 3; ++a) offset[a][p] = (octant >> a & 1) == 0 ? 0.25f : 0.75f;
    }
    for (std::size_t a = 0; a < 3; ++a)
        std::memcpy(copy.blocks.at("offset." + axes[a]).data(), offset[a].data(), offset[a].size() * sizeof(float));
    return copy;
}

/// The id that stands at a position of a checkpoint's columns.
inline std::uint32_t idAt(const Checkpoint& checkpoint, std::size_t particle)
{
    std::uint32_t id = 0;
    std::memcpy(&id, checkpoint.blocks.at("id").data() + particle * sizeof id, sizeof id);
    return id;
}

/// Advances by whole frames.
inline void advanceFrames(Simulation& simulation, int frames)
{
    for (int f = 0; f < frames; ++f) simulation.advanceFrame(nullptr);
}

/// Deformed, moving particles scattered over leaf borders, some cells crowded and most empty; velocities up to 2 m/s,
/// deformations by about `strain`.
inline Particles randomParticles(std::size_t count, const Vec3i& low, const Vec3i& high, double h, double strain)
{
    std::mt19937 random(7);
    std::uniform_real_distribution<double> unit(0, 1);
    std::normal_distribution<double> normal;
    Particles p;
    p.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        const bool crowded = i % 4 == 0;  // every fourth in one small corner
        for (int a = 0; a < 3; ++a) {
            const int cells = crowded ? 2 : high[a] - low[a];
            p.cell[a][i] = low[a] + static_cast<int>(unit(random) * cells);
            p.offset[a][i] = std::min(static_cast<float>(unit(random)), 0.99999994f);
            p.velocity[a][i] = static_cast<float>(normal(random));
        }
        for (int e = 0; e < 9; ++e)
            p.F_E[e][i] = static_cast<float>((e % 4 == 0 ? 1.0 : 0.0) + strain * normal(random));
        p.J_P[i] = static_cast<float>(1 + 0.05 * normal(random));
        p.mass[i] = static_cast<float>(400 * h * h * h / 8 * (0.5 + unit(random)));
        p.volume0[i] = static_cast<float>(h * h * h / 8 * (1 + unit(random)));  // none is as dense as ice
        p.modulus_factor[i] = static_cast<float>(0.5 + unit(random));
        p.id[i] = static_cast<std::uint32_t>(i);
        p.material[i] = 0;
    }
    return p;
}

}  // namespace firn
