#include "render/snow_particles.h"

#include <cmath>
#include <utility>

#include "common/mix_bits.h"
#include "render/sampler.h"

namespace firn {

namespace {

/// Calls f for one column after the other.
template <class F>
void zipColumns(F&& f, SnowParticles& to, const SnowParticles& from)
{
    f(to.position_m, from.position_m);
    f(to.velocity_m_s, from.velocity_m_s);
    f(to.mass_kg, from.mass_kg);
    f(to.volume0_m3, from.volume0_m3);
    f(to.stretch, from.stretch);
    f(to.id, from.id);
    f(to.material, from.material);
}

PowderPuffs powderPuffs(ParticleFrame frame)
{
    PowderPuffs result;
    for (const float volume_m3 : frame.volume0_m3) result.radius_m.push_back(std::cbrt(volume_m3 * 3 / (4 * pif)));
    result.position_m = std::move(frame.position_m);
    result.velocity_m_s = std::move(frame.velocity_m_s);
    result.mass_kg = std::move(frame.mass_kg);
    result.material = std::move(frame.material);
    result.id = std::move(frame.id);
    return result;
}

/// Of particles or puffs.
template <class Columns>
void advanceAll(Columns& of, double least_s, double most_s)
{
    for (std::size_t i = 0; i < of.position_m.size(); ++i) {
        const auto share =
            static_cast<double>(toUnitInterval(static_cast<std::uint32_t>(mixBits(std::uint64_t{of.id[i]}) >> 32)));
        of.position_m[i] += (least_s + share * (most_s - least_s)) * of.velocity_m_s[i].template cast<double>();
    }
}

}  // namespace

void SnowParticles::advance(double least_s, double most_s)
{
    advanceAll(*this, least_s, most_s);
    advanceAll(powder, least_s, most_s);
}

void SnowParticles::append(const SnowParticles& more)
{
    zipColumns([](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); }, *this, more);
}

void SnowParticles::append(const SnowParticles& more, std::span<const std::uint32_t> rows)
{
    const auto add = [&](auto& to, const auto& from) {
        to.reserve(to.size() + rows.size());
        for (const std::uint32_t row : rows) to.push_back(from[row]);
    };
    zipColumns(add, *this, more);
}

SnowParticles snowParticles(ParticleFrame frame)
{
    SnowParticles result;
    result.powder = powderPuffs(takePowder(frame));
    result.stretch.resize(frame.size());
    for (std::size_t i = 0; i < frame.size(); ++i) result.stretch[i] = frame.F_E[i].determinant() * frame.J_P[i];
    result.frame = frame.frame;
    result.dx_m = frame.dx_m;
    result.position_m = std::move(frame.position_m);
    result.velocity_m_s = std::move(frame.velocity_m_s);
    result.mass_kg = std::move(frame.mass_kg);
    result.volume0_m3 = std::move(frame.volume0_m3);
    result.id = std::move(frame.id);
    result.material = std::move(frame.material);
    return result;
}

}  // namespace firn
