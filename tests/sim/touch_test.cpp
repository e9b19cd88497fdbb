// What contact remembers of particles near bodies.

#include "sim/touch.h"

#include <catch2/catch.hpp>

using namespace firn;

TEST_CASE("Touches are found by particle and piece, and move with particles that fall asleep")
{
    const Vec3f none = Vec3f::Zero();
    Touches awake({{7, 1, 0.1f, none}, {3, 0, 0.2f, none}, {7, 0, 0.3f, none}, {5, 2, 0.4f, none}});
    REQUIRE(awake.find(7, 0));
    CHECK(awake.find(7, 0)->reach == 0.3f);
    CHECK(awake.find(7, 1)->reach == 0.1f);
    CHECK_FALSE(awake.find(7, 2));
    CHECK_FALSE(awake.find(4, 0));
    CHECK_FALSE(awake.find(300, 0));
    CHECK_FALSE(Touches().find(0, 0));
    const std::uint32_t sleepers[] = {9, 7, 3};
    Touches asleep = awake.extract(sleepers);
    CHECK(awake.all().size() == 1);
    CHECK(awake.find(5, 2));
    CHECK(asleep.all().size() == 3);
    CHECK(asleep.find(3, 0));
    awake.add(asleep.extract(std::span(sleepers).subspan(2)));
    CHECK(awake.find(3, 0));
    CHECK(asleep.find(7, 1));
    CHECK_FALSE(asleep.find(3, 0));
}

TEST_CASE("Of many touches, in any order, each is found")
{
    std::vector<Touch> all;
    for (std::uint32_t i = 0; i < 3000; ++i)
        all.push_back({i * 7919 % 3001 * 5, i % 3, static_cast<float>(i), Vec3f::Zero()});
    const Touches touches(all);
    for (const Touch& touch : all) {
        const Touch* found = touches.find(touch.particle, touch.piece);
        REQUIRE(found);
        CHECK(found->reach == touch.reach);
        CHECK_FALSE(touches.find(touch.particle + 1, touch.piece));
        CHECK_FALSE(touches.find(touch.particle, touch.piece + 1));
    }
}
