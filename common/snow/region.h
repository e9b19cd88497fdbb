#pragma once
// Regions of snow, and where their particles stand: stratified and jittered within each cell, so that density is even
// and no grid pattern shows. Where regions overlap, the first in the list has the snow; inside bodies there is none.

#include <memory>
#include <vector>

#include "common/body/body.h"
#include "common/body/shape.h"

namespace firn {

/// A region of the scene, ready for questions about points.
class Region {
public:
    /// Reads the region's file if it has one: throws Error (File) when that fails. `spec` must outlive the region.
    Region(const SnowRegion& spec, double dx);

    const SnowRegion& spec() const { return m_spec; }
    Box3d bounds() const;
    /// Depth of a point (m) below the region's upper surface, m; negative outside.
    double depth(const Vec3d& x) const;
    /// Density at a point inside, kg/m^3: the material's, with noise and crust.
    double density(const Vec3d& x, double depth_m) const;
    /// Factor on Young's modulus at a point inside, by noise and crust.
    double stiffness(const Vec3d& x, double depth_m) const;

private:
    double layerTop(const Vec3d& x) const;

    const SnowRegion& m_spec;
    std::shared_ptr<const Shape> m_shape;  // of a file
};

/// The scene's regions in its order; `scene` must outlive them.
std::vector<Region> regionsOf(const Scene& scene);

/// Where a particle stands.
struct Seed {
    Vec3d x;         // in units of dx
    double depth_m;  // below its region's upper surface
};

/// The places of regions[which], slab by slab along x: particles_per_cell in every cell, less those above the surface,
/// in one of the regions before it, or in a body at time 0. The same for any number of threads.
std::vector<std::vector<Seed>> seedSlabs(const std::vector<Region>& regions, std::size_t which, double dx,
                                         const std::vector<Body>& bodies);

}  // namespace firn
