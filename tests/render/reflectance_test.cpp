#include "render/reflectance.h"

#include <catch2/catch.hpp>

using namespace firn;

namespace {

Render look(const std::string& preset, double anisotropy)
{
    Render render;
    render.preset = preset;
    render.anisotropy = anisotropy;
    return render;
}

}  // namespace

TEST_CASE("Spherical reflectance agrees with exact values for a half space", "[reflectance]")
{
    // Adding-doubling, g = 0 and 0.5.
    const double exact[][3] = {{0, 0.8, 0.34187},    {0, 0.9, 0.47802},    {0, 0.99, 0.79456},
                               {0, 0.999, 0.92971},  {0.5, 0.8, 0.23184},  {0.5, 0.9, 0.36015},
                               {0.5, 0.95, 0.48640}, {0.5, 0.99, 0.72344}, {0.5, 0.999, 0.90218}};
    for (const auto& [g, albedo, reflectance] : exact) {
        INFO("g " << g << " albedo " << albedo);
        CHECK(sphericalReflectance(albedo, g) == Approx(reflectance).margin(0.003));
        CHECK(albedoForReflectance(sphericalReflectance(albedo, g), g) == Approx(albedo).epsilon(1e-12));
    }
    CHECK(albedoForReflectance(1, 0.5) == 1);
    CHECK(albedoForReflectance(0, 0.5) == Approx(0).margin(1e-12));
}

TEST_CASE("Clean snow reflects .90, .93, .95 whatever the anisotropy; the paper's albedo is as printed",
          "[reflectance]")
{
    for (const double g : {0.0, 0.5, 0.8}) {
        const Vec3d albedo = snowAlbedo(look("clean", g));
        CHECK(sphericalReflectance(albedo.x(), g) == Approx(0.90));
        CHECK(sphericalReflectance(albedo.y(), g) == Approx(0.93));
        CHECK(sphericalReflectance(albedo.z(), g) == Approx(0.95));
    }
    CHECK(snowAlbedo(look("paper", 0.5)) == Vec3d(0.9, 0.95, 1.0));
}

TEST_CASE("The render preset sets the albedo unless the scene does", "[reflectance]")
{
    Render own = look("wet", 0.5);
    CHECK(snowAlbedo(own).x() == albedoForReflectance(0.70, 0.5));
    own.albedo = Vec3d(0.5, 0.6, 0.7);
    CHECK(snowAlbedo(own) == Vec3d(0.5, 0.6, 0.7));
}
