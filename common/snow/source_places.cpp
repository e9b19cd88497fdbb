#include "common/snow/source_places.h"

#include <algorithm>

#include "common/snow/point_tile.h"

namespace firn {

SourcePlaces::SourcePlaces(const Scene& scene, const MovingWindow& window)
    : m_dx(scene.solver.dx), m_numbers(scene, window)
{
    if (std::ranges::none_of(scene.snow, [](const SnowRegion& spec) { return spec.source.isThere(); })) return;
    m_regions = regionsOf(scene);
    for (const Region& region : m_regions)
        m_streams.push_back(region.spec().source.length_s > 0
                                ? std::make_unique<SnowStream>(region, m_dx, scene.timeOfFrame(scene.end_frame))
                                : nullptr);
}

std::optional<Vec3d> SourcePlaces::of(std::uint32_t id) const
{
    const std::optional<PlaceNumbers::Place> place = m_numbers.placeOf(id);
    if (m_regions.empty() || !place) return {};
    const Region& region = m_regions[place->region];
    if (m_streams[place->region]) return m_streams[place->region]->place_m(place->number);
    if (!region.spec().source.isThere()) return {};
    const int perCell = region.spec().particles_per_cell;
    const PlaceLattice::Place at = PlaceLattice(cellsOf(region, m_dx), perCell).place(place->number);
    const Vec3f* points = pointTile(perCell).points(at.cell + tileOffset(region.spec().seed));
    return m_dx * (at.cell.cast<double>() + points[at.point].cast<double>());
}

}  // namespace firn
