#pragma once
// Reflection at a rough surface: microfacets with the distribution of Trowbridge and Reitz ("GGX"; Walter et al. 2007,
// Microfacet models for refraction through rough surfaces) and the height-correlated shadowing of Smith (Heitz 2014,
// Understanding the masking-shadowing function in microfacet-based BRDFs, eq. 99). Directions are unit vectors in the
// frame of the surface, whose normal is z; all of them leave the surface. `alpha` is the roughness of the distribution.

#include "common/math.h"
#include "render/sampler.h"

namespace firn {

/// Share of the facets per solid angle around the facets' normal `h`, 1/sr.
float ggxDistribution(const Vec3f& h, float alpha);

/// D G / (4 cos_i cos_o): the reflectance for facets that reflect all light, 1/sr. 0 below the surface.
float ggxReflectance(const Vec3f& in, const Vec3f& out, float alpha);

/// The direction in which a facet reflects `out`, from two uniform numbers; facets are chosen as `out` sees them (Dupuy
/// and Benyoub 2023, Sampling visible GGX normals with spherical caps). It may lie below the surface.
Vec3f sampleGgx(const Vec3f& out, float alpha, Vec2f u);

/// Density of sampleGgx() in the direction `in`, 1/sr.
float ggxDensity(const Vec3f& in, const Vec3f& out, float alpha);

/// The share of light that the facets reflect once, with the Fresnel reflectance F0 + (1 - F0) (1 - cos)^5 of Schlick
/// (1994): F0 scale + bias.
struct GgxAlbedo {
    float scale = 0, bias = 0;

    /// For facets that reflect all light.
    float full() const { return scale + bias; }
};

/// From direction `cosine` to the normal; and the mean over all directions, weighted by the cosine. From a table that
/// is made at the first call; alpha from 0 to 1.
GgxAlbedo ggxAlbedo(float cosine, float alpha);
GgxAlbedo meanGgxAlbedo(float alpha);

}  // namespace firn
