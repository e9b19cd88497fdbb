#pragma once
// The bodies of a frame as triangles, for the camera and for the sun.

#include <optional>

#include "common/body/body.h"
#include "render/playblast/eye.h"

namespace firn {

/// A triangle or a plane.
struct Facet {
    Vec3f normal;  // unit length
    Vec3f albedo;
    Vec3f emission;
};

class DrawnBodies {
public:
    /// Visible bodies at a time.
    DrawnBodies(const std::vector<Body>& bodies, double time_s);

    /// Draws them; the surface of a pixel is 1 + the number of its facet.
    void draw(const PinholeEye& eye, DepthPicture& picture) const;
    /// Planes cast no shadows.
    void draw(const SunEye& eye, DepthPicture& picture) const;

    const Facet& facet(std::uint32_t surface) const { return m_facets[surface - 1]; }

private:
    struct Plane {
        Vec3f normal;
        float offset_m;
        std::uint32_t surface;
    };
    void add(const PosedMesh& posed, const Body& body);
    void add(const HalfSpace& space, const Body& body);
    void draw(const Plane& plane, const PinholeEye& eye, DepthPicture& picture) const;

    std::vector<Facet> m_facets;
    std::vector<std::array<Vec3f, 3>> m_triangles;  // of the first facets
    std::vector<std::uint32_t> m_surfaces;          // of each triangle
    std::vector<Plane> m_planes;
};

}  // namespace firn
