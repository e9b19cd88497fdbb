// The clear sky: closed forms, conservation of energy, and published measurements.

#include <catch2/catch.hpp>

#include <cmath>

#include "common/image/luminance.h"
#include "render/lights.h"
#include "render/sky/daylight_map.h"
#include "render/sky/spectrum.h"
#include "render/sun.h"

using namespace firn;

namespace {

constexpr double perDegree = pi / 180;

const Vec3f& pixelOf(const DaylightMap& map, int row, int column)
{
    return map
        .pixels[static_cast<std::size_t>(row) * static_cast<std::size_t>(map.width) + static_cast<std::size_t>(column)];
}

/// Irradiance of the sky on level ground.
Vec3d skyIrradiance(const DaylightMap& map)
{
    Vec3d sum = Vec3d::Zero();
    for (int row = 0; row < map.height / 2; ++row) {
        const double weight = std::cos(pi * (row + 0.5) / map.height) * 2 * pi / map.width *
                              (std::cos(pi * row / map.height) - std::cos(pi * (row + 1) / map.height));
        for (int column = 0; column < map.width; ++column) sum += weight * pixelOf(map, row, column).cast<double>();
    }
    return sum;
}

double luminanceOf(const Vec3d& color) { return luminance(color.x(), color.y(), color.z()); }

/// The share of daylight on level ground that does not come from the sun.
double diffuseShare(double turbidity, double elevation_deg)
{
    const DaylightMap map = daylightMap({turbidity, 0.2}, elevation_deg, 0.53);
    const double sky = luminanceOf(skyIrradiance(map)),
                 sun = std::sin(elevation_deg * perDegree) * luminanceOf(map.sun_irradiance.cast<double>());
    return sky / (sky + sun);
}

}  // namespace

TEST_CASE("Colour matching gives white its place, and a black body its colour", "[sky]")
{
    CHECK(rec709OfXyz(Vec3d(0.95047, 1, 1.08883)).isApprox(Vec3d::Ones(), 1e-4));
    // The integrals of the three functions are those of the CIE: 106.87, 106.86 and 106.89 nm.
    Vec3d sum = Vec3d::Zero();
    for (int l = 360; l <= 830; ++l) sum += colorMatching(l);
    CHECK(sum.isApprox(Vec3d::Constant(106.87), 0.01));
    CHECK(luminanceOf(blackBodyColor(4000)) == Approx(1));
}

TEST_CASE("Sunlight passes pure air as measured", "[sky]")
{
    // Optical depth of air at 550 nm and sea level: .0973 (Bodhaine et al. 1999, table 3); ozone of 300 Dobson units
    // takes .026 there. Kasten and Young 1989 give the air mass.
    const Atmosphere air({1, 0});
    CHECK(air.color(air.sunlight()).y() == Approx(0.98).epsilon(0.05));
    for (const double elevation : {90.0, 30.0, 10.0, 5.0}) {
        const double mass = 1 / (std::sin(elevation * perDegree) + 0.50572 * std::pow(elevation + 6.07995, -1.6364));
        const Spectrum passed = air.transmittance(0, std::sin(elevation * perDegree));
        const auto at = [&](double wavelength) {
            const double place = (wavelength - 390) / 22;
            const auto below = static_cast<Eigen::Index>(place);
            const double share = place - static_cast<double>(below);
            return std::exp((1 - share) * std::log(static_cast<double>(passed[below])) +
                            share * std::log(static_cast<double>(passed[below + 1])));
        };
        CAPTURE(elevation, mass, at(550));
        CHECK(-std::log(at(550)) / mass == Approx(0.0973 + 0.026).epsilon(0.12));
        CHECK(-std::log(at(430)) / mass == Approx(0.268).epsilon(0.12));  // the same table
    }
    CHECK(air.transmittance(0, -0.01).isZero());
}

TEST_CASE("Air without losses keeps the energy of sunlight", "[sky]")
{
    // At 434 nm, ozone takes less than a thousandth. What does not reach the black ground leaves at the top.
    constexpr Eigen::Index violet = 2;
    const Atmosphere air({1, 0});
    const double sunUp = std::sin(60 * perDegree), incoming = static_cast<double>(air.sunlight()[violet]) * sunUp;
    const auto flux = [&](double height_km, double sign) {  // of scattered light, through a level plane
        constexpr int rings = 40, perRing = 16;
        double sum = 0;
        for (int i = 0; i < rings; ++i) {
            const double cosine = (i + 0.5) / rings, across = std::sqrt(1 - cosine * cosine);
            for (int k = 0; k < perRing; ++k) {
                const double toSun = sign * cosine * sunUp +
                                     across * std::sqrt(1 - sunUp * sunUp) * std::cos(2 * pi * (k + 0.5) / perRing);
                sum += cosine * static_cast<double>(air.scattered(height_km, sign * cosine, sunUp, toSun)[violet]);
            }
        }
        return sum * 2 * pi / (rings * perRing);
    };
    const double direct = incoming * static_cast<double>(air.transmittance(0, sunUp)[violet]);
    const double down = flux(0, 1), up = flux(59.9, -1);
    CAPTURE(incoming, direct, down, up);
    CHECK(direct + down + up == Approx(incoming).epsilon(0.04));
    CHECK(down > 0.3 * (incoming - direct));
    CHECK(up > 0.3 * (incoming - direct));
}

