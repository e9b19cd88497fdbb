#pragma once
// A closed surface of triangles that bends and stretches over time. Its triangles keep their vertices.

#include <vector>

#include "common/body/mesh.h"
#include "common/math.h"

namespace firn {

class DeformingSurface {
public:
    virtual ~DeformingSurface() = default;

    /// Counter-clockwise seen from outside.
    virtual const std::vector<Vec3i>& triangles() const = 0;

    virtual MeshMaterials materials() const { return {}; }

    /// The vertices at a time, in metres, in the body's frame; `vertices` is resized. It may be called by several
    /// threads at a time.
    virtual void positions(double time_s, std::vector<Vec3d>& vertices) const = 0;
};

}  // namespace firn
