#pragma once
// Where the particles of [snow.source] come from: their places at rest, by their numbers.

#include <memory>
#include <optional>
#include <vector>

#include "common/snow/moving_window.h"
#include "common/snow/stream.h"

namespace firn {

class SourcePlaces {
public:
    /// `scene` must outlive this object.
    SourcePlaces(const Scene& scene, const MovingWindow& window);

    /// The place of a particle: in the lattice of its stream, in the frame of the mouth, or in its region. Nothing for
    /// particles that come from no source.
    std::optional<Vec3d> of(std::uint32_t id) const;

private:
    double m_dx;
    PlaceNumbers m_numbers;
    std::vector<Region> m_regions;                       // none without a source
    std::vector<std::unique_ptr<SnowStream>> m_streams;  // by region; null where there is none
};

}  // namespace firn
