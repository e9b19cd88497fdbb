#pragma once
// Bodies as light meets them. Triangles go through Embree: each piece has a scene of its mesh, which is instanced with
// the pose of the piece. Half spaces are intersected in closed form, so the ground has no edge and large triangles
// cause no rounding. Shading normals come from the signed distance of the piece, so tessellated curves look smooth.

#include <memory>
#include <vector>

#include "common/body/body.h"
#include "render/surfaces.h"

namespace firn {

class EmbreeSurfaces : public Surfaces {
public:
    /// Takes the visible bodies and places their pieces at `time_s`.
    explicit EmbreeSurfaces(const std::vector<Body>& bodies, double time_s = 0);
    ~EmbreeSurfaces() override;

    /// Places all pieces at another time. Must not run while other threads trace.
    void setTime(double time_s);

    bool intersect(const Ray& ray, float tMax, SurfaceHit& hit) const override;
    bool occluded(const Ray& ray, float tMax) const override;
    float clearance(const Vec3f& point) const override;

private:
    struct Impl;
    std::unique_ptr<Impl> m;
};

}  // namespace firn
