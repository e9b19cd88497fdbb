#pragma once
// Snow that comes during the shot ([snow.source]).

#include <memory>
#include <utility>
#include <vector>

#include "common/body/motion.h"
#include "common/snow/moving_window.h"
#include "common/snow/stream.h"
#include "sim/contact.h"
#include "sim/particles.h"

namespace firn {

class SnowSources {
public:
    /// `scene` must outlive this object.
    explicit SnowSources(const Scene& scene);

    bool isThere() const { return !m_sources.empty(); }

    /// The particles that come in an interval of time, as they are at its end; the same for any number of threads.
    /// Places inside bodies stay empty. For snow that comes all at once, so do places in cells that hold particles of
    /// `others`.
    Particles born(double from_s, double until_s, const Contact& bodies, const PlaceNumbers& numbers,
                   const std::vector<const Particles*>& others) const;

    /// The share of a region's particles of an interval whose places are inside bodies; 0 if none come.
    double shareInside(std::size_t region, double from_s, double until_s, const Contact& bodies) const;

    /// The regions of streams that flow at a time and whose mouth holds at least twice the snow that fills it, and how
    /// many times: snow that does not flow away.
    std::vector<std::pair<std::size_t, double>> full(double time_s, const std::vector<const Particles*>& snow) const;

private:
    struct Source {
        std::size_t region;
        std::unique_ptr<SnowStream> stream;    // none: comes at once
        std::shared_ptr<const Motion> motion;  // of the mouth; none: it stays
        double full_kg;                        // mass of the snow that fills the mouth of a stream
    };
    /// Where a particle is at the end of the interval, and its velocity.
    struct Start {
        Vec3d position_m, velocity_m_s;
    };

    bool isInside(const Vec3d& position_m, const Contact& bodies) const;
    double massInMouth(const Source& source, double time_s, const std::vector<const Particles*>& snow) const;
    std::vector<SnowStream::Birth> birthsOf(const Source& source, double from_s, double until_s) const;
    Start startOf(const Source& source, const Vec3d& here, double from_s, double until_s) const;

    const Scene& m_scene;
    std::vector<Region> m_regions;
    std::vector<Source> m_sources;
};

}  // namespace firn
