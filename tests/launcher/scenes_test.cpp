// The shipped scenes load at every quality, and the shot of the demo has the sizes that its comments promise.

#include <catch2/catch.hpp>

#include <cmath>
#include <filesystem>

#include "common/scene/load.h"

using namespace firn;

namespace {

const std::filesystem::path folder = FIRN_SCENES;

/// Particles of the strip: volume over dx^3, times particles per cell.
double forecast(const Scene& scene)
{
    const SnowRegion& strip = scene.snow.at(0);
    const double area = (strip.max.x() - strip.min.x()) * (strip.max.z() - strip.min.z());
    return area * strip.depth_m * strip.particles_per_cell / std::pow(scene.solver.dx, 3);
}

}  // namespace

TEST_CASE("Every shipped scene loads at every quality")
{
    int scenes = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".toml") continue;
        for (const char* quality : {"", "draft", "preview", "final"}) {
            INFO(entry.path() << " " << quality);
            CHECK_NOTHROW(loadScene(entry.path(), {.quality = quality}));
        }
        ++scenes;
    }
    CHECK(scenes >= 2);
}

TEST_CASE("Footsteps takes 0.15, 0.6 and 3 million particles")
{
    const auto particles = [](const std::string& quality) {
        return forecast(loadScene(folder / "footsteps.toml", {.quality = quality}).scene);
    };
    CHECK(particles("draft") == Approx(0.15e6).epsilon(0.1));
    CHECK(particles("") == Approx(0.6e6).epsilon(0.1));
    CHECK(particles("final") == Approx(3e6).epsilon(0.1));
}

TEST_CASE("In footsteps the still field goes on with the surface of the strip, on banks that reach up to it")
{
    for (const char* quality : {"draft", "preview", "final"}) {
        const Scene scene = loadScene(folder / "footsteps.toml", {.quality = quality}).scene;
        const SnowRegion& strip = scene.snow.at(0);
        CHECK_FALSE(strip.still);
        for (std::size_t i = 1; i < scene.snow.size(); ++i) {
            const SnowRegion& field = scene.snow[i];
            CHECK(field.still);
            CHECK(field.min.y() + field.depth_m == Approx(strip.min.y() + strip.depth_m));
            CHECK(field.roughness_m == strip.roughness_m);
            CHECK(field.roughness_scale_m == strip.roughness_scale_m);
            CHECK(field.seed == strip.seed);
            CHECK(field.material.density_kg_m3 == strip.material.density_kg_m3);
        }
        for (const BodySpec& body : scene.bodies) {
            if (body.name != "left-bank" && body.name != "right-bank") continue;
            CHECK(body.position.y() + body.size.y() / 2 == Approx(scene.snow.at(1).min.y()));
            CHECK(body.position.z() + body.size.z() / 2 >= strip.max.z());
        }
    }
}
