#include "render/rest_places.h"

#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>

#include <algorithm>

namespace firn {

namespace {

bool isBefore(const std::pair<std::uint32_t, Vec3f>& a, const std::pair<std::uint32_t, Vec3f>& b)
{
    return a.first < b.first;
}

}  // namespace

RestPlaces::RestPlaces(const ParticleFrame& first) : m_places(first.size())
{
    for (std::size_t i = 0; i < first.size(); ++i) m_places[i] = {first.id[i], first.position_m[i].cast<float>()};
    tbb::parallel_sort(m_places.begin(), m_places.end(), isBefore);
}

std::vector<Vec3f> RestPlaces::of(const ParticleFrame& particles) const
{
    std::vector<Vec3f> result(particles.size());
    tbb::parallel_for(std::size_t{0}, result.size(), [&](std::size_t i) {
        const std::uint32_t id = particles.id[i];
        const auto found = std::lower_bound(m_places.begin(), m_places.end(), std::pair{id, Vec3f()}, isBefore);
        const bool isKnown = found != m_places.end() && found->first == id;
        result[i] = isKnown ? found->second : particles.position_m[i].cast<float>();
    });
    return result;
}

}  // namespace firn
