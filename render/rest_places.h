#pragma once
// Where each particle lay before the shot began. Noise in these places moves with the snow.

#include <utility>
#include <vector>

#include "common/cache/particle_frame.h"

namespace firn {

class RestPlaces {
public:
    /// None: particles are at rest where they are.
    RestPlaces() = default;

    /// `first` is the frame in which no particle has moved yet.
    explicit RestPlaces(const ParticleFrame& first);

    /// For each particle of a frame, m. Particles that the first frame does not have are at rest where they are.
    std::vector<Vec3f> of(const ParticleFrame& particles) const;

private:
    std::vector<std::pair<std::uint32_t, Vec3f>> m_places;  // by ascending id
};

}  // namespace firn
