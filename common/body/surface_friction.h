#pragma once
// Friction of a body against snow, which may differ from place to place.

#include <string>
#include <vector>

#include "common/body/mesh.h"
#include "common/scene/scene.h"

namespace firn {

/// Coulomb friction against snow; snow that touches a sticky place moves with it.
struct Friction {
    double coefficient = 0;
    bool sticky = false;
};

class SurfaceFriction {
public:
    /// The same everywhere.
    SurfaceFriction(const Friction& friction = {}) : m_elsewhere(friction) {}  // NOLINT(google-explicit-constructor)

    /// That of a body of a scene. Throws Error(Usage) if the body has a place whose material the mesh does not have;
    /// the message begins with `source`.
    SurfaceFriction(const BodySpec& spec, const MeshMaterials& materials, const std::string& source);

    bool dependsOnTriangle() const { return !m_materialOf.empty(); }

    /// Where the surface has a normal, in world space, and a triangle. The triangle is not used if
    /// dependsOnTriangle() is false; -1 is one of no material.
    Friction at(const Vec3d& normal, int triangle) const;

private:
    struct Place {
        Facing facing;
        bool has_material;
        std::vector<bool> materials;  // which of the mesh's
        Friction friction;
    };

    Friction m_elsewhere;
    std::vector<Place> m_places;    // the first one that fits counts
    std::vector<int> m_materialOf;  // of the triangles; empty if no place needs it
};

}  // namespace firn
