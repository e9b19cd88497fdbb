#pragma once
// Regions of snow and the positions of their particles, which come from a PointTile. Where regions overlap, the snow
// belongs to the first one in the list. There is no snow inside bodies.

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "common/body/body.h"
#include "common/body/shape.h"
#include "common/pose.h"
#include "common/snow/ground_height.h"

namespace firn {

class RegionPart;

/// A region of the scene, prepared for queries at points.
class Region {
public:
    /// Reads the file of the region or of its ground, if it has one; throws Error when that fails. `spec`, which is of
    /// `scene`, must outlive the region.
    Region(const Scene& scene, const SnowRegion& spec);

    const SnowRegion& spec() const { return m_spec; }
    Box3d bounds() const;
    /// Depth of a point below the upper surface of the region, m; negative outside of it and where it has no snow
    /// (region_part.h).
    double depth(const Vec3d& x) const;
    /// Density at a point inside, kg/m^3: that of the material, changed by noise and crust.
    double density(const Vec3d& x, double depth_m) const;
    /// Factor on Young's modulus at a point inside, from noise and crust.
    double stiffness(const Vec3d& x, double depth_m) const;
    /// Factor on the critical stretch theta_s at a point inside, from noise, seams and crust.
    double strength(const Vec3d& x, double depth_m) const;
    /// Velocity of the layer's ground near a point at the scene's start, m/s.
    Vec3d groundVelocity(const Vec3d& x) const { return m_ground ? m_ground->velocity(x) : Vec3d::Zero(); }
    /// As the grid can carry them.
    const SnowSeams& seams() const { return m_seams; }

private:
    double depthInShape(const Vec3d& x) const;
    double layerDepth(const Vec3d& x) const;

    const SnowRegion& m_spec;
    std::shared_ptr<const Shape> m_shape;  // from the file
    Pose m_turn;                           // of a box, about its centre
    SnowSeams m_seams;
    std::shared_ptr<const RegionPart> m_part;      // if the region fills less than its shape
    double m_thinnest_m = 0;                       // layer on a ground: where it would be thinner, there is none
    std::shared_ptr<const GroundHeight> m_ground;  // of a layer that lies on a body
};

/// The regions in the order of the scene; `scene` must outlive them.
std::vector<Region> regionsOf(const Scene& scene);

/// Position of a particle.
struct Seed {
    Vec3d x;               // in units of dx
    double depth_m;        // below the upper surface of its region
    std::uint64_t number;  // of its place, counted over all cells of the region's bounds
};

/// The particles of a region, in slabs along x, and how many of its places belong to each earlier region or body.
struct Seeds {
    std::vector<std::vector<Seed>> slabs;
    std::vector<std::size_t> in_earlier;  // by region
    std::vector<std::size_t> in_bodies;   // by body

    std::size_t count() const;
};

/// Cells, from the lowest to the highest; of those only the wanted ones.
struct SeedCells {
    Vec3i low, high;
    std::function<bool(const Vec3i& cell)> wanted;
};

/// The cells that a region's bounds touch.
SeedCells cellsOf(const Region& region, double dx);

/// Numbers for the places of particles in a box of cells.
class PlaceLattice {
public:
    PlaceLattice(const SeedCells& cells, int perCell);

    std::uint64_t count() const;
    /// The number of a point (0 to perCell - 1) of a cell, and back.
    std::uint64_t number(const Vec3i& cell, int point) const;
    struct Place {
        Vec3i cell;
        int point;
    };
    Place place(std::uint64_t number) const;

private:
    Vec3i m_low, m_width;
    int m_perCell;
};

/// The place of a number in a region's lattice, in units of dx.
Vec3d placeOf(const PlaceLattice& lattice, const SnowRegion& spec, std::uint64_t number);

/// How many numbers its places have: particles_per_cell for each cell of its bounds.
std::uint64_t placesIn(const Region& region, double dx);

/// Particle positions of regions[which]: particles_per_cell in every cell, without those above the surface, in an
/// earlier region, or inside a body at time 0. The result is the same for any number of threads.
Seeds seedsOf(const std::vector<Region>& regions, std::size_t which, double dx, const std::vector<Body>& bodies);

/// The same in a part of the region's cells.
Seeds seedsOf(const std::vector<Region>& regions, std::size_t which, double dx, const std::vector<Body>& bodies,
              const SeedCells& part);

}  // namespace firn
