#pragma once
// What the renderer knows about snow before the shot began: where each particle lay, and what was around it. Noise in
// the places of rest moves with the snow; snow that lies open now and did not lie open then was broken.

#include <cstdint>
#include <memory>
#include <vector>

#include "common/snow/source_places.h"
#include "render/density.h"
#include "render/mean_field.h"
#include "render/snow_particles.h"

namespace firn {

/// Of each particle of a frame.
struct RestState {
    std::vector<Vec3f> place_m;
    std::vector<float> surroundings;  // surroundingsOf() then
};

class RestPlaces {
public:
    /// Without a first frame: the place of rest of each particle is where it is now.
    RestPlaces() = default;

    /// `first` is the frame in which no particle has moved yet.
    RestPlaces(const SnowParticles& first, const DensitySettings& settings,
               std::shared_ptr<const SourcePlaces> sources = nullptr);

    /// `surroundings`: of the particles now. Particles that are not in the first frame get their present surroundings,
    /// and as place that at their source, or the present one if they have no source.
    RestState of(const SnowParticles& particles, const std::vector<float>& surroundings) const;

private:
    struct Rest {
        std::uint32_t id;
        Vec3f place_m;
        float surroundings;
    };
    std::vector<Rest> m_rests;  // by ascending id
    std::shared_ptr<const SourcePlaces> m_sources;
};

/// The shift from where snow lies to where it lay at rest, m: the mean of particles by volume.
MeanField shiftField(const SnowParticles& particles, const std::vector<Vec3f>& rest_m, double voxel_m);

/// How far the snow around each particle has been drawn out since it was at rest: 1 / s - 1, where s is the least
/// singular value of the map J from places now to places at rest. Rotations and shifts do not draw snow out, nor does
/// pressure along one axis. A simple shear of 1 gives (sqrt(5) - 1) / 2.
std::vector<float> elongationsOf(const SnowParticles& particles, const std::vector<Vec3f>& rest_m,
                                 const MeanField& shifts);

/// What has become of the snow of a frame since it was at rest.
struct SnowHistory {
    std::vector<float> surroundings;  // density.h, now
    RestState rest;
    std::vector<float> elongations;
    std::unique_ptr<const MeanField> shifts;
};

SnowHistory historyOf(const SnowParticles& particles, const RestPlaces& rest, const DensitySettings& settings);

}  // namespace firn
