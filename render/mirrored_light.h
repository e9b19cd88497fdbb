#pragma once
// What glints and the water film ask of lights: how much a smooth surface mirrors, and how much light comes to a point
// of the snow's surface.

#include "render/render_scene.h"

namespace firn {

/// A point of the snow's surface.
struct SnowPoint {
    Vec3f place;    // m
    Vec3f outside;  // a little above it, m: light comes from there
    Vec3f normal;   // unit length
    Vec3f to_eye;   // unit length
    float eye_distance_m = 0;
};

/// Zero in a column for each group of the scene's lights.
inline GroupedLight noLight(const RenderScene& scene) { return GroupedLight::Zero(3, scene.lights.groupCount()); }

/// Fresnel reflectance, from that at normal incidence and the cosine of the angle of incidence (Schlick 1994).
float fresnelReflectance(float atNormal, float cosine);

/// The share of the light from a direction, at most `distance_m` away, that arrives at a point of the surface. Bodies
/// are looked for from its place, because the point outside may lie in one.
float shareOfLight(const RenderScene& scene, const SnowPoint& point, const Vec3f& direction, float distance_m);

}  // namespace firn
