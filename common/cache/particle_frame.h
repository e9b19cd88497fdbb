#pragma once
// One frame of snow as the cache holds it and the renderer reads it.

#include <cstdint>
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
    // One entry per particle, all of the same length:
    std::vector<Vec3d> position_m;
    std::vector<Vec3f> velocity_m_s;
    std::vector<Mat3f> F_E;
    std::vector<float> J_P;
    std::vector<float> mass_kg;
    std::vector<float> volume0_m3;
    std::vector<std::uint32_t> id;
    std::vector<std::uint8_t> material;  // index of the snow region
    std::vector<std::uint8_t> state;     // 0 = moving

    std::size_t size() const { return position_m.size(); }

    /// Adds the particles of `more`.
    void append(const ParticleFrame& more)
    {
        const auto add = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
        add(position_m, more.position_m);
        add(velocity_m_s, more.velocity_m_s);
        add(F_E, more.F_E);
        add(J_P, more.J_P);
        add(mass_kg, more.mass_kg);
        add(volume0_m3, more.volume0_m3);
        add(id, more.id);
        add(material, more.material);
        add(state, more.state);
    }
};

}  // namespace firn
