#include "render/snow_optics.h"

#include <catch2/catch.hpp>

#include <cmath>

#include "common/scene/presets.h"
#include "render/reflectance.h"

using namespace firn;

namespace {

Render renderOf(const std::string& preset, double anisotropy)
{
    Render render;
    render.preset = preset;
    render.anisotropy = anisotropy;
    return render;
}

SnowLook lookOf(double grainRadius_mm, double soot_ppm, double dust_ppm)
{
    SnowLook look;
    look.grain_radius_mm = grainRadius_mm;
    look.soot_ppm = soot_ppm;
    look.dust_ppm = dust_ppm;
    return look;
}

Vec3d reflectanceOf(const SnowLook& look, const Render& render)
{
    return opticsOf(look, render).albedo.unaryExpr([&](double a) {
        return sphericalReflectance(a, render.anisotropy);
    });
}

}  // namespace

TEST_CASE("Extinction follows from the grain radius, unless the scene gives it", "[optics]")
{
    // 3 rho / (2 rho_ice r) of settled snow, 250 kg/m^3 and grains of 0.25 mm: 1635.8/m.
    CHECK(250 * extinctionOfGrains(0.25e-3) == Approx(1635.8).epsilon(1e-4));
    // Default snow is that of Stomakhin et al. 2013: 724/m at 400 kg/m^3.
    CHECK(400 * opticsOf(SnowLook(), Render()).extinction_m2_per_kg == Approx(724).epsilon(1e-4));
    Render render;
    render.extinction_per_m = 1600;
    CHECK(opticsOf(lookOf(0.1, 0, 0), render).extinction_m2_per_kg == 4);
}

TEST_CASE("Clean snow reflects .90, .93, .95 whatever the anisotropy; the paper's albedo is as printed", "[optics]")
{
    for (const double g : {0.0, 0.5, 0.8}) {
        const Vec3d reflectance = reflectanceOf(SnowLook(), renderOf("clean", g));
        CHECK(reflectance.x() == Approx(0.90));
        CHECK(reflectance.y() == Approx(0.93));
        CHECK(reflectance.z() == Approx(0.95));
    }
    CHECK(opticsOf(SnowLook(), renderOf("paper", 0.5)).albedo == Vec3d(0.9, 0.95, 1.0));
}

TEST_CASE("An albedo of the scene counts most, then the region's, its preset, and the preset of the scene", "[optics]")
{
    Render render = renderOf("wet", 0.5);
    SnowLook look = lookOf(1, 10, 10);
    CHECK(opticsOf(SnowLook(), render).albedo.x() == albedoForReflectance(0.70, 0.5));
    look.preset = "paper";
    CHECK(opticsOf(look, render).albedo.z() < 1);  // impurities
    look.soot_ppm = look.dust_ppm = 0;
    CHECK(opticsOf(look, render).albedo == Vec3d(0.9, 0.95, 1.0));
    look.albedo = Vec3d(0.7, 0.8, 0.9);
    CHECK(opticsOf(look, render).albedo == look.albedo);
    render.albedo = Vec3d(0.5, 0.6, 0.7);
    CHECK(opticsOf(look, render).albedo == render.albedo);
}

TEST_CASE("Pure snow reflects as the asymptotic theory of Kokhanovsky and Zege says", "[optics]")
{
    // Spherical albedo exp(-4 s / sqrt(3)), s^2 = c / (1 - g), where grains absorb the share c = (2/3) B alpha r:
    // r = 0.25 mm in the red: alpha = 4 pi 6.89e-9 / 610 nm = 0.14194/m, c = 3.785e-5, s = 0.015626: 0.96456.
    // r = 1 mm in the green: alpha = 0.052300/m, c = 5.579e-5, s = 0.018971: 0.95713.
    for (const double g : {0.0, 0.5, 0.8}) {
        CHECK(reflectanceOf(lookOf(0.25, 0, 0), renderOf("pure", g)).x() == Approx(0.96456).margin(0.001));
        CHECK(reflectanceOf(lookOf(1, 0, 0), renderOf("pure", g)).y() == Approx(0.95713).margin(0.001));
    }
    const Vec3d coarse = reflectanceOf(lookOf(1, 0, 0), renderOf("pure", 0.5));
    CHECK(coarse.x() < coarse.y());
    CHECK(coarse.y() < coarse.z());
}

TEST_CASE("Soot makes snow grey, dust makes it yellow, and both matter more in coarse snow", "[optics]")
{
    const Render render = renderOf("pure", 0.5);
    // One part of soot in a million, grains of 0.25 mm, green: c = 1.391e-5 + 0.0075 / 6.5431 = 1.1601e-3,
    // s^2 = c / (1 - (1 - c) 0.845) = 7.438e-3, s = 0.08624: R = (1 - s)(1 - .139 s) / (1 + 1.17 s) = 0.81997.
    const Vec3d sooty = reflectanceOf(lookOf(0.25, 1, 0), render);
    CHECK(sooty.y() == Approx(0.81997).margin(2e-4));
    CHECK((sooty.maxCoeff() - sooty.minCoeff()) < 0.05);
    const Vec3d dusty = reflectanceOf(lookOf(0.25, 0, 300), render);
    CHECK(dusty.x() > dusty.y());
    CHECK(dusty.y() > dusty.z() + 0.03);
    CHECK(reflectanceOf(lookOf(1, 1, 0), render).y() < sooty.y());
    // Snow that is all soot absorbs everything.
    CHECK(opticsOf(lookOf(20, 1e6, 0), render).albedo.maxCoeff() == Approx(0).margin(1e-12));
}

TEST_CASE("Impurities add to the absorption of a preset, and none leave it as it is", "[optics]")
{
    const Render render = renderOf("clean", 0.5);
    const Vec3d clean = reflectanceOf(lookOf(0.25, 0, 0), render);
    CHECK((reflectanceOf(lookOf(0.25, 1e-9, 0), render) - clean).cwiseAbs().maxCoeff() < 1e-6);
    CHECK((clean - reflectanceOf(lookOf(0.25, 0.1, 0), render)).minCoeff() > 0.005);
}

TEST_CASE("Wet snow scatters less and absorbs as much", "[optics]")
{
    SnowLook look = lookOf(1, 1, 10);
    const SnowOptics dry = opticsOf(look, renderOf("clean", 0.5));
    look.wetness = 0.6;
    const SnowOptics wet = opticsOf(look, renderOf("clean", 0.5));
    for (int c = 0; c < 3; ++c) {
        const double absorbed = dry.extinction_m2_per_kg * (1 - dry.albedo[c]);
        CHECK(wet.extinction_m2_per_kg * (1 - wet.albedo[c]) == Approx(absorbed));
    }
    // By the channel that absorbs most.
    CHECK(wet.extinction_m2_per_kg * wet.albedo.minCoeff() ==
          Approx(0.4 * dry.extinction_m2_per_kg * dry.albedo.minCoeff()));
    CHECK((reflectanceOf(look, renderOf("clean", 0.5)).array() < 0.9).all());
    CHECK(wet.wetness == 0.6);
}

TEST_CASE("An extinction and an albedo of the scene are those of wet snow, too", "[optics]")
{
    SnowLook look = lookOf(1, 1, 10);
    look.wetness = 0.6;
    Render render = renderOf("clean", 0.5);
    render.extinction_per_m = 1600;
    CHECK(opticsOf(look, render).extinction_m2_per_kg == 4);
    render.albedo = Vec3d(0.5, 0.6, 0.7);
    CHECK(opticsOf(look, render).albedo == render.albedo);
}
