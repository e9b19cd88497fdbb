#pragma once
// Snow as OpenVDB grids by the names that other renderers look for: "density" (a fog volume, kg/m^3), "vel" (m/s) and
// "surface" (a level set).

#include <filesystem>
#include <string>

#include "render/export/sampled_grid.h"
#include "render/mean_field.h"

namespace firn {

struct VdbVolumeSettings {
    UpAxis up = UpAxis::Y;
    bool is_half = false;      // 16 bits a value
    double surface_kg_m3 = 0;  // density at the level set; 0 = none
};

/// What the file says about itself.
struct VdbVolumeAbout {
    int frame = 0;
    double fps = 24;
    double time_s = 0;
    std::string scene_hash = {};
    std::string key = {};  // volumeOriginOf() reads it
    double extinction_m2_per_kg = 0;
    Vec3d albedo = Vec3d::Ones();  // of a scattering, linear Rec. 709
    double anisotropy = 0;         // mean cosine of the Henyey-Greenstein phase function
};

/// The content of the file. `velocity` is in Firn's axes. The same input gives the same bytes.
std::string vdbVolumeBytes(const DensityGrid& density, const MeanField& velocity, const VdbVolumeSettings& settings,
                           const VdbVolumeAbout& about);

/// What an undamaged file that vdbVolumeBytes() made says about itself; all empty for other files, also for those of a
/// cache.
struct VolumeOrigin {
    std::string key, scene_hash, up;
};
VolumeOrigin volumeOriginOf(const std::filesystem::path& path);

}  // namespace firn
