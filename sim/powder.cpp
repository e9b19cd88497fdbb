#include "sim/powder.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "common/error.h"
#include "sim/parallel.h"

namespace firn {

namespace {

constexpr double ice_kg_m3 = 917;
constexpr double way_m = 0.5;          // through air, on which loose snow loses 63 % of what is ground
constexpr double entrainment = 0.25;   // growth of a puff's radius per way (Turner 1973, Buoyancy effects in fluids)
constexpr int flights = 4;             // steps of the puffs in a frame
constexpr int birthCoarser = 2;        // mergedPuffs: snow within two cells gives off one puff
constexpr int streamCells = 4;         // edge of the cells where snow drags air
constexpr double restSpeed_m_s = 0.5;  // slower snow drags no air;
constexpr double flightSpeed_m_s = 1;  // snow that is faster by this drags it fully
constexpr double thinnest = 2e-4;      // optical depth of a puff that nobody sees
constexpr double leastShare = 1e-6;    // of a particle's mass that is worth a puff
constexpr char puffsBlock[] = "powder.puffs", totalsBlock[] = "powder.totals";

std::vector<Grinding> grindingOf(const Scene& scene)
{
    std::vector<Grinding> result;
    for (const SnowRegion& region : scene.snow)
        result.push_back({static_cast<float>(region.powder.share), static_cast<float>(1 / region.powder.work_J_kg)});
    return result;
}

/// Makes a puff larger by air that does not move, so it keeps its momentum.
void dilute(Puff& puff, double radius_m)
{
    const double ratio = puff.radius_m / radius_m;
    puff.velocity_m_s *= ratio * ratio * ratio;
    puff.radius_m = radius_m;
}

/// The puff takes in the air that it flies through. Returns the way that it makes through the wind, m. This solves
/// dr = a u dt and u r^3 = constant, so that r^4 grows evenly.
Vec3d takeInAir(Puff& puff, double dt_s)
{
    const double speed = puff.velocity_m_s.norm(), r = puff.radius_m;
    if (speed == 0) return Vec3d::Zero();
    const Vec3d direction = puff.velocity_m_s / speed;
    dilute(puff, r * std::pow(1 + 4 * entrainment * speed * dt_s / r, 0.25));
    return (puff.radius_m - r) / entrainment * direction;
}

void diffuse(Puff& puff, double spread_m2_s, double dt_s)
{
    dilute(puff, std::sqrt(puff.radius_m * puff.radius_m + 2 * spread_m2_s * dt_s));
}

Error badBlock(const char* name, std::size_t bytes, std::size_t unit)
{
    return Error(ExitCode::File, std::string("checkpoint: block '") + name + "' has " + std::to_string(bytes) +
                                     " bytes, expected a multiple of " + std::to_string(unit));
}

/// The values in a block of a checkpoint.
template <class T>
std::vector<T> valuesIn(const Checkpoint& checkpoint, const char* name)
{
    const auto block = checkpoint.blocks.find(name);
    if (block == checkpoint.blocks.end())
        throw Error(ExitCode::File, std::string("checkpoint: block '") + name + "' is missing");
    const std::vector<std::byte>& bytes = block->second;
    if (bytes.size() % sizeof(T) != 0) throw badBlock(name, bytes.size(), sizeof(T));
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!bytes.empty()) std::memcpy(static_cast<void*>(values.data()), bytes.data(), bytes.size());
    return values;
}

}  // namespace

bool hasPowder(const Scene& scene)
{
    return std::ranges::any_of(scene.snow, [](const SnowRegion& region) { return region.powder.share > 0; });
}

Powder::Powder(const Scene& scene)
    : m_air(scene),
      m_h(scene.solver.dx),
      m_most(static_cast<std::size_t>(scene.air.most_puffs)),
      m_isThere(hasPowder(scene))
{
    if (!m_isThere) return;
    m_grinding = grindingOf(scene);
    const double gravity = scene.solver.gravity.norm();
    if (gravity > 0) m_down = scene.solver.gravity / gravity;
    for (const SnowRegion& region : scene.snow) {
        const double grain_m = 1e-3 * region.powder.grain_mm;
        m_kinds.push_back({m_air.fallSpeed(grain_m, ice_kg_m3, gravity), 1.5 / (ice_kg_m3 * grain_m)});
    }
}

double Powder::mass() const
{
    double sum = 0;
    for (const Puff& puff : m_puffs) sum += puff.mass_kg;
    return sum;
}

