#include "sim/particle_output.h"

namespace firn {

namespace {

void append(const Particles& particles, std::size_t i, double h, bool asleep, ParticleFrame& frame)
{
    frame.position_m.push_back(position(particles, i, h));
    const auto& motion = particles.motion();
    frame.velocity_m_s.emplace_back(motion[0][i], motion[1][i], motion[2][i]);
    Mat3f& F_E = frame.F_E.emplace_back();
    for (int e = 0; e < 9; ++e) F_E(e / 3, e % 3) = particles.F_E[e][i];
    frame.J_P.push_back(particles.J_P[i]);
    frame.mass_kg.push_back(particles.mass[i]);
    frame.volume0_m3.push_back(particles.volume0[i]);
    frame.id.push_back(particles.id[i]);
    frame.material.push_back(particles.material[i]);
    frame.state.push_back(asleep ? 1 : 0);
}

}  // namespace

void readParticles(const Particles& moving, const Particles& asleep, double h, std::span<const std::uint32_t> rows,
                   ParticleFrame& frame)
{
    ParticleFrame::zipColumns(
        [&](auto& column) {
            column.clear();
            column.reserve(rows.size());
        },
        frame);
    for (const std::uint32_t row : rows) {
        const bool sleeps = row >= moving.size();
        append(sleeps ? asleep : moving, sleeps ? row - moving.size() : row, h, sleeps, frame);
    }
}

}  // namespace firn
