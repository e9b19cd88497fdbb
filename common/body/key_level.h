#pragma once
// A deforming surface at one time: its level set, and which point of the surface each node of it follows. Bricks of it
// are made where they are asked for: a body in snow to its knees has no level set above them.

#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "common/body/brick_lattice.h"
#include "common/body/lazy_bricks.h"
#include "common/body/nearest_triangles.h"
#include "common/body/winding_rows.h"

namespace firn {

struct KeyLevelOptions {
    double voxel_m = 0.01;
    double reach_m = 0.03;  // how far from the surface distances are known, on both sides
    bool is_open = false;   // the surface has a border: nothing is inside it
};

/// All members may be called by several threads at a time, and give the same results in any order of calls.
class KeyLevel {
public:
    struct Brick {
        std::array<float, BrickLattice::nodesOfBrick> distances;  // m, negative inside
        std::array<SurfacePoint, BrickLattice::nodesOfBrick> nearest;
    };

    /// Triangles are counter-clockwise seen from outside, and must outlive the object.
    KeyLevel(std::vector<Vec3d> vertices, const std::vector<Vec3i>& triangles, const KeyLevelOptions& options);

    const BrickLattice& lattice() const { return m_lattice; }
    const std::vector<Vec3i>& triangles() const { return m_triangles; }

    /// Signed distance (m) and its gradient (unit, or zero where it is not known). Beyond the reach the distance has
    /// the right sign and is not too large.
    double distance(const Vec3d& point, Vec3d& gradient) const;

    /// The triangle that is nearest to the node next to a point; -1 beyond the reach.
    int triangleAt(const Vec3d& point) const;

    /// The brick with an index; null beyond the reach.
    const Brick* brick(std::size_t index) const;

    /// Whether a ball may touch the surface or what is inside. It may be wrong only by answering true.
    bool mayTouch(const Vec3d& center, double radius_m) const;

private:
    enum class Kind : char { Outside, Near, Inside };
    struct Parts {  // made when a first brick is asked for
        Parts(const KeyLevel& level, WindingRows ofNodes);

        NearestTriangles search;
        WindingRows rows;
        std::vector<Kind> kinds;  // of the bricks
        LazyBricks<Brick> bricks;
    };
    const Parts& parts() const;
    std::vector<Kind> kindsOfBricks(const WindingRows& rows) const;
    std::unique_ptr<const Brick> makeBrick(const Parts& parts, const Vec3i& place) const;

    const std::vector<Vec3d> m_vertices;
    const std::vector<Vec3i>& m_triangles;
    const KeyLevelOptions m_options;
    const BrickLattice m_lattice;
    mutable std::once_flag m_once;
    mutable std::unique_ptr<const Parts> m_parts;
};

/// Vectors of the vertices, such as velocities, carried into the level set: each node has that of its nearest point.
class KeyVectors {
public:
    KeyVectors(std::shared_ptr<const KeyLevel> level, const std::vector<Vec3d>& ofVertices);

    const KeyLevel& level() const { return *m_level; }

    /// The vector at a point, trilinear; false beyond the reach.
    bool at(const Vec3d& point, Vec3d& result) const;

private:
    using Brick = std::array<Vec3f, BrickLattice::nodesOfBrick>;

    std::shared_ptr<const KeyLevel> m_level;
    std::vector<Vec3f> m_ofVertices;
    LazyBricks<Brick> m_bricks;
};

/// Volume of the voxels whose centre is inside a surface, m^3.
double volumeInVoxels_m3(const std::vector<Vec3d>& vertices, const std::vector<Vec3i>& triangles,
                         const KeyLevelOptions& options);

/// Throws Error(Usage) if a surface is too large or its walls are too thin for level sets with such voxels. The message
/// begins with `source`.
void checkKeyLevel(const std::vector<Vec3d>& vertices, const std::vector<Vec3i>& triangles,
                   const KeyLevelOptions& options, const std::string& source);

}  // namespace firn