Vec3d Powder::velocity(const Puff& puff, double time_s) const
{
    return m_air.velocity(puff.position_m, time_s) + puff.velocity_m_s + m_kinds[puff.region].fall_m_s * m_down;
}

double Powder::advance(Particles& particles, Contact& contact, double from_s, double frame_s)
{
    const std::vector<LooseParticle> loose = looseSnow(particles, m_air, m_h, from_s + frame_s);
    findStreams(loose, particles);
    fly(contact, from_s, frame_s);
    const double given_kg = giveOff(loose, particles, frame_s);
    removeThin();
    mergeClose();
    return given_kg;
}

double Powder::giveOff(const std::vector<LooseParticle>& loose, Particles& particles, double frame_s)
{
    double given_kg = 0;
    std::vector<Puff> born;
    for (const LooseParticle& of : loose) {
        const Puff puff = takeOff(of, particles, frame_s);
        if (puff.mass_kg == 0) continue;
        given_kg += puff.mass_kg;
        born.push_back(puff);
    }
    for (Puff& puff : mergedPuffs(born, m_h, birthCoarser)) {
        puff.id = static_cast<std::uint32_t>(m_totals.made++);
        m_puffs.push_back(puff);
    }
    return given_kg;
}

/// Finds what loose snow does to the air.
void Powder::findStreams(const std::vector<LooseParticle>& loose, const Particles& particles)
{
    std::vector<LeafKey> cells;
    cells.reserve(loose.size());
    for (const LooseParticle& of : loose) cells.push_back(coarseCellKey(particles, of.particle, streamCells));
    m_streamKeys = cells;
    std::ranges::sort(m_streamKeys);
    m_streamKeys.erase(std::unique(m_streamKeys.begin(), m_streamKeys.end()), m_streamKeys.end());
    m_streams.assign(m_streamKeys.size(), {});
    for (std::size_t k = 0; k < loose.size(); ++k) {
        const std::size_t p = loose[k].particle;
        const auto place = std::ranges::lower_bound(m_streamKeys, cells[k]) - m_streamKeys.begin();
        Stream& stream = m_streams[static_cast<std::size_t>(place)];
        const double mass = static_cast<double>(particles.mass[p]);
        const double density = mass / static_cast<double>(particles.volume0[p]);
        const Vec3d velocity = motionOf(particles, p);
        const double flight = std::clamp((velocity.norm() - restSpeed_m_s) / flightSpeed_m_s, 0., 1.);
        const double pull =
            mass * m_air.dragRate(flight * loose[k].looseness, loose[k].speed, particles.material[p], density);
        stream.pull += pull;
        stream.drift += pull * velocity;
    }
}

/// Takes ground snow off a particle; returns it as a puff, whose mass may be 0. Density stays as it is.
Puff Powder::takeOff(const LooseParticle& loose, Particles& particles, double frame_s) const
{
    const std::size_t p = loose.particle;
    Puff puff{position(particles, p, m_h), motionOf(particles, p) - loose.wind, m_h, 0, particles.id[p],
              particles.material[p]};
    const float ground = particles.loosened[p];
    const auto part = static_cast<float>(loose.looseness * (1 - std::exp(-loose.speed * frame_s / way_m)));
    const bool isFar = !hasCellKey(puff.position_m / (m_h / 2));
    if (isFar || ground * part < static_cast<float>(leastShare)) return puff;
    const float kept = 1 - ground * part;
    const double before = static_cast<double>(particles.mass[p]);
    particles.mass[p] *= kept;
    particles.volume0[p] *= kept;
    particles.loosened[p] = ground * (1 - part) / kept;
    puff.mass_kg = before - static_cast<double>(particles.mass[p]);
    return puff;
}

void Powder::fly(Contact& contact, double from_s, double frame_s)
{
    const double dt = frame_s / flights;
    for (int k = 0; k < flights; ++k) {
        contact.place(from_s + k * dt, dt);
        const double before = mass();
        parallelFor(m_puffs.size(),
                    [&](std::size_t i) { m_puffs[i] = moved(m_puffs[i], contact, from_s + k * dt, dt); });
        m_totals.settled_kg += before - mass();
    }
}

Powder::Stream Powder::streamAt(const Vec3d& place_m) const
{
    const Vec3d cell = (place_m / (streamCells * m_h)).array().floor();
    if (!hasCellKey(cell)) return {};
    const LeafKey key = leafKey(cell.cast<int>());
    const auto found = std::ranges::lower_bound(m_streamKeys, key);
    if (found == m_streamKeys.end() || *found != key) return {};
    return m_streams[static_cast<std::size_t>(found - m_streamKeys.begin())];
}

