// Lights in scene files: what is refused, and where the sun stands.

#include <catch2/catch.hpp>

#include "common/scene/dump.h"
#include "common/scene/sun_position.h"
#include "tests/common/scene/scene_text.h"

using namespace firn;
using Catch::Contains;

namespace {

std::string refusalOfLight(const std::string& keys)
{
    return refusal(smallScene + "[[body]]\nname = \"truck\"\n[[light]]\nname = \"lamp\"\n" + keys + "\n").message;
}

}  // namespace

TEST_CASE("Lights that cannot shine are refused", "[scene]")
{
    CHECK_THAT(refusalOfLight("kind = \"spot\"\nposition = [0, 1, 0]\nlook_at = [0, 1, 0]"),
               Contains("'look_at' of 'lamp' equals its position"));
    CHECK_THAT(refusalOfLight("kind = \"sphere\"\nparent = \"truk\""), Contains("did you mean 'truck'?"));
    CHECK_THAT(refusalOfLight("kind = \"sphere\"\nparent = \"truck\"\nparent_node = \"roof\""),
               Contains("'truck' has no nodes"));
    CHECK_THAT(refusalOfLight("kind = \"sphere\"\nparent_node = \"roof\""), Contains("'lamp' needs 'parent'"));
    CHECK_THAT(refusalOfLight("temperature_K = 30"), Contains("expected 0 for none, or at least 1000"));
    for (const char* group : {"key light", "light.key", "key:1"})
        CHECK_THAT(refusalOfLight("group = \"" + std::string(group) + "\""),
                   Contains("expected letters, digits, '_' and '-'"));
    CHECK_THAT(refusalOfLight("kind = \"environment\""), Contains("'lamp' needs a file"));
    CHECK_THAT(refusalOfLight("kind = \"environment\"\nfile = \"sky.####.exr\""), Contains("is a sequence of files"));
    CHECK_THAT(refusalOfLight("kind = \"environment\"\nfile = \"sky.exr\""), Contains("sky.exr"));
    CHECK_THAT(refusalOfLight("kind = \"environment\"\nfile = \"sky.png\""), Contains("is not an OpenEXR picture"));
    CHECK_THAT(refusalOfLight("kind = \"sun\"\nposition = [0, 1, 0]"),
               Contains("it applies to: rectangle, sphere, spot"));
}

TEST_CASE("A scene has at most fifteen groups of lights", "[scene]")
{
    const auto withGroups = [](int count) {
        std::string text = smallScene;
        for (int i = 0; i < count; ++i) text += "[[light]]\ngroup = \"g" + std::to_string(i) + "\"\n";
        return text;
    };
    const SceneFolder folder;
    CHECK_NOTHROW(folder.load(withGroups(15) + "[[light]]\ngroup = \"rest\"\n"));
    CHECK_THAT(refusal(withGroups(16)).message, Contains("more than 15 groups"));
}

TEST_CASE("Daylight without a sun is refused", "[scene]")
{
    CHECK_THAT(refusalOfLight("kind = \"daylight\"\nelevation_deg = -13"),
               Contains("the sun of 'lamp' is at an elevation of -13.0°, expected at least -8.0°. Below, it is night"));
    CHECK(refusalOfLight("kind = \"daylight\"\nelevation_deg = -8") == "accepted");
    CHECK_THAT(refusalOfLight("kind = \"daylight\"\nangular_diameter_deg = 20"), Contains("expected at most 10"));
    const std::string place = "latitude_deg = 47\nlongitude_deg = 8\n";
    CHECK_THAT(refusalOfLight(place + "when = \"2026-01-15T23:30+01:00\""),
               Contains("expected at least 0.0°. Below, it is night: leave the sun out"));
    CHECK_THAT(refusalOfLight(place), Contains("'latitude_deg' needs 'when'"));
    CHECK_THAT(refusalOfLight("when = \"2026-01-15T12:30Z\""), Contains("'when' needs 'latitude_deg'"));
    CHECK_THAT(refusalOfLight(place + "when = \"2026-01-15T12:30Z\"\nelevation_deg = 12"),
               Contains("'elevation_deg' and 'when' are both given"));
    CHECK_THAT(refusalOfLight(place + "when = \"21.6.2026 12:00\""), Contains("expected a date and time that exist"));
    CHECK_THAT(refusalOfLight(place + "when = \"noon\""), Contains("expected a date and time that exist"));
}

TEST_CASE("A dump shows the angles that a date gives, and loads again", "[scene]")
{
    const SceneFolder folder;
    const LoadedScene loaded = folder.load(smallScene +
                                           "[[light]]\nname = \"sun\"\nlatitude_deg = 39.742476\nlongitude_deg = "
                                           "-105.1786\nwhen = \"2003-10-17T12:30:30-07:00\"\n");
    CHECK(loaded.scene.lights[0].elevation_deg == Approx(39.872).margin(.02));
    const Scene again = folder.load(dumpValues(loaded)).scene;
    CHECK(again.lights[0].elevation_deg == loaded.scene.lights[0].elevation_deg);
    CHECK(again.lights[0].azimuth_deg == loaded.scene.lights[0].azimuth_deg);
}

