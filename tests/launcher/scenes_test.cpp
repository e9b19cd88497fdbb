// The shipped scenes load at every quality, and the shot of the demo has the sizes that its comments promise.

#include <catch2/catch.hpp>

#include <cmath>
#include <filesystem>

#include "common/scene/load.h"

using namespace firn;

namespace {

const std::filesystem::path folder = FIRN_SCENES;

double area(const SnowRegion& layer) { return (layer.max.x() - layer.min.x()) * (layer.max.z() - layer.min.z()); }

/// Particles of the strip and of the cover, which begins where the strip ends: volume over dx^3, times particles per
/// cell.
double forecast(const Scene& scene)
{
    const SnowRegion &strip = scene.snow.at(0), &cover = scene.snow.at(1);
    const double volume = area(strip) * strip.depth_m + (area(cover) - area(strip)) * cover.depth_m;
    return volume * strip.particles_per_cell / std::pow(scene.solver.dx, 3);
}

}  // namespace

TEST_CASE("Every shipped scene loads at every quality")
{
    int scenes = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".toml") continue;
        for (const char* quality : {"", "draft", "preview", "final"}) {
            INFO(entry.path() << " " << quality);
            CHECK_NOTHROW(loadScene(entry.path(), {quality, {}, false}));
        }
        ++scenes;
    }
    CHECK(scenes >= 2);
}

TEST_CASE("Footsteps takes 0.15, 0.6 and 3 million particles")
{
    const auto particles = [](const std::string& quality) {
        return forecast(loadScene(folder / "footsteps.toml", {quality, {}, false}).scene);
    };
    CHECK(particles("draft") == Approx(0.15e6).epsilon(0.1));
    CHECK(particles("") == Approx(0.6e6).epsilon(0.1));
    CHECK(particles("final") == Approx(3e6).epsilon(0.1));
}

TEST_CASE("In footsteps the cover goes on at the height of the strip, on banks that reach up to it, at every quality")
{
    for (const char* quality : {"draft", "preview", "final"}) {
        const Scene scene = loadScene(folder / "footsteps.toml", {quality, {}, false}).scene;
        const SnowRegion &strip = scene.snow.at(0), &cover = scene.snow.at(1);
        CHECK(cover.min.y() + cover.depth_m == Approx(strip.min.y() + strip.depth_m));
        CHECK(cover.max.z() == strip.max.z());
        for (const BodySpec& body : scene.bodies) {
            if (body.name != "left-bank" && body.name != "right-bank") continue;
            CHECK(body.position.y() + body.size.y() / 2 == Approx(cover.min.y()));
            CHECK(body.position.z() + body.size.z() / 2 == Approx(strip.max.z()));
        }
    }
}
