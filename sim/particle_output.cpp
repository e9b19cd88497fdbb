#include "sim/particle_output.h"

namespace firn {

namespace {

template <class T>
void append(const std::vector<T>& from, std::vector<T>& to)
{
    to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

void appendToFrame(const Particles& particles, double h, bool asleep, ParticleFrame& frame)
{
    const std::size_t first = frame.size(), count = particles.size();
    frame.position_m.resize(first + count);
    frame.velocity_m_s.resize(first + count);
    frame.F_E.resize(first + count);
    for (std::size_t i = 0; i < count; ++i) {
        for (int a = 0; a < 3; ++a) {
            frame.position_m[first + i][a] = (particles.cell[a][i] + static_cast<double>(particles.offset[a][i])) * h;
            frame.velocity_m_s[first + i][a] = particles.velocity[a][i];
        }
        for (int e = 0; e < 9; ++e) frame.F_E[first + i](e / 3, e % 3) = particles.F_E[e][i];
    }
    append(particles.J_P, frame.J_P);
    append(particles.mass, frame.mass_kg);
    append(particles.volume0, frame.volume0_m3);
    append(particles.id, frame.id);
    append(particles.material, frame.material);
    frame.state.resize(first + count, asleep ? 1 : 0);
}

}  // namespace firn
