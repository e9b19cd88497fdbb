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
    frame.state.push_back(asleep ? ParticleFrame::sleeping : ParticleFrame::moving);
}

void append(const Puff& puff, const Vec3d& velocity, ParticleFrame& frame)
{
    frame.position_m.push_back(puff.position_m);
    frame.velocity_m_s.push_back(velocity.cast<float>());
    frame.F_E.push_back(Mat3f::Identity());
    frame.J_P.push_back(1);
    frame.mass_kg.push_back(static_cast<float>(puff.mass_kg));
    frame.volume0_m3.push_back(static_cast<float>(4. / 3 * pi * puff.radius_m * puff.radius_m * puff.radius_m));
    frame.id.push_back(puff.id);
    frame.material.push_back(static_cast<std::uint8_t>(puff.region));
    frame.state.push_back(ParticleFrame::powder);
}

}  // namespace

void readParticles(const OutputParts& parts, double h, std::span<const std::uint32_t> rows, ParticleFrame& frame)
{
    ParticleFrame::zipColumns(
        [&](auto& column) {
            column.clear();
            column.reserve(rows.size());
        },
        frame);
    const std::size_t sleeping = parts.moving.size(), powder = sleeping + parts.asleep.size();
    for (const std::uint32_t row : rows) {
        if (row < sleeping)
            append(parts.moving, row, h, false, frame);
        else if (row < powder)
            append(parts.asleep, row - sleeping, h, true, frame);
        else
            append(parts.puffs[row - powder], parts.puff_velocity(parts.puffs[row - powder]), frame);
    }
}

}  // namespace firn
