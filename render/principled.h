#pragma once
// How the surface of a body scatters light: one model for paint, plastic, wet rock, ice and metal. A share `metalness`
// is metal, which reflects light at its surface and tints it. The rest is a diffuse base under a clear interface whose
// refractive index is 1.5. Roughness and metalness mean what they mean in glTF 2.0 (Khronos, appendix B; Burley 2012,
// Physically based shading at Disney): the facets have alpha = roughness^2. Light that facets reflect several times is
// added, and the base gets what the interface lets through (Kulla and Conty 2017, Revisiting physically based shading
// at Imageworks). So a white surface of any roughness reflects all light, and the model is reciprocal. A surface of
// roughness 1 that is no metal is matte: it has no interface.

#include <array>

#include "common/math.h"
#include "render/sampler.h"

namespace firn {

struct SurfaceMaterial {
    Vec3f color = Vec3f::Zero();  // of the base and of the metal; linear Rec. 709
    float roughness = 1;          // from leastRoughness to 1
    float metalness = 0;

    /// On smoother surfaces, the mirror image of the sun is so small and bright that few rays find it.
    static constexpr float leastRoughness = 0.05f;

    bool isMatte() const { return roughness >= 1 && metalness <= 0; }
};

/// What a surface scatters in a direction.
struct Scattering {
    float density = 0;           // with which sampling chooses the direction, 1/sr
    Vec3f tint = Vec3f::Zero();  // reflectance times cosine, over the density
};

struct ScatteredRay {
    Vec3f direction = Vec3f::UnitZ();
    Scattering scattering;
};

/// A surface that is not matte, seen from one direction.
class Principled {
public:
    /// `normal` and `toEye` are unit vectors. An eye below the surface, which smooth normals can cause, sees it at a
    /// grazing angle.
    Principled(const SurfaceMaterial& material, const Vec3f& normal, const Vec3f& toEye);

    /// Of light that comes from `toLight`, or goes there.
    Scattering towards(const Vec3f& toLight) const;

    /// A direction from two uniform numbers. With density 0 it is below the surface, and the light is lost.
    ScatteredRay sample(Vec2f u) const;

    /// The share of the light from the eye's direction that is scattered.
    Vec3f albedo() const { return m_once + m_several + m_base; }

private:
    Scattering local(const Vec3f& in) const;

    Mat3f m_frame;  // columns: the axes of the surface's frame, the last one its normal
    Vec3f m_out;    // to the eye, in this frame
    float m_alpha;
    Vec3f m_f0;                         // Fresnel reflectance at normal incidence
    Vec3f m_once, m_several, m_base;    // albedos: light that facets reflect once, several times, and that of the base
    float m_fullMean;                   // mean albedo of facets that reflect all light
    float m_clearSeveral, m_clearMean;  // of the interface: what several reflections give; its mean albedo
    float m_facets;                     // probability with which sample() lets a facet reflect
};

}  // namespace firn
