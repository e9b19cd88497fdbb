#pragma once
// One frame of snow as the cache holds it and the renderer reads it.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "common/math.h"

namespace firn {

struct ParticleFrame {
    int frame = 0;
    double time_s = 0;
    double fps = 24;
    double dx_m = 0;         // solver's node spacing
    std::string scene_hash;  // of what the simulation depends on
    std::size_t frozen = 0;  // particles that left the simulation up to this frame; they are in files of their own
    // One entry per particle, all of the same length:
    std::vector<Vec3d> position_m;
    std::vector<Vec3f> velocity_m_s;
    std::vector<Mat3f> F_E;
    std::vector<float> J_P;
    std::vector<float> mass_kg;
    std::vector<float> volume0_m3;
    std::vector<std::uint32_t> id;
    std::vector<std::uint8_t> material;                                  // index of the snow region
    std::vector<std::uint8_t> state;                                     // one of these:
    static constexpr std::uint8_t moving = 0, sleeping = 1, powder = 2;  // the last is a puff of powder, not a particle

    std::size_t size() const { return position_m.size(); }

    /// Calls f for one column after the other, with that column of each frame.
    template <class F, class... Frames>
    static void zipColumns(F&& f, Frames&... frames)
    {
        f(frames.position_m...);
        f(frames.velocity_m_s...);
        f(frames.F_E...);
        f(frames.J_P...);
        f(frames.mass_kg...);
        f(frames.volume0_m3...);
        f(frames.id...);
        f(frames.material...);
        f(frames.state...);
    }

    /// Adds the particles of `more`.
    void append(const ParticleFrame& more)
    {
        zipColumns([](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); }, *this, more);
    }
};

/// Moves the puffs of powder out of a frame; returns them as a frame.
ParticleFrame takePowder(ParticleFrame& frame);

/// A frame whose particles are read in pieces, so that memory does not hold a second copy of all of them.
struct ParticleSource {
    ParticleFrame about;  // everything except the particles
    std::size_t count = 0;
    /// Makes the columns of `to` those of the given particles, in their order. May be called by many threads.
    std::function<void(std::span<const std::uint32_t> rows, ParticleFrame& to)> read;
};

/// The particles of a frame, which must outlive the source.
ParticleSource sourceOf(const ParticleFrame& frame);

/// All particles of a source.
ParticleFrame wholeFrame(const ParticleSource& source);

}  // namespace firn