/// Lets loose snow drag a puff for dt. Returns the velocity of the air around the puff, relative to the wind, which the
/// snow drags too: as far as the drag acts while the snow crosses a cell. The puff's velocity becomes that through this
/// air.
Vec3d Powder::dragAlong(const Stream& stream, Puff& puff, const Vec3d& wind, double dt_s) const
{
    if (stream.pull == 0) return Vec3d::Zero();
    const double edge = streamCells * m_h;
    const double rate = stream.pull / (m_air.density() * edge * edge * edge);  // 1/s, at which air follows the snow
    const Vec3d slip = stream.drift / stream.pull - wind;
    const double stay_s = edge / std::max(slip.norm(), restSpeed_m_s);
    const auto shareIn = [rate](double time_s) { return rate * time_s / (1 + rate * time_s); };
    Vec3d around = shareIn(stay_s) * slip;
    puff.velocity_m_s += shareIn(dt_s) * (slip - puff.velocity_m_s) - around;
    return around;
}

Puff Powder::moved(const Puff& puff, const Contact& contact, double from_s, double dt_s) const
{
    Puff next = puff;
    const Vec3d wind = m_air.velocity(puff.position_m, from_s);
    const Vec3d around = dragAlong(streamAt(puff.position_m), next, wind, dt_s);
    const Vec3d way = takeInAir(next, dt_s);
    diffuse(next, m_air.spread(), dt_s);
    next.velocity_m_s += around;
    next.position_m += way + dt_s * (wind + around + m_kinds[puff.region].fall_m_s * m_down);
    meetBodies(next, contact, wind, dt_s);
    return next;
}

/// Air does not flow into bodies, and grains settle on what faces up.
void Powder::meetBodies(Puff& puff, const Contact& contact, const Vec3d& wind, double dt_s) const
{
    for (const int piece : contact.near(puff.position_m, puff.radius_m)) {
        Surface surface;
        if (!contact.distanceWithin(piece, puff.position_m, puff.radius_m, surface)) continue;
        contact.describe(piece, puff.position_m, surface);
        if (surface.distance < 0) puff.position_m -= surface.distance * surface.normal;
        const double inward = (wind + puff.velocity_m_s - surface.velocity).dot(surface.normal);
        const double nearness = std::clamp(1 - surface.distance / puff.radius_m, 0., 1.);
        if (inward < 0) puff.velocity_m_s -= nearness * inward * surface.normal;
        const double facing = -surface.normal.dot(m_down);
        if (facing > 0)
            puff.mass_kg *= std::exp(-facing * nearness * m_kinds[puff.region].fall_m_s * dt_s / puff.radius_m);
    }
}

void Powder::removeThin()
{
    const auto isSeen = [&](const Puff& puff) {
        const double depth = puff.mass_kg * m_kinds[puff.region].area_m2_kg / (pi * puff.radius_m * puff.radius_m);
        return depth > thinnest && hasCellKey(puff.position_m / (m_h / 2));
    };
    for (const Puff& puff : m_puffs)
        if (!isSeen(puff)) m_totals.settled_kg += puff.mass_kg;
    std::erase_if(m_puffs, [&](const Puff& puff) { return !isSeen(puff); });
}

/// Keeps the number of puffs within its bound.
void Powder::mergeClose()
{
    int coarser = 0;
    do {
        m_puffs = mergedPuffs(m_puffs, m_h, coarser++);
    } while (m_puffs.size() > m_most);
    m_isLimited = coarser > 1;
}

void Powder::addTo(CheckpointView& view) const
{
    if (!m_isThere) return;
    view.blocks.emplace_back(puffsBlock, std::as_bytes(std::span(m_puffs)));
    view.blocks.emplace_back(totalsBlock, std::as_bytes(std::span(&m_totals, 1)));
}

void Powder::restore(const Checkpoint& checkpoint)
{
    if (!m_isThere) return;
    m_puffs = valuesIn<Puff>(checkpoint, puffsBlock);
    const auto totals = valuesIn<Totals>(checkpoint, totalsBlock);
    if (totals.size() != 1) throw badBlock(totalsBlock, totals.size() * sizeof(Totals), sizeof(Totals));
    m_totals = totals[0];
}

}  // namespace firn
