// Light from a semi-infinite, index-matched medium with Henyey-Greenstein scattering, against the values of
// adding-doubling (they agree with van de Hulst 1980 and Chandrasekhar 1950 in all digits given). The homogeneous
// medium runs through the path loop that renders snow.

#include <catch2/catch.hpp>

#include "other_lights.h"
#include "plane_surface.h"
#include "traced_paths.h"

using namespace firn;
using namespace firn::test;

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();

/// Enters the half space y < 0 at the given cosine with its inner normal.
Ray rayInto(double cosine)
{
    const auto mu = static_cast<float>(cosine);
    return {Vec3f(0, 1, 0), Vec3f(std::sqrt(1 - mu * mu), -mu, 0)};
}

RenderScene sceneOf(const Volume& volume, double albedo, double g, const LightSpec& light)
{
    RenderScene scene;
    scene.volume = &volume;
    scene.lights = Lights({light});
    scene.medium = {Vec3f::Constant(static_cast<float>(albedo)), static_cast<float>(g)};
    return scene;
}

/// Of perpendicular irradiance 1; small enough to be a direction.
LightSpec sunAt(double cosine)
{
    LightSpec light;
    light.elevation_deg = std::asin(cosine) * 180 / pi;
    light.angular_diameter_deg = 0.01;
    return light;
}

Estimate estimate(const RenderScene& scene, const Ray& ray, int paths, std::uint64_t seed)
{
    return averageRadiance(scene, paths, [&](std::uint32_t path) { return PathStart{ray, Sampler(seed, path, 0)}; });
}

}  // namespace

TEST_CASE("A half space under a sky of radiance 1 reads its hemispherical albedo", "[half-space]")
{
    struct Row {
        double g, albedo, normal, oblique;  // A(1), A(.5)
    };
    const Row rows[] = {{0, .8, .28525, .36797},   {0, .9, .41495, .50794},   {0, .99, .75272, .81514},
                        {0, .999, .91285, .93806}, {.5, .8, .16153, .26339},  {.5, .9, .27778, .39867},
                        {.5, .95, .40388, .52587}, {.5, .99, .66461, .75219}, {.5, .999, .87797, .91410}};
    const Volume halfSpace = Volume::homogeneous(Vec3f::Constant(-inf), Vec3f(inf, 0, inf), 1);
    std::uint64_t seed = 1;
    for (const Row& row : rows) {
        const RenderScene scene = sceneOf(halfSpace, row.albedo, row.g, constantSky());
        const Estimate normal = estimate(scene, rayInto(1), 200000, seed++);
        const Estimate oblique = estimate(scene, rayInto(.5), 200000, seed++);
        CAPTURE(row.g, row.albedo, normal.mean, normal.error, oblique.mean, oblique.error);
        CHECK(normal.sigmas(row.normal) < oneIn370);
        CHECK(oblique.sigmas(row.oblique) < oneIn370);
        CHECK(normal.error < .005 * row.normal);
        CHECK(oblique.error < .005 * row.oblique);
    }
}

TEST_CASE("A half space under a sun reflects the tabulated radiance along its normal", "[half-space]")
{
    struct Row {
        double g, albedo, sun_cosine, radiance;  // per perpendicular irradiance
    };
    const Row rows[] = {
        {.5, .9, 1, .08009}, {.5, .9, .5, .04674}, {.5, .99, 1, .21773}, {.5, .99, .5, .10501}, {0, .9, 1, .122572}};
    const Volume halfSpace = Volume::homogeneous(Vec3f::Constant(-inf), Vec3f(inf, 0, inf), 1);
    std::uint64_t seed = 101;
    for (const Row& row : rows) {
        const RenderScene scene = sceneOf(halfSpace, row.albedo, row.g, sunAt(row.sun_cosine));
        const Estimate result = estimate(scene, rayInto(1), 200000, seed++);
        CAPTURE(row.g, row.albedo, row.sun_cosine, result.mean, result.error);
        CHECK(result.sigmas(row.radiance) < oneIn370);
        CHECK(result.error < .005 * row.radiance);
    }
}

TEST_CASE("Slabs reflect and transmit as adding-doubling says", "[half-space]")
{
    struct Row {
        double g, albedo, thickness, reflected, transmitted;
    };
    const Row rows[] = {{.5, 1, 1, .17611, 1 - .17611},
                        {.5, 1, 8, .68897, 1 - .68897},
                        {.5, 1, 64, .94952, 1 - .94952},
                        {.5, .9, 2, .20451, .52327},
                        {.75, .9, 2, .09739, .66096}};
    std::uint64_t seed = 201;
    for (const Row& row : rows) {
        const Volume slab =
            Volume::homogeneous(Vec3f(-inf, -static_cast<float>(row.thickness), -inf), Vec3f(inf, 0, inf), 1);
        // By reciprocity, what leaves at the normal under a sky on one side is what a normal beam sends to that side:
        // a black plane far below leaves the sky above, which reads R; one above the camera leaves T.
        const PlaneSurface below(-1000, Vec3f::Zero()), above(2, Vec3f::Zero());
        RenderScene scene = sceneOf(slab, row.albedo, row.g, constantSky());
        scene.surfaces = &below;
        const Estimate reflected = estimate(scene, rayInto(1), 200000, seed++);
        scene.surfaces = &above;
        const Estimate transmitted = estimate(scene, rayInto(1), 200000, seed++);
        CAPTURE(row.g, row.albedo, row.thickness, reflected.mean, reflected.error, transmitted.mean, transmitted.error);
        CHECK(reflected.sigmas(row.reflected) < oneIn370);
        CHECK(transmitted.sigmas(row.transmitted) < oneIn370);
    }
}
