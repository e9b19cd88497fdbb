// The shipped scenes load at every quality, and the shot of the demo has the sizes that its comments promise.

#include <catch2/catch.hpp>

#include <cmath>
#include <filesystem>

#include "common/scene/load.h"

using namespace firn;

namespace {

const std::filesystem::path folder = FIRN_SCENES;

/// Particles of a layer: its volume over dx^3, times particles per cell.
double forecast(const Scene& scene)
{
    const SnowRegion& strip = scene.snow.at(0);
    const Vec3d size = strip.max - strip.min;
    return size.x() * strip.depth_m * size.z() * strip.particles_per_cell / std::pow(scene.solver.dx, 3);
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
