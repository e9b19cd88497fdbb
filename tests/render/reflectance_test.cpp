#include "render/reflectance.h"

#include <catch2/catch.hpp>

using namespace firn;

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
