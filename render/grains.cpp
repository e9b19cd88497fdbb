#include "render/grains.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "common/mix_bits.h"
#include "render/flight.h"
#include "render/random_offset.h"

namespace firn {

namespace {

// Of a kernel in bulk, over the particle's size: wide where snow lies as it fell, so that the seeding does not show.
constexpr float stillWidth = 2.8f, movedWidth = 1.9f;
constexpr float lumpDistance = 0.9f;  // of the lumps of a fragment, over its width
constexpr float loneWidth = 0.62f;  // of a lone particle's kernel; its density then exceeds one half in its own volume
// A lone particle has .04 of its own density around it, one at a flat surface .5.
constexpr float alone = 0.08f, together = 0.42f;

/// How a lone particle breaks: into how many fragments, of which number k has a share that falls as k^-steepness, and
/// how far they lie apart, over the particle's size.
struct Breaking {
    int count;
    float steepness, spread;
};
// Large crumbs break least.
constexpr std::array<Breaking, 4> breakings = {{{2, 2.7f, 0.7f}, {5, 1.7f, 1.0f}, {9, 1.4f, 1.6f}, {16, 1.25f, 2.4f}}};
// Spread of the fragments over that of Breaking: at rest they lie on the snow, in flight they are on their own.
constexpr float restSpread = 0.6f, flightSpread = 1.6f;
constexpr float crumbLag_s = 0.7f * grainLag_s;
constexpr float leastSteepness = 1.25f;  // the number of crumbs above a mass then falls as mass^-0.8

/// How large the crumb of a lone particle is, and how it breaks.
struct Crumb {
    float mass = 1;  // over that of the particle
    Breaking breaking{};
};

/// Crumbs of loose snow are millimetres to a centimetre large, whatever the solver's particles are: this is how much
/// larger a particle is, at least 1.
float coarsenessOf(float size_m) { return std::max(1.0f, size_m / 0.01f); }

/// Crumbs of one size look like beads. So few particles stand for large crumbs and many for small ones: the number of
/// crumbs above a mass falls as 1 / mass, from .35 to 5 times that of the particle. The mean is 1. Coarse particles
/// differ less, and break into more fragments.
Crumb crumbOf(std::uint64_t key, float coarseness)
{
    constexpr int most = 48;
    constexpr float moreFragments = 8;  // the mean of `breakings`
    const float finer = coarseness * coarseness, rarest = std::min(0.07f * finer, 0.3f);
    const float least = (1 - rarest) / std::log(1 / rarest);  // so that the mean is 1
    const float draw = static_cast<float>(mixBits(key) >> 40) / 16777216, rank = rarest + (1 - rarest) * draw;
    Breaking breaking = breakings[static_cast<std::size_t>(draw * static_cast<float>(breakings.size()))];
    breaking.count = std::min(most, breaking.count + static_cast<int>(std::lround(moreFragments * (finer - 1))));
    breaking.steepness = leastSteepness + (breaking.steepness - leastSteepness) / finer;
    return {least / rank, breaking};
}

float stretchOf(const SnowParticles& particles, std::size_t i) { return std::clamp(particles.stretch[i], 0.4f, 1.2f); }

/// 0 up to `low`, 1 from `high` on.
float rise(float value, float low, float high) { return std::clamp((value - low) / (high - low), 0.0f, 1.0f); }

/// How far the noise at the places at rest is drawn out to streaks, from 0 to 1.
float shearOf(float elongation) { return rise(elongation, 0.2f, 0.85f); }

/// How much of its neighbourhood has left a particle since it lay at rest, from 0 to 1.
float lossOf(float surroundings, float atRest) { return rise(atRest - surroundings, 0.1f, 0.35f); }

/// How full the neighbourhood of a particle is. Corners of snow that still lies as it fell count as its surface: they
/// do not break.
float neighbourhoodOf(const SnowHistory& history, std::size_t i)
{
    const float now = history.surroundings[i], atRest = history.rest.surroundings[i];
    const float corner = rise(atRest, 0.1f, 0.16f) * std::max(0.0f, 0.5f - atRest);
    return now + (1 - rise(atRest - now, 0.02f, 0.08f)) * corner;
}

/// Snow is rough where it lies open and did not at rest, and where it is loose. It is smooth where it is packed. Where
/// it is sheared, pieces are rough instead (snow_pieces.h).
float roughnessOf(float stretch, float loss, float elongation)
{
    const float rough = std::max(loss, rise(stretch, 1.02f, 1.2f));
    const float packed = rise(1 - stretch, 0.03f, 0.2f);
    return rough * (1 - std::max(packed, shearOf(elongation))) - packed;
}

/// A fragment of this share of a particle that is as wide as `whole`: lumps that touch, so that it is not round.
void addFragment(const Grain& whole, float share, float lone, std::uint64_t key, std::vector<Grain>& grains)
{
    constexpr std::array<float, 3> lumps = {0.5f, 0.32f, 0.18f};
    const float size = 1 + lone * (std::cbrt(share) - 1);
    for (std::size_t l = 0; l < lumps.size(); ++l) {
        Grain lump = whole;
        const float apart = l == 0 ? 0 : lumpDistance * lone * size * whole.width_m;
        lump.position += (apart * randomOffset(key + l).normalized()).cast<double>();
        lump.width_m *= size * (1 + lone * (std::cbrt(lumps[l]) - 1));
        lump.volume_m3 *= share * lumps[l];
        lump.mass_kg *= share * lumps[l];
        grains.push_back(lump);
    }
}

/// A particle in bulk as one grain, and how lone it is: 0 in bulk, 1 where no snow is around it.
struct Whole {
    Grain grain;
    float size = 0;  // of the particle, m
    float lone = 0;
    bool isFragmented() const { return lone >= 0.02f; }
};

/// The shares of a particle that its fragments have. They sum up to 1.
std::vector<float> sharesOf(const Breaking& breaking)
{
    std::vector<float> shares(static_cast<std::size_t>(breaking.count));
    float sum = 0;
    for (std::size_t k = 0; k < shares.size(); ++k)
        sum += shares[k] = std::pow(static_cast<float>(k + 1), -breaking.steepness);
    for (float& share : shares) share /= sum;
    return shares;
}

/// What a lone particle, or one that is partly lone, breaks into. In flight, fragments lie further apart, and the small
/// ones trail behind. `velocity` in m/s.
void addFragments(Whole whole, std::uint32_t id, const Vec3f& velocity, const Surfaces* surfaces,
                  std::vector<Grain>& grains)
{
    Grain& grain = whole.grain;
    const float lone = whole.lone, flight = flightOf(velocity.norm());
    grain.is_fragment = true;
    const Vec3d middle = grain.position;
    const std::uint64_t key = 64 * std::uint64_t{id};
    const auto [mass, breaking] = crumbOf(key, coarsenessOf(whole.size));
    const float larger = 1 + lone * (mass - 1);
    grain.roughness += lone;
    grain.mass_kg *= larger;
    grain.volume_m3 *= larger;
    grain.width_m *= std::cbrt(larger);
    const float spread = breaking.spread * (restSpread + flight * (flightSpread - restSpread)) * lone * whole.size;
    const std::vector<float> shares = sharesOf(breaking);
    for (std::size_t k = 0; k < shares.size(); ++k) {
        const std::uint64_t of = key + 1 + k;
        const Vec3f offset = randomOffset(of);
        const float late = lone * (1 - std::cbrt(shares[k])) * (0.5f + 0.5f * randomOffset(mixBits(of)).x());
        const Vec3f from = spread * offset - late * flight * crumbLag_s * velocity;
        grain.position = middle + offsetUpToSurface(middle, from, surfaces).cast<double>();
        addFragment(grain, shares[k], lone, mixBits(of), grains);
    }
}

/// What became of the snow around a particle.
struct Breakage {
    float lone = 0, crumb = 0, roughness = 0, sheared = 0;  // as of Grain
};

Breakage breakageOf(const SnowParticles& particles, const SnowHistory& history, std::size_t i)
{
    const float lone = lonenessOf(history, i), elongation = history.elongations[i];
    const float loss = lossOf(history.surroundings[i], history.rest.surroundings[i]);
    const float crumb = std::max(lone, loss * rise(0.5f - history.surroundings[i], 0.02f, 0.12f));
    const float inBulk = roughnessOf(stretchOf(particles, i), loss, elongation);
    return {lone, crumb, inBulk + crumb * std::max(0.0f, crumb - inBulk), (1 - crumb) * shearOf(elongation)};
}

Whole wholeOf(const SnowParticles& particles, const SnowHistory& history, std::size_t i, const SnowRelief& relief,
              float mist)
{
    const float size = std::cbrt(particles.volume0_m3[i]);
    const auto [lone, crumb, roughness, sheared] = breakageOf(particles, history, i);
    const float full = 1 - lone, kept = 1 - mist;
    const float ownStretch = stretchOf(particles, i), stretch = 1 + full * (ownStretch - 1);
    const float broken = brokenShareOf(particles, history, i);
    const float moved = std::clamp(std::abs(ownStretch - 1) * 20 - 0.2f, 0.0f, 1.0f);
    const float bulkWidth = stillWidth + moved * (movedWidth - stillWidth);
    const float width = size * (loneWidth + full * full * (bulkWidth - loneWidth)) * std::cbrt(stretch * kept);
    const Grain grain{.position = particles.position_m[i],
                      .shift = history.rest.place_m[i] - particles.position_m[i].cast<float>(),
                      .width_m = width,
                      .volume_m3 = particles.volume0_m3[i] * stretch * kept,
                      .mass_kg = particles.mass_kg[i] * kept,
                      .roughness = roughness + (1 - std::abs(roughness)) * relief.coarseness,
                      .sheared = sheared,
                      .rounding = std::max(relief.rounding, (1 - broken) * relief.glaze) - broken * relief.shards};
    return {grain, size, lone};
}

}  // namespace

float lonenessOf(const SnowHistory& history, std::size_t i)
{
    return 1 - rise(neighbourhoodOf(history, i), alone, together);
}

float brokenShareOf(const SnowParticles& particles, const SnowHistory& history, std::size_t i)
{
    const Breakage of = breakageOf(particles, history, i);
    return std::max({of.crumb, of.roughness, of.sheared});
}

std::vector<float> glazeOf(const SnowParticles& particles, const SnowHistory& history,
                           const std::vector<SnowRelief>& reliefs)
{
    if (std::ranges::none_of(reliefs, [](const SnowRelief& of) { return of.glaze > 0; })) return {};
    std::vector<float> glaze(particles.size());
    tbb::parallel_for(std::size_t{0}, glaze.size(), [&](std::size_t i) {
        glaze[i] = reliefOfParticle(reliefs, particles, i).glaze * (1 - brokenShareOf(particles, history, i));
    });
    return glaze;
}

std::vector<Grain> grainsOf(const SnowParticles& particles, const SnowHistory& history, const GrainSettings& settings)
{
    // Particles in blocks, so that several threads can work and memory holds few grains twice.
    constexpr std::size_t blockSize = 1 << 16;
    const std::size_t blocks = (particles.size() + blockSize - 1) / blockSize;
    std::vector<std::vector<Grain>> ofBlocks(blocks);
    tbb::parallel_for(std::size_t{0}, blocks, [&](std::size_t b) {
        for (std::size_t i = b * blockSize; i < std::min(particles.size(), (b + 1) * blockSize); ++i) {
            const Whole whole = wholeOf(particles, history, i, reliefOfParticle(settings.reliefs, particles, i),
                                        settings.mist.empty() ? 0 : settings.mist[i]);
            if (whole.isFragmented()) {
                addFragments(whole, particles.id[i], particles.velocity_m_s[i], settings.surfaces, ofBlocks[b]);
            } else {
                ofBlocks[b].push_back(whole.grain);
            }
        }
    });
    std::size_t count = 0;
    for (const auto& of : ofBlocks) count += of.size();
    std::vector<Grain> grains;
    grains.reserve(count);
    for (auto& of : ofBlocks) {
        grains.insert(grains.end(), of.begin(), of.end());
        std::vector<Grain>().swap(of);
    }
    return grains;
}

}  // namespace firn