TEST_CASE("Only dates and times that exist have a Julian day", "[scene]")
{
    CHECK(julianDay("2000-01-01T12:00Z") == 2451545.0);
    CHECK(julianDay("2000-01-01T13:30+01:30") == 2451545.0);
    CHECK(julianDay("2000-01-01T06:00:00-06:00") == 2451545.0);
    CHECK(*julianDay("2000-01-01T12:00:36Z") - 2451545 == Approx(36.0 / 86400).margin(1e-9));
    for (const char* wrong :
         {"", "2000-01-01", "2000-01-01T12:00", "2000-13-01T12:00Z", "2001-02-29T12:00Z", "2000-01-01T24:00Z",
          "2000-01-01T12:60Z", "2000-01-01 12:00Z", "2000-1-1T12:00Z", "2000-01-01T12:00Zulu", "2000-01-01T12:00+15:00",
          "2000-01-01T12:00:61Z", "-200-01-01T12:00Z", "2000-01-01T12:00+1:00"}) {
        CAPTURE(wrong);
        CHECK_FALSE(julianDay(wrong));
    }
}

TEST_CASE("The sun stands where almanacs say", "[scene]")
{
    // Reda and Andreas 2004, Solar Position Algorithm for Solar Radiation Applications, appendix A.5; the elevation is
    // that without refraction.
    const SunAngles golden = sunPosition(*julianDay("2003-10-17T12:30:30-07:00"), 39.742476, -105.1786);
    CHECK(golden.elevation_deg == Approx(39.872046).margin(.02));
    CHECK(golden.azimuth_deg == Approx(194.340241 - 360).margin(.02));
    // At the solstice, the sun is overhead on the tropic at noon, and does not rise beyond the southern polar circle.
    const double solstice = *julianDay("2026-06-21T12:02Z");
    CHECK(sunPosition(solstice, 23.436, 0).elevation_deg > 89.9);
    CHECK(sunPosition(solstice, -66.7, 0).elevation_deg < 0);
    // At the equinox, it rises in the east.
    const SunAngles rising = sunPosition(*julianDay("2026-03-20T06:07:30Z"), 0, 0);
    CHECK(rising.elevation_deg == Approx(0).margin(.05));
    CHECK(rising.azimuth_deg == Approx(90).margin(.2));
}

TEST_CASE("North is at -z and east at +x unless the scene turns them", "[scene]")
{
    LightSpec sun;
    sun.when = "2026-03-20T06:07:30Z";
    CHECK(sunAngles(sun).azimuth_deg == Approx(90).margin(.2));  // +x
    sun.north_deg = 0;
    CHECK(sunAngles(sun).azimuth_deg == Approx(-90).margin(.2));  // north is +z, so east is -x
    sun.when.clear();
    CHECK(sunAngles(sun).azimuth_deg == sun.azimuth_deg);
}

TEST_CASE("Ready-made lights replace those of the scene and suit its camera", "[scene]")
{
    const SceneFolder folder;
    const std::string text = smallScene +
                             "[camera]\nposition = [0, 1, 4]\nlook_at = [0, 1, 0]\n[[light]]\nname = \"mine\"\n"
                             "kind = \"sphere\"\n";
    CHECK(folder.load(text).scene.lights.size() == 1);
    for (const std::string name : {"low-sun", "overcast", "dusk-lamps", "studio"}) {
        const LoadedScene loaded = folder.load(text, {.set = {"render.lighting=" + name}});
        CAPTURE(name);
        REQUIRE_FALSE(loaded.scene.lights.empty());
        for (const LightSpec& light : loaded.scene.lights) {
            CHECK(light.name != "mine");
            if (light.kind == LightKind::Rectangle || light.kind == LightKind::Spot) {
                CHECK(light.look_at == Vec3d(0, 1, 0));
                CHECK(light.position.y() > 2);
            }
        }
        // The dump has the lights themselves and gives them again.
        const Scene again = folder.load(dumpValues(loaded)).scene;
        REQUIRE(again.lights.size() == loaded.scene.lights.size());
        CHECK(again.lights.back().position == loaded.scene.lights.back().position);
        CHECK(again.lights.front().azimuth_deg == loaded.scene.lights.front().azimuth_deg);
    }
    // The camera looks towards -z, so a sun beyond the snow and at its left has an azimuth of 180 + 65 degrees.
    const Scene sun = folder.load(text, {.set = {"render.lighting=low-sun"}}).scene;
    CHECK(sun.lights.front().azimuth_deg == Approx(180 + 65 - 360));
    CHECK_THAT(refusal(text, {.set = {"render.lighting=studio", "light.mine.strength=3"}}).message,
               Contains("'light.mine.strength' has no effect: render.lighting = \"studio\" replaces"));
    CHECK_THAT(refusal(text, {.set = {"render.lighting=noon"}}).message, Contains("'noon', which is unknown"));
}
