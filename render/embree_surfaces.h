#pragma once
// Bodies as the light meets them: triangles through Embree, one stationary scene per shape, instanced with each piece's
// pose; planes in closed form, so that the ground has no edge and no rounding of large triangles.
// Shading normals are the gradients of the shapes' signed distances, so tessellated curves look smooth.

#include <memory>
#include <vector>

#include "common/body/body.h"
#include "render/surfaces.h"

namespace firn {

class EmbreeSurfaces : public Surfaces {
public:
    /// Takes the visible bodies; their pieces stand where they are at `time_s`.
    explicit EmbreeSurfaces(const std::vector<Body>& bodies, double time_s = 0);
    ~EmbreeSurfaces() override;

    /// Moves all pieces. Not while other threads trace.
    void setTime(double time_s);

    bool intersect(const Ray& ray, float tMax, SurfaceHit& hit) const override;
    bool occluded(const Ray& ray, float tMax) const override;
    float clearance(const Vec3f& point) const override;

private:
    struct Impl;
    std::unique_ptr<Impl> m;
};

}  // namespace firn
