#pragma once
// Powder in the air: puffs of grains that snow has given off. The steps grind the snow (updateParticles). At the end of
// each frame, loose snow gives what is ground to puffs, and all puffs fly for the frame.
//
// A puff is a round parcel of air. It moves with the wind and with a velocity of its own, which it gets from its snow
// and from loose snow that flies past. It takes in the air around it: its radius grows by a share of the way that it
// makes through that air, and by the diffusion of gusts, while its momentum stays as it is (Morton, Taylor & Turner
// 1956, Turbulent gravitational convection from maintained and instantaneous sources). Its grains fall with their
// terminal speed and settle on bodies.

#include <cstdint>
#include <span>
#include <vector>

#include "common/cache/checkpoint.h"
#include "sim/air.h"
#include "sim/contact.h"
#include "sim/loose_snow.h"
#include "sim/particles.h"
#include "sim/puffs.h"
#include "sim/transfer.h"

namespace firn {

/// Whether a region that is simulated gives off powder.
bool hasPowder(const Scene& scene);

class Powder {
public:
    explicit Powder(const Scene& scene);

    /// Whether there can be powder at all.
    bool isThere() const { return m_isThere; }
    /// How steps grind the snow, by region; empty without powder.
    std::span<const Grinding> grinding() const { return m_grinding; }

    /// Moves all puffs through a frame that begins at from_s and has ended for the particles. Then loose particles give
    /// what is ground to new puffs. Returns the mass that the particles lose, kg. The bodies of `contact` are placed
    /// anew.
    double advance(Particles& particles, Contact& contact, double from_s, double frame_s);

    const std::vector<Puff>& puffs() const { return m_puffs; }
    /// The velocity of a puff, m/s.
    Vec3d velocity(const Puff& puff, double time_s) const;
    double mass() const;  // kg, in the air
    double settledMass() const { return m_totals.settled_kg; }
    /// Whether air.most_puffs made puffs larger at the end of the last frame.
    bool isLimited() const { return m_isLimited; }

    /// Views of what a checkpoint holds of powder, valid until it changes; and what it held.
    void addTo(CheckpointView& view) const;
    /// Throws Error(File) where a block is of the wrong size.
    void restore(const Checkpoint& checkpoint);

private:
    /// What puffs of a region have in common.
    struct Kind {
        double fall_m_s;
        double area_m2_kg;  // that grains cover, per mass
    };
    /// Loose snow in a cell of the grid that drags the air.
    struct Stream {
        double pull = 0;              // sum of mass x rate of drag, kg/s
        Vec3d drift = Vec3d::Zero();  // the same, times velocity
    };
    struct Totals {
        double settled_kg = 0;
        std::uint64_t made = 0;  // puffs, since the start
    };

    void fly(Contact& contact, double from_s, double frame_s);
    double giveOff(const std::vector<LooseParticle>& loose, Particles& particles, double frame_s);
    void findStreams(const std::vector<LooseParticle>& loose, const Particles& particles);
    Puff takeOff(const LooseParticle& loose, Particles& particles, double frame_s) const;
    Stream streamAt(const Vec3d& place_m) const;
    Vec3d dragAlong(const Stream& stream, Puff& puff, const Vec3d& wind, double dt_s) const;
    Puff moved(const Puff& puff, const Contact& contact, double from_s, double dt_s) const;
    void meetBodies(Puff& puff, const Contact& contact, const Vec3d& wind, double dt_s) const;
    void removeThin();
    void mergeClose();

    AirFlow m_air;
    double m_h;
    Vec3d m_down = Vec3d::Zero();  // direction of gravity
    std::size_t m_most;
    bool m_isThere;
    bool m_isLimited = false;
    std::vector<Grinding> m_grinding;
    std::vector<Kind> m_kinds;          // by region
    std::vector<LeafKey> m_streamKeys;  // of cells with loose snow, ascending, and what it does there; for one frame
    std::vector<Stream> m_streams;
    std::vector<Puff> m_puffs;
    Totals m_totals;
};

}  // namespace firn
