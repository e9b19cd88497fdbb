#include "sim/state.h"

#include <algorithm>
#include <cmath>

#include "sim/particle_lanes.h"

namespace firn {

void SolverState::startFrame(const Scene& scene)
{
    const FrameStats before = stats;
    stats = FrameStats();
    limits.clear();
    stats.frame = frame + 1;
    stats.time_s = scene.timeOfFrame(frame + 1);
    stats.particles = before.particles;
    stats.frozen = before.frozen;
    stats.mass_kg = before.mass_kg;
    stats.momentum = before.momentum;
    stats.max_speed_m_s = before.max_speed_m_s;
}

double fastestWave(const Particles& particles, const Materials& materials, std::size_t first)
{
    double fastest = 0;
    for (std::size_t p = first; p < particles.size(); ++p) {
        const MaterialState<double> s = materialState(particles, p);
        const double modulus =
            std::visit([&](const auto& model) { return model.waveModulus(s); }, materials[particles.material[p]]);
        fastest = std::max(fastest, std::sqrt(modulus * particles.volume0[p] / static_cast<double>(particles.mass[p])));
    }
    return fastest;
}

void measure(const Particles& particles, const Materials& materials, SolverState& state)
{
    state.stats = FrameStats();
    state.stats.frame = state.frame;
    state.stats.particles = particles.size();
    for (std::size_t p = 0; p < particles.size(); ++p) {
        const double m = particles.mass[p];
        const Vec3d v(particles.velocity[0][p], particles.velocity[1][p], particles.velocity[2][p]);
        state.max_speed = std::max(state.max_speed, v.norm());
        state.stats.mass_kg += m;
        state.stats.momentum += m * v;
    }
    state.max_wave_speed = std::max(state.max_wave_speed, fastestWave(particles, materials));
    state.stats.max_speed_m_s = state.max_speed;
}

}  // namespace firn
