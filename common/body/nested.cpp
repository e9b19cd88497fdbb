#include "common/body/nested.h"

#include <algorithm>

namespace firn {

namespace {

using Placed = std::vector<std::unique_ptr<const PlacedPiece>>;

constexpr double tolerance_m = 1e-6;  // of vertices, which are floats

bool isWithinAny(const Placed& pieces, const Vec3d& x)
{
    return std::any_of(pieces.begin(), pieces.end(), [&](const auto& piece) {
        Vec3d normal;
        return piece->mayTouch(x, tolerance_m) && piece->distance(x, normal) < tolerance_m;
    });
}

bool isWithin(const Placed& outer, const BodyPiece& piece, double time_s)
{
    const PieceSurface surface = piece.surface(time_s);
    const auto* posed = std::get_if<PosedMesh>(&surface);
    if (!posed) return false;
    return std::all_of(posed->mesh->vertices.begin(), posed->mesh->vertices.end(), [&](const Vec3f& vertex) {
        return isWithinAny(outer, posed->pose.toWorld(vertex.cast<double>()));
    });
}

}  // namespace

std::vector<std::pair<std::size_t, std::size_t>> nestedBodies(const std::vector<Body>& bodies, double time_s)
{
    std::vector<std::pair<std::size_t, std::size_t>> found;
    for (std::size_t outer = 0; outer < bodies.size(); ++outer) {
        Placed pieces;
        for (const auto& piece : bodies[outer].pieces) pieces.push_back(piece->place(time_s, 0));
        for (std::size_t inner = 0; inner < bodies.size(); ++inner) {
            if (inner == outer) continue;
            const auto& parts = bodies[inner].pieces;
            if (std::all_of(parts.begin(), parts.end(),
                            [&](const auto& part) { return isWithin(pieces, *part, time_s); }))
                found.emplace_back(inner, outer);
        }
    }
    return found;
}

}  // namespace firn
