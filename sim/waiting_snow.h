#pragma once
// Snow that waits for the moving window (common/snow/moving_window.h): what the window reaches in a frame, and what it
// has left behind.

#include "common/snow/moving_window.h"
#include "common/snow/region.h"
#include "sim/particles.h"
#include "sim/sleep.h"

namespace firn {

class WaitingSnow {
public:
    /// `scene` and `bodies` must outlive this object.
    WaitingSnow(const Scene& scene, const std::vector<Body>& bodies);

    bool isThere() const { return m_window.isThere(); }
    const MovingWindow& window() const { return m_window; }
    const PlaceNumbers& numbers() const { return m_numbers; }

    /// The particles of blocks that the window meets first in `frame`, as the shot begins. They depend on nothing but
    /// scene and frame.
    Particles reachedIn(int frame) const;
    /// Takes the sleeping snow that the window has left behind out of `sleepers`. Snow stays as long as more than a few
    /// percent of the snow in its column of blocks, or in one of the eight around it, is awake. The slow particles of
    /// `awake` in columns that leave go with them. Fast ones, such as crumbs in flight, stay: they later fall into the
    /// snow that has left.
    Particles takeLeft(int frame, Particles& awake, Sleepers& sleepers) const;

    /// Whether snow waits in one of the eight columns of blocks around this one. Snow of such a block sleeps until its
    /// neighbours are there, or a body comes: without them it would have a free face that sags.
    bool isBorder(const Vec3i& block, int frame) const;

    /// How many awake particles are where snow still waits: they cannot touch it.
    std::size_t countBeyond(int frame, const Particles& awake) const;

private:
    /// Whether the layer of a region, at the middle of this column of blocks, waits in a frame.
    bool waitsIn(const Vec3i& block, int frame) const;

    const Scene& m_scene;
    const std::vector<Body>& m_bodies;
    MovingWindow m_window;
    std::vector<Region> m_regions;
    PlaceNumbers m_numbers;
};

}  // namespace firn
