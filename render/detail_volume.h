#pragma once
// A volume that is fine where it is seen. Deep in snow, bricks have the voxels of the density grid. At surfaces they
// are finer (detail_plan.h) and hold the density of snow_surface.h.

#include "render/camera.h"
#include "render/density.h"
#include "render/mist.h"
#include "render/rest_places.h"
#include "render/snow_particles.h"
#include "render/snow_relief.h"
#include "render/volume.h"

namespace firn {

struct DetailSettings {
    double voxel_pixels = 1;                 // width of voxels at surfaces in the picture, pixels
    std::size_t most_bytes = 1'500'000'000;  // of memory, for the volume and what is made with it
};

struct DetailVolume {
    Volume volume;
    double voxel_pixels = 0;  // as used: more than asked for where memory did not suffice

    std::size_t bytes() const;
};

/// Snow as it is seen from near.
struct DetailedSnow {
    SnowParticles particles;
    SnowHistory history;
    std::vector<SnowRelief> reliefs;  // of each region
    Mist mist;
    const Surfaces* surfaces = nullptr;  // which fragments do not pass; may be null
};

/// Particles and history are freed before the volume is made. The same bits for any number of threads. Throws Error as
/// rasterizeDensity does.
DetailVolume detailVolume(DetailedSnow snow, const DensitySettings& settings, double extinctionPerDensity,
                          const PlacedCamera& camera, const DetailSettings& detail);

}  // namespace firn
