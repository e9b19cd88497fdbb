#include "render/water_film.h"

#include <catch2/catch.hpp>

#include <cmath>

#include "plane_surface.h"
#include "two_halves.h"

using namespace firn;
using test::halvesSize_m, test::twoHalves;

namespace {

/// A film on snow that is as wet everywhere.
WaterFilm evenFilm(double wetness)
{
    const SnowParticles snow = twoHalves();
    return {snow, std::vector<float>(snow.size(), static_cast<float>(wetness)), halvesSize_m};
}

Vec3f directionAt(double angle, double turn)
{
    return Vec3d(std::sin(angle) * std::cos(turn), std::cos(angle), std::sin(angle) * std::sin(turn)).cast<float>();
}

SnowPoint seenFrom(const Vec3f& toEye) { return {Vec3f::Zero(), Vec3f::Zero(), Vec3f::UnitY(), toEye, 1}; }

RenderScene under(const LightSpec& light)
{
    RenderScene scene;
    scene.lights = Lights(std::vector<LightSpec>{light});
    return scene;
}

LightSpec sunAt(double elevation_deg)
{
    LightSpec sun;
    sun.elevation_deg = elevation_deg;
    sun.azimuth_deg = 90;
    sun.angular_diameter_deg = 0;
    return sun;
}

LightSpec evenSky()
{
    LightSpec sky;
    sky.kind = LightKind::Constant;
    return sky;
}

}  // namespace

TEST_CASE("A film of water sends back the Fresnel share of the light of a sun", "[film]")
{
    const WaterFilm film = evenFilm(1);
    // F of water is 0.02 up to 30 degrees from the normal. Of that, facets mirror 8 % into the snow: the integral of
    // D G F / (4 cos) over the hemisphere is 0.018343 for light along the normal (quadrature in double precision).
    for (const double incidence_deg : {0.0, 15.0, 30.0}) {
        const RenderScene scene = under(sunAt(90 - incidence_deg));
        constexpr int angles = 200, turns = 200;
        double sum = 0;
        for (int i = 0; i < angles; ++i) {
            const double angle = 0.5 * pi * (i + 0.5) / angles;
            for (int j = 0; j < turns; ++j) {
                const SnowPoint point = seenFrom(directionAt(angle, 2 * pi * (j + 0.5) / turns));
                sum += static_cast<double>(film.radiance(scene, point).y()) * std::cos(angle) * std::sin(angle) * 0.5 *
                       pi / angles * 2 * pi / turns;
            }
        }
        const double irradiance = std::cos(incidence_deg * pi / 180);  // the default sun: 1 in green
        CAPTURE(incidence_deg);
        CHECK(sum / irradiance == Approx(0.018343).epsilon(incidence_deg == 0 ? 0.001 : 0.03));
    }
}

TEST_CASE("A film is brightest where it mirrors the sun, and reciprocal", "[film]")
{
    const WaterFilm film = evenFilm(1);
    const RenderScene scene = under(sunAt(50));
    const auto at = [&](double angle) { return film.radiance(scene, seenFrom(directionAt(angle * pi / 180, pi))).y(); };
    // The default sun stands at +x for an azimuth of 90 degrees; the mirrored direction is 40 degrees to the other
    // side.
    CHECK(at(40) > at(20));
    CHECK(at(40) > 0.9f * at(45));
    CHECK(at(40) > 10 * at(0));
    const auto share = [&](double sun_deg, double eye_deg) {
        const SnowPoint point = seenFrom(directionAt(eye_deg * pi / 180, pi));
        return static_cast<double>(film.radiance(under(sunAt(90 - sun_deg)), point).y()) / std::cos(sun_deg * pi / 180);
    };
    CHECK(share(20, 50) == Approx(share(50, 20)).epsilon(1e-4));
}

TEST_CASE("A film mirrors the sky, most at grazing angles, in proportion to wetness", "[film]")
{
    const RenderScene scene = under(evenSky());
    CHECK(evenFilm(1).radiance(scene, seenFrom(Vec3f::UnitY())).y() == Approx(0.02));
    CHECK(evenFilm(0.4).radiance(scene, seenFrom(Vec3f::UnitY())).y() == Approx(0.008));
    CHECK(evenFilm(1).radiance(scene, seenFrom(directionAt(1.5, 0))).y() > 0.5f);
    CHECK(evenFilm(0).radiance(scene, seenFrom(Vec3f::UnitY())).isZero());
}

TEST_CASE("There is no gloss where the light is hidden", "[film]")
{
    const WaterFilm film = evenFilm(1);
    const test::PlaneSurface roof(1, Vec3f::Zero());
    for (const LightSpec& light : {evenSky(), sunAt(60)}) {
        RenderScene scene = under(light);
        const SnowPoint point = seenFrom(directionAt(pi / 6, pi));
        CHECK(film.radiance(scene, point).y() > 0);
        scene.surfaces = &roof;
        CHECK(film.radiance(scene, point).isZero());
    }
}

TEST_CASE("Snow that touches the ground does not mirror the sky below it", "[film]")
{
    const WaterFilm film = evenFilm(1);
    const test::PlaneSurface ground(-0.005f, Vec3f::Zero());
    RenderScene scene = under(evenSky());
    scene.surfaces = &ground;
    // A little above the ground, with a normal that points down and a point outside that lies in the ground.
    const Vec3f normal(0.8f, -0.6f, 0), toEye(1, 0, 0);
    CHECK(film.radiance(scene, {Vec3f::Zero(), Vec3f(0.0266f, -0.02f, 0), normal, toEye, 1}).isZero());
}

TEST_CASE("Wetness mixes where snow mixes", "[film]")
{
    const std::vector<SnowOptics> optics = {{1, Vec3d::Ones(), 0.8}, {1, Vec3d::Ones(), 0}};
    const SnowParticles snow = twoHalves();
    const WaterFilm film(snow, filmShares(snow, optics, {}), halvesSize_m);
    CHECK(film.shareAt(Vec3f(-0.05f, 0, 0)) == Approx(0.8));
    CHECK(film.shareAt(Vec3f(0.05f, 0, 0)) == Approx(0).margin(1e-6));
    CHECK(film.shareAt(Vec3f(0, 0.013f, 0.02f)) == Approx(0.4).margin(1e-3));
}

TEST_CASE("Ice covers what water leaves free, and dry snow without glaze has no film", "[film]")
{
    const SnowParticles snow = twoHalves();
    const std::vector<SnowOptics> dry = {{1, Vec3d::Ones(), 0}}, wet = {{1, Vec3d::Ones(), 0.6}};
    CHECK(filmShares(snow, dry, {}).empty());
    CHECK(filmShares(snow, dry, std::vector<float>(snow.size(), 0)).empty());
    for (const float share : filmShares(snow, wet, std::vector<float>(snow.size(), 0.5f)))
        CHECK(share == Approx(1 - 0.4 * 0.5));
}
