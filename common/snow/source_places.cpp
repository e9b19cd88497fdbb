#include "common/snow/source_places.h"

namespace firn {

SourcePlaces::SourcePlaces(const Scene& scene, const MovingWindow& window)
    : m_dx(scene.solver.dx), m_numbers(scene, window)
{
    if (!hasSource(scene)) return;
    m_regions = regionsOf(scene);
    for (const Region& region : m_regions)
        m_streams.push_back(region.spec().source.length_s > 0 ? std::make_unique<SnowStream>(scene, region) : nullptr);
}

std::optional<Vec3d> SourcePlaces::of(std::uint32_t id) const
{
    const std::optional<PlaceNumbers::Place> place = m_numbers.placeOf(id);
    if (m_regions.empty() || !place) return {};
    const Region& region = m_regions[place->region];
    if (m_streams[place->region]) return m_streams[place->region]->place_m(place->number);
    if (!region.spec().source.isThere()) return {};
    const PlaceLattice lattice(cellsOf(region, m_dx), region.spec().particles_per_cell);
    return m_dx * placeOf(lattice, region.spec(), place->number);
}

}  // namespace firn
