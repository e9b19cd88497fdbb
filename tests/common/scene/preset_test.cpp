#include <catch2/catch.hpp>
#include <cmath>

#include "common/scene/presets.h"
#include "tests/common/scene/scene_text.h"

using namespace firn;

TEST_CASE("The preset paper is table 2 of the paper", "[scene]")
{
    const SceneFolder folder;
    const SnowMaterial m = folder.load(smallScene + "preset = \"paper\"\n").scene.snow[0].material;
    CHECK(m.critical_compression == 2.5e-2);
    CHECK(m.critical_stretch == 7.5e-3);
    CHECK(m.hardening == 10);
    CHECK(m.density_kg_m3 == 400);
    CHECK(m.youngs_modulus_pa == 1.4e5);
    CHECK(m.poisson_ratio == 0.2);
}

TEST_CASE("Snow that is all of the preset paper moves as in the paper, unless the scene says otherwise", "[scene]")
{
    const SceneFolder folder;
    const std::string paper = smallScene + "preset = \"paper\"\n", other = "[[snow]]\nradius_m = 0.1\n";
    const auto transferIn = [&](const std::string& text) { return folder.load(text).scene.solver.transfer; };
    CHECK(transferIn(paper) == Transfer::Flip);
    CHECK(transferIn(smallScene) == Transfer::AffineFlip);
    CHECK(folder.load(paper).scene.solver.contact == ContactMethod::Nodes);
    CHECK(folder.load(smallScene).scene.solver.contact == ContactMethod::Impulses);
    CHECK(transferIn(paper + "[solver]\ntransfer = \"aflip\"\n") == Transfer::AffineFlip);
    CHECK(transferIn(paper + "[[snow]]\nshape = \"sphere\"\nradius_m = 0.1\n") == Transfer::AffineFlip);
}

TEST_CASE("A preset gives all values of material, noise and crust that the scene does not give", "[scene]")
{
    const SceneFolder folder;
    const SnowRegion region =
        folder.load(smallScene + "preset = \"crust\"\n[snow.crust]\ndepth_m = 0.05\n").scene.snow[0];
    const SnowPreset& preset = snowPreset("crust");
    CHECK(region.crust.depth_m == 0.05);
    CHECK(region.crust.stiffness == preset.crust.stiffness);
    CHECK(region.noise.stiffness == preset.noise.stiffness);
    CHECK(region.material.density_kg_m3 == preset.material.density_kg_m3);
}

TEST_CASE("A preset does not overwrite a given value that equals the default", "[scene]")
{
    const SceneFolder folder;
    const Scene scene = folder.load(smallScene + "preset = \"icy\"\n[snow.material]\nhardening = 10\n").scene;
    CHECK(scene.snow[0].material.hardening == 10);
}

TEST_CASE("Parameters of presets have the order of their looks", "[scene]")
{
    const auto material = [](const char* name) { return snowPreset(name).material; };
    // Powder comes apart before settled snow, chunks after it; ice is brittle and stiff, slush neither.
    CHECK(material("powder").critical_stretch < material("settled").critical_stretch);
    CHECK(material("settled").critical_stretch < material("plough-bank").critical_stretch);
    // Moist snow is pressed together more easily than packing snow, and held together more strongly than settled snow.
    CHECK(material("moist").youngs_modulus_pa < material("packing").youngs_modulus_pa);
    CHECK(material("moist").critical_stretch > material("settled").critical_stretch);
    CHECK(material("icy").hardening > material("settled").hardening);
    CHECK(material("icy").youngs_modulus_pa > material("packing").youngs_modulus_pa);
    CHECK(material("slush").hardening < material("wet").hardening);
    CHECK(material("wet").hardening < material("paper").hardening);
}

TEST_CASE("No preset takes much smaller time steps than the paper's snow", "[scene]")
{
    // Longitudinal wave speed sqrt(M / rho), M = E (1 - nu) / ((1 + nu)(1 - 2 nu)); 19.72 m/s for the paper's values.
    const auto waveSpeed = [](const SnowMaterial& m) {
        const double nu = m.poisson_ratio;
        return std::sqrt(m.youngs_modulus_pa * (1 - nu) / ((1 + nu) * (1 - 2 * nu)) / m.density_kg_m3);
    };
    CHECK(waveSpeed(snowPreset("paper").material) == Approx(19.7203).epsilon(1e-5));
    for (const SnowPreset& preset : snowPresets()) {
        INFO(preset.name);
        CHECK(waveSpeed(preset.material) < 31);
        CHECK(waveSpeed(preset.material) > 10);
    }
}

TEST_CASE("A render preset gives at most one of reflectance and albedo, from 0 to 1; only pure snow gives none",
          "[scene]")
{
    for (const RenderPreset& preset : renderPresets()) {
        INFO(preset.name);
        if (preset.name == "pure") {
            CHECK(preset.reflectance.isZero());
            CHECK(preset.albedo.isZero());
            continue;
        }
        CHECK(preset.reflectance.isZero() != preset.albedo.isZero());
        CHECK((preset.reflectance + preset.albedo).minCoeff() > 0);
        CHECK((preset.reflectance + preset.albedo).maxCoeff() <= 1);
    }
    CHECK(renderPreset("clean").reflectance == Vec3d(0.90, 0.93, 0.95));
    CHECK_THROWS_WITH(renderPreset("claen"), Catch::Contains("clean"));
}
