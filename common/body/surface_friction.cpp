#include "common/body/surface_friction.h"

#include <algorithm>

#include "common/error.h"
#include "common/io/suggest.h"

namespace firn {

namespace {

constexpr double cosine45 = 0.70710678;

bool faces(Facing facing, const Vec3d& normal)
{
    switch (facing) {
        case Facing::Down:
            return normal.y() < -cosine45;
        case Facing::Up:
            return normal.y() > cosine45;
        case Facing::Any:
            break;
    }
    return true;
}

[[noreturn]] void failUnknown(const std::string& material, const MeshMaterials& materials, const std::string& source)
{
    std::vector<std::string_view> names;
    for (const Material& known : materials.list)
        if (!known.name.empty()) names.push_back(known.name);
    throw Error(ExitCode::Usage, source + ": it has no material " + quotedName(material) +
                                     (names.empty() ? "; it has no materials" : didYouMean(material, names)));
}

}  // namespace

SurfaceFriction::SurfaceFriction(const BodySpec& spec, const MeshMaterials& materials, const std::string& source)
    : m_elsewhere{spec.friction, spec.sticky}
{
    for (const BodyPlace& from : spec.places) {
        Place place{from.facing, !from.material.empty(), {}, {from.friction, from.sticky}};
        if (place.has_material) {
            for (const Material& material : materials.list) place.materials.push_back(material.name == from.material);
            if (std::ranges::find(place.materials, true) == place.materials.end())
                failUnknown(from.material, materials, source);
            m_materialOf = materials.of;
        }
        m_places.push_back(std::move(place));
    }
}

Friction SurfaceFriction::at(const Vec3d& normal, int triangle) const
{
    const int material = triangle < 0 || m_materialOf.empty() ? -1 : m_materialOf[static_cast<std::size_t>(triangle)];
    for (const Place& place : m_places)
        if (faces(place.facing, normal) &&
            (!place.has_material || (material >= 0 && place.materials[static_cast<std::size_t>(material)])))
            return place.friction;
    return m_elsewhere;
}

}  // namespace firn
