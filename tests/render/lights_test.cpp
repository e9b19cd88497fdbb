#include "render/lights.h"

#include <catch2/catch.hpp>

#include "other_lights.h"

using namespace firn;
using namespace firn::test;

TEST_CASE("A scene's skies are one light that scattered rays find, and each sun is one that is sampled", "[lights]")
{
    const Lights lights(
        {light(LightKind::Sun), light(LightKind::Sky), light(LightKind::Sun), light(LightKind::Constant)});
    REQUIRE(lights.all().size() == 3);
    CHECK(lights.all()[0]->foundBy() == FoundBy::Scattering);
    REQUIRE(lights.sampled().size() == 2);
    CHECK(lights.sampled()[0] == lights.all()[1].get());
    CHECK(lights.sampled()[1] == lights.all()[2].get());
    // All are at infinity: a ray that ends before meets none of them.
    CHECK(lights.mayMeet(infinity));
    CHECK_FALSE(lights.mayMeet(1e30f));
}

TEST_CASE("A light in space may be met by a ray that ends", "[lights]")
{
    const Lights lights({sphereOf(Vec3f::Zero(), 1.0f, Vec3f::Ones(), FoundBy::Both)});
    CHECK(lights.mayMeet(3));
    CHECK(lights.sampled().size() == 1);
}

TEST_CASE("No light at all is an empty list", "[lights]")
{
    CHECK(Lights().all().empty());
    CHECK(Lights(std::vector<LightSpec>()).sampled().empty());
}

TEST_CASE("Lights of a group are together, and those without one are the rest", "[lights]")
{
    LightSpec sun = light(LightKind::Sun), sky = light(LightKind::Sky), dome = light(LightKind::Constant),
              lamp = light(LightKind::Sphere);
    sun.group = lamp.group = "key";
    dome.group = "fill";
    CHECK(lightGroups({sky}).empty());
    sky.group = "rest";
    CHECK(lightGroups({sky}).empty());
    CHECK(lightGroups({sun, sky, dome, lamp}) == std::vector<std::string>{"rest", "key", "fill"});
    CHECK_FALSE(Lights(std::vector<LightSpec>{sky}).hasGroups());
    const Lights lights({sun, sky, dome, lamp});
    REQUIRE(lights.groupCount() == 3);
    REQUIRE(lights.all().size() == 4);  // the two skies are not one light: their groups differ
    CHECK(lights.groupOf(0) == 0);
    CHECK(lights.groupOf(1) == 2);
    REQUIRE(lights.sampled().size() == 2);
    CHECK(lights.groupOfSampled(0) == 1);
    CHECK(lights.groupOfSampled(1) == 1);
}
