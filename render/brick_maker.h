#pragma once
// Makes the bricks of a volume with detail.

#include <vector>

#include "render/camera.h"
#include "render/detail_plan.h"
#include "render/grain_lattice.h"
#include "render/place_table.h"
#include "render/snow_pieces.h"

namespace firn {

/// Snow as bricks are made of it.
struct SnowParts {
    GrainLattice lattice;
    PlaceTable<Grain> grains;  // that the lattice does not hold
    PlaceTable<SnowPiece> pieces;

    /// `voxel_m`: of the density grid.
    SnowParts(std::vector<Grain> all, std::vector<SnowPiece> ofSnow, double voxel_m);
};

/// Makes the bricks of one home after another. Keeps references to all arguments.
class BrickMaker {
public:
    BrickMaker(const std::vector<HomeBrick>& homes, const SnowParts& snow, const DetailPlan& plan, double voxel_m,
               const PlacedCamera& camera)
        : m_homes(homes), m_snow(snow), m_camera(camera), m_voxel_m(voxel_m), m_units(1 << plan.levels())
    {
    }

    /// Density (kg/m^3) of a brick. False if it is zero.
    bool make(const BrickPlan& brick, Bricks::Values& values);

private:
    void addFrom(const Bricks::Values& ofHome, const BrickPlan& brick, Bricks::Values& values) const;
    void addMist(const BrickPlan& brick, Bricks::Values& values) const;
    void enterHome(std::size_t number);
    bool makeSurface(const BrickPlan& brick, Bricks::Values& values);
    void sumFields(const BrickPlan& brick, const ValuePlaces& places);

    const std::vector<HomeBrick>& m_homes;
    const SnowParts& m_snow;
    const PlacedCamera& m_camera;
    double m_voxel_m;
    int m_units;  // of a voxel of the density grid, along an edge
    // Of the home:
    std::ptrdiff_t m_home = -1;
    Vec3d m_homeCorner = Vec3d::Zero();  // m
    std::vector<Grain> m_homeGrains;
    std::vector<SnowPiece> m_homePieces;
    bool m_isInLattice = false;
    GrainLattice::Block m_block;
    // Of the brick:
    std::vector<Grain> m_grainsHere;
    std::vector<SnowPiece> m_piecesHere;
    GrainFields m_fields;
};

}  // namespace firn
