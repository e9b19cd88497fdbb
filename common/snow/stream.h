#pragma once
// A stream of snow out of a mouth ([snow.source] with length_s). Its particles have places in a lattice that moves with
// the stream's velocity through the region; a particle is born when its place enters the region. All is in the frame of
// the body that carries the mouth.

#include <cstdint>
#include <vector>

#include "common/snow/region.h"

namespace firn {

/// Whether snow comes during the shot.
bool hasSource(const Scene& scene);

class SnowStream {
public:
    /// Of a region of `scene`, which must outlive this object. No snow enters after the last frame.
    SnowStream(const Scene& scene, const Region& region);

    /// A particle that is born: its place in the lattice (Seed::x, in units of dx), and where that is at the end of the
    /// interval, m.
    struct Birth {
        Seed seed;
        Vec3d now_m;
    };
    /// Those of an interval of time, in the same order for any number of threads. Each place is born once.
    std::vector<Birth> births(double from_s, double until_s) const;

    /// How many numbers the lattice has, and the place of a number at the stream's start, m.
    std::uint64_t places() const { return m_lattice.count(); }
    Vec3d place_m(std::uint64_t number) const;

    /// Mean numbers of particles that are born in a second.
    double perSecond() const;

private:
    Vec3d shift(double time_s) const { return (time_s - m_start) * m_region.spec().velocity; }

    const Region& m_region;
    double m_dx, m_start, m_end;
    Vec3i m_tile;
    PlaceLattice m_lattice;
};

}  // namespace firn
