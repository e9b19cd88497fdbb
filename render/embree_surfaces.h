#pragma once
// Bodies as light meets them. Triangles go through Embree: each piece has a scene of its mesh, which is instanced with
// the poses of the piece while the shutter is open. Half spaces are intersected in closed form, so the ground has no
// edge and large triangles cause no rounding. Shading normals are smooth: they come from the vertices of meshes,
// and from the signed distance of other shapes.

#include <memory>
#include <vector>

#include "common/body/body.h"
#include "render/shutter.h"
#include "render/surfaces.h"

namespace firn {

/// Surfaces do not change after construction. Rays see them at their own time within the shutter.
class EmbreeSurfaces final : public Surfaces {
public:
    /// The visible bodies while the shutter is open. Between the time steps that Embree is given, poses turn and move
    /// evenly; a piece that deforms keeps the shape that it has when the shutter opens.
    explicit EmbreeSurfaces(const std::vector<Body>& bodies, const Shutter& shutter = {});
    EmbreeSurfaces(EmbreeSurfaces&&) noexcept;
    ~EmbreeSurfaces() override;

    /// The same bodies at another time. Meshes that are still the same are shared with this object.
    EmbreeSurfaces at(const Shutter& shutter) const;

    bool intersect(const Ray& ray, float tMax, SurfaceHit& hit) const override;
    bool occluded(const Ray& ray, float tMax) const override;
    bool emits() const override;
    bool catchShadows() const override;
    float clearance(const Vec3f& point) const override;

private:
    struct Impl;
    explicit EmbreeSurfaces(std::unique_ptr<const Impl> impl);

    std::unique_ptr<const Impl> m;
};

}  // namespace firn
