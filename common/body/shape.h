#pragma once
// What a rigid piece looks like in its own frame.

#include "common/body/mesh.h"
#include "common/math.h"

namespace firn {

class Shape {
public:
    virtual ~Shape() = default;

    /// Signed distance (m, negative inside) at a point of the shape's frame, and its unit gradient. A shape that stores
    /// distances in a narrow band returns a constant of the right sign outside the band.
    virtual double distance(const Vec3d& local, Vec3d& gradient) const = 0;

    /// Whether a ball may touch the shape. It may be wrong only by answering true.
    virtual bool mayTouch(const Vec3d& center, double radius_m) const
    {
        Vec3d gradient;
        return distance(center, gradient) <= radius_m;
    }

    /// Bounds of the inside; infinite for a half space.
    virtual Box3d bounds() const = 0;

    /// The surface as triangles; none for a half space.
    virtual TriangleMesh mesh() const = 0;

    /// The materials of mesh().
    virtual MeshMaterials materials() const { return {}; }

    /// The triangle of mesh() that is nearest to a point near the surface, about a voxel exact; -1 where it is not
    /// known.
    virtual int triangleAt(const Vec3d&) const { return -1; }

    /// Whether mesh() is the shape as it was made. Otherwise its triangles approximate the signed distance.
    virtual bool isMadeOfTriangles() const { return false; }
};

}  // namespace firn
