#pragma once
// Which bricks a volume with detail has. The bricks of the density grid are halved where the surface of snow passes,
// until a voxel is about as wide as a pixel where the camera sees it.

#include <memory>
#include <vector>

#include "render/bricks.h"
#include "render/camera.h"

namespace firn {

/// A brick of the density grid.
struct HomeBrick {
    Vec3i leaf;                                  // its first corner, in bricks of the grid
    Bricks::Values density;                      // kg/m^3, as inside the snow: without the fall towards the surface
    Bricks::Values occupied;                     // the share of space that snow occupies
    std::unique_ptr<const Bricks::Values> lone;  // the same, of lone particles' fragments; none where it hardly is any
    std::unique_ptr<const Bricks::Values> mist;  // kg/m^3 (mist.h); none where there is none
};

/// Whether a brick may hold snow, by the share of space that snow and that fragments occupy.
bool mayHoldSnow(const Bricks::Values& occupied, const Bricks::Values& lone);
/// Whether fragments count in a brick.
bool hasFragments(const Bricks::Values& lone);

/// Whether mist counts in a brick.
bool hasMist(const Bricks::Values& mist);

/// What a brick holds: snow without a surface in it, a surface with the mist around it, or mist alone.
enum class BrickKind { Inside, Surface, Mist };

/// A brick to be made.
struct BrickPlan {
    std::size_t home;
    Vec3i corner;  // in the home, in units of the finest voxels
    int level;     // its voxels have 2^level units
    BrickKind kind;
};

class DetailPlan {
public:
    /// `voxel_m`: of the density grid. `voxelPixels`: how wide a voxel should be in the picture, pixels. Keeps
    /// references to `homes` and `camera`.
    DetailPlan(const std::vector<HomeBrick>& homes, double voxel_m, const PlacedCamera& camera, double voxelPixels);

    /// How often a brick of the density grid may be halved.
    int levels() const { return m_levels; }
    double finestVoxel_m() const { return m_voxel_m / (1 << m_levels); }

    /// The bricks of each home follow one another, in the order of the homes.
    std::vector<BrickPlan> bricks() const;

private:
    struct Range {
        float least, most;
    };
    Range rangeOf(const BrickPlan& brick, const Bricks::Values& values) const;
    bool hasFragments(const BrickPlan& brick) const;
    bool hasMist(const BrickPlan& brick) const;
    void divide(BrickPlan brick, std::vector<BrickPlan>& bricks) const;
    int wantedLevel(const BrickPlan& brick) const;
    Vec3d middleOf(const BrickPlan& brick) const;
    double radiusOf(const BrickPlan& brick) const;
    bool facesAway(const BrickPlan& brick) const;

    const std::vector<HomeBrick>& m_homes;
    const PlacedCamera& m_camera;
    double m_voxel_m, m_voxelPixels;
    int m_levels = 0;
};

}  // namespace firn
