#include "render/playblast/drawn_bodies.h"

#include <tbb/parallel_for.h>

#include <variant>

namespace firn {
namespace {

/// The part of a triangle in front of the nearest plane that is drawn: none, one or two triangles.
void addClipped(const std::array<Vec3f, 3>& seen, std::uint32_t surface, std::vector<DrawnTriangle>& drawn)
{
    std::array<Vec3f, 4> kept;
    std::size_t count = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        const Vec3f &a = seen[i], &b = seen[(i + 1) % 3];
        const bool isIn = a.z() >= PinholeEye::nearest_m;
        if (isIn) kept[count++] = a;
        if (isIn == (b.z() >= PinholeEye::nearest_m)) continue;
        kept[count++] = a + (PinholeEye::nearest_m - a.z()) / (b.z() - a.z()) * (b - a);
    }
    for (std::size_t i = 2; i < count; ++i)
        drawn.push_back(
            {{PinholeEye::drawn(kept[0]), PinholeEye::drawn(kept[i - 1]), PinholeEye::drawn(kept[i])}, surface});
}

}  // namespace

DrawnBodies::DrawnBodies(const std::vector<Body>& bodies, double time_s)
{
    for (const Body& body : bodies) {
        if (!body.visible) continue;
        for (const auto& piece : body.pieces)
            std::visit([&](const auto& surface) { add(surface, body); }, piece->surface(time_s));
    }
}

void DrawnBodies::add(const PosedMesh& posed, const Body& body)
{
    const TriangleMesh& mesh = *posed.mesh;
    std::vector<Vec3f> places;
    places.reserve(mesh.vertices.size());
    for (const Vec3f& vertex : mesh.vertices) places.push_back(posed.pose.toWorld(vertex.cast<double>()).cast<float>());
    const Vec3f emission = body.emission.cast<float>(), color = body.color.cast<float>();
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const Vec3i& corners = mesh.triangles[t];
        const std::array<Vec3f, 3> triangle{places[static_cast<std::size_t>(corners[0])],
                                            places[static_cast<std::size_t>(corners[1])],
                                            places[static_cast<std::size_t>(corners[2])]};
        const Vec3f normal = (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]).normalized();
        if (!normal.allFinite()) continue;
        m_facets.push_back({normal, mesh.materials.colorOf(t, color), emission});
        m_triangles.push_back(triangle);
        m_surfaces.push_back(static_cast<std::uint32_t>(m_facets.size()));
    }
}

void DrawnBodies::add(const HalfSpace& space, const Body& body)
{
    const Vec3f normal = space.normal.cast<float>();
    m_facets.push_back({normal, body.color.cast<float>(), body.emission.cast<float>()});
    m_planes.push_back({normal, static_cast<float>(space.offset_m), static_cast<std::uint32_t>(m_facets.size())});
}

void DrawnBodies::draw(const PinholeEye& eye, DepthPicture& picture) const
{
    std::vector<DrawnTriangle> drawn;
    drawn.reserve(m_triangles.size());
    for (std::size_t i = 0; i < m_triangles.size(); ++i) {
        const auto& [a, b, c] = m_triangles[i];
        addClipped({eye.toPicture(a), eye.toPicture(b), eye.toPicture(c)}, m_surfaces[i], drawn);
    }
    picture.draw(std::span<const DrawnTriangle>(drawn));
    for (const Plane& plane : m_planes) draw(plane, eye, picture);
}

void DrawnBodies::draw(const Plane& plane, const PinholeEye& eye, DepthPicture& picture) const
{
    // Nearness is linear in the place of the picture: n . (eye + direction / nearness) = offset.
    const float above = plane.offset_m - plane.normal.dot(eye.position());
    tbb::parallel_for(0, picture.height(), [&](int y) {
        for (int x = 0; x < picture.width(); ++x) {
            const Vec3f direction = eye.direction(static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f);
            const float nearness = plane.normal.dot(direction) / above;
            if (nearness < 1 / PinholeEye::nearest_m) picture.set(x, y, nearness, plane.surface);
        }
    });
}

void DrawnBodies::draw(const SunEye& eye, DepthPicture& picture) const
{
    std::vector<DrawnTriangle> drawn;
    drawn.reserve(m_triangles.size());
    for (std::size_t i = 0; i < m_triangles.size(); ++i) {
        const auto& [a, b, c] = m_triangles[i];
        drawn.push_back({{eye.drawn(a), eye.drawn(b), eye.drawn(c)}, m_surfaces[i]});
    }
    picture.draw(std::span<const DrawnTriangle>(drawn));
}

}  // namespace firn