TEST_CASE("The sky's share of daylight is that of clear days", "[sky]")
{
    // Of pure air about .07 with a high sun; with the haze of clear to hazy days from .1 to .4 (Iqbal 1983, An
    // Introduction to Solar Radiation, chapters 6 and 7).
    CHECK(diffuseShare(1, 60) == Approx(0.07).margin(0.02));
    CHECK(diffuseShare(2, 60) == Approx(0.15).margin(0.05));
    CHECK(diffuseShare(2, 30) == Approx(0.23).margin(0.06));
    CHECK(diffuseShare(6, 60) > 2 * diffuseShare(2, 60));
}

TEST_CASE("The sky is blue above, paler at the horizon, and red where the sun sets", "[sky]")
{
    const DaylightMap noon = daylightMap({2, 0.2}, 40, 0.53);
    const auto blueness = [](const Vec3f& color) { return color.z() / color.x(); };
    const Vec3f zenith = pixelOf(noon, 0, 0), opposite = pixelOf(noon, noon.height / 2 - 2, 0);
    CHECK(blueness(zenith) > 2);
    CHECK(blueness(opposite) < 0.6f * blueness(zenith));
    CHECK(luminance(opposite) > 2 * luminance(zenith));
    // The picture is the same on both sides of the sun, and brightest around it.
    CHECK(pixelOf(noon, 60, 200) == pixelOf(noon, 60, noon.width - 1 - 200));
    CHECK(luminance(pixelOf(noon, (90 - 40) * noon.height / 180, noon.width / 2)) > 4 * luminance(zenith));

    const DaylightMap evening = daylightMap({2, 0.2}, 3, 0.53);
    CHECK(evening.sun_irradiance.x() > 2.5f * evening.sun_irradiance.y());
    CHECK(luminance(evening.sun_irradiance) < 0.1f * luminance(noon.sun_irradiance));
    const Vec3f besideSun = pixelOf(evening, evening.height / 2 - 2, evening.width / 2);
    CHECK(besideSun.x() > 2 * besideSun.z());
    // After sunset there is light, but no sun; half of a sun on the horizon is half hidden.
    const DaylightMap dusk = daylightMap({2, 0.2}, -4, 0.53);
    CHECK(dusk.sun_irradiance.isZero());
    CHECK(luminanceOf(skyIrradiance(dusk)) > 0);
    CHECK(luminanceOf(skyIrradiance(dusk)) < 0.05 * luminanceOf(skyIrradiance(evening)));
    for (const Vec3f& color : dusk.pixels) REQUIRE((color.allFinite() && color.minCoeff() >= 0));
}

TEST_CASE("Below the horizon, the map shows the ground in the light of sun and sky", "[sky]")
{
    const DaylightMap map = daylightMap({2, 0.5}, 40, 0.53);
    const Vec3d onGround = skyIrradiance(map) + std::sin(40 * perDegree) * map.sun_irradiance.cast<double>();
    const Vec3d nadir = map.pixels.back().cast<double>();
    CHECK(luminanceOf(nadir) == Approx(0.5 / pi * luminanceOf(onGround)).epsilon(0.03));
}

TEST_CASE("Daylight of a scene is a sky with a sun in the right place", "[sky]")
{
    LightSpec spec;
    spec.kind = LightKind::Daylight;
    spec.elevation_deg = 30;
    spec.azimuth_deg = 70;
    const Vec3f toSun = lightDirection(30, 70);
    const Lights lights = LightRig(std::vector<LightSpec>{spec}).at(0);
    const auto radiance = [&](const Lights& of, const Vec3f& direction) {
        Vec3f sum = Vec3f::Zero();
        for (const auto& light : of.all()) sum += light->radiance({Vec3f::Zero(), direction}, infinity);
        return luminance(sum);
    };
    CHECK(radiance(lights, toSun) > 1e4f);
    // The brightest of the sky's directions around the horizon is that below the sun.
    double brightest = 0, brightestAt = 0;
    for (int azimuth = 0; azimuth < 360; azimuth += 5) {
        const double found = static_cast<double>(radiance(lights, lightDirection(27, azimuth)));
        if (found > brightest) brightest = found, brightestAt = azimuth;
    }
    CHECK(brightestAt == 70);
    // A sun of strength 1 has an irradiance of 5 outside of the atmosphere.
    double sun = 0;
    for (const auto& light : lights.all())
        if (light->density({Vec3f::Zero(), toSun}) > 1000)
            sun = static_cast<double>(luminance(light->sample(Vec3f::Zero(), {0.5f, 0.5f}).irradiance));
    CHECK(sun == Approx(5 * luminanceOf(daylightMap({2, 0.6}, 30, 0.53).sun_irradiance.cast<double>())));
    spec.sun_strength = 0;
    CHECK(radiance(LightRig(std::vector<LightSpec>{spec}).at(0), toSun) < 10);
}
