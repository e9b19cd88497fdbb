#include "sim/cli/far_bodies.h"

#include <algorithm>
#include <cstdio>

#include "common/error.h"
#include "common/snow/region.h"

namespace firn {

namespace {

bool moves(const Body& body)
{
    return std::ranges::any_of(body.pieces, [](const auto& piece) { return !piece->isStatic(); });
}

/// The name of the body that carries a body and is carried by none.
std::string rootOf(const Scene& scene, std::string name)
{
    while (true) {
        const std::string& parent = std::ranges::find(scene.bodies, name, &BodySpec::name)->parent;
        if (parent.empty()) return name;
        name = parent;
    }
}

/// Where the snow of a region may be during the shot, m.
Box3d reachOf(const Region& region, double length_s)
{
    constexpr double thrown_m = 1;
    const double far_m = thrown_m + length_s * region.spec().velocity.norm();
    Box3d box = region.bounds();
    box.min() -= Vec3d::Constant(far_m);
    box.max() += Vec3d::Constant(far_m);
    return box;
}

}  // namespace

std::vector<std::string> remarksOnFarBodies(const Scene& scene, const std::vector<Body>& bodies)
{
    const double start_s = scene.timeOfFrame(scene.start_frame);
    const double length_s = scene.timeOfFrame(scene.end_frame) - start_s;
    const bool isCarried =
        std::ranges::any_of(scene.snow, [](const SnowRegion& snow) { return !snow.source.body.empty(); });
    if (isCarried) return {};  // such snow comes from anywhere
    std::vector<Box3d> snow;
    for (const Region& region : regionsOf(scene))
        if (!region.spec().still) snow.push_back(reachOf(region, length_s));
    std::vector<std::string> remarks;
    for (const BodySpec& spec : scene.bodies) {
        if (!spec.parent.empty()) continue;  // counts as a part of what carries it
        Box3d way;
        bool isMoving = false;
        for (const Body& body : bodies) {
            if (rootOf(scene, body.name) != spec.name) continue;
            isMoving |= moves(body);
            for (const auto& piece : body.pieces) way.extend(piece->bounds(start_s, length_s));
        }
        if (!isMoving) continue;
        if (std::ranges::any_of(snow, [&](const Box3d& box) { return box.intersects(way); })) continue;
        char text[200];
        std::snprintf(text, sizeof text,
                      " never comes near snow: during the shot it is between (%.3g, %.3g, %.3g) and (%.3g, %.3g, %.3g) "
                      "m. Check its position, scale and up axis",
                      way.min().x(), way.min().y(), way.min().z(), way.max().x(), way.max().y(), way.max().z());
        remarks.push_back("body " + quotedName(spec.name) + text);
    }
    return remarks;
}

}  // namespace firn
