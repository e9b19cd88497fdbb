#include "render/snow_particles.h"

#include <utility>

namespace firn {

void SnowParticles::append(const SnowParticles& more)
{
    const auto add = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    add(position_m, more.position_m);
    add(mass_kg, more.mass_kg);
    add(volume0_m3, more.volume0_m3);
    add(stretch, more.stretch);
    add(id, more.id);
    add(material, more.material);
}

SnowParticles snowParticles(ParticleFrame frame)
{
    SnowParticles result;
    result.stretch.resize(frame.size());
    for (std::size_t i = 0; i < frame.size(); ++i) result.stretch[i] = frame.F_E[i].determinant() * frame.J_P[i];
    result.frame = frame.frame;
    result.dx_m = frame.dx_m;
    result.position_m = std::move(frame.position_m);
    result.mass_kg = std::move(frame.mass_kg);
    result.volume0_m3 = std::move(frame.volume0_m3);
    result.id = std::move(frame.id);
    result.material = std::move(frame.material);
    return result;
}

}  // namespace firn
