#include "render/glints.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <random>

using namespace firn;

namespace {

/// A sun of irradiance 2 from straight above.
RenderScene underSun()
{
    LightSpec sun;
    sun.elevation_deg = 90;
    sun.strength = 2;
    RenderScene scene;
    scene.lights = Lights(std::vector<LightSpec>{sun});
    return scene;
}

SnowPoint pointAt(const Vec3f& place, float distance_m = 1)
{
    return {place, place, Vec3f::UnitY(), Vec3f(std::sin(0.8f), std::cos(0.8f), 0), distance_m};
}

/// A place in a cube of ten metres where a facet shines, so brightly that it hardly depends on rounding.
Vec3f shiningPlace(const Glints& glints, const RenderScene& scene)
{
    std::mt19937 random(3);
    std::uniform_real_distribution<float> uniform(0, 10);
    for (;;) {
        Vec3f place(uniform(random), uniform(random), uniform(random));
        if (glints.radiance(scene, pointAt(place)).y() > 5) return place;
    }
}

}  // namespace

TEST_CASE("The mean of many glints is that of facets of all directions, for every size of pixels", "[glints]")
{
    // c F E / (4 pi) with c = 4/3 pi .4^3 and F = .018 + .982 (1 - cos .4)^5, the half angle: 7.68e-4.
    const RenderScene scene = underSun();
    const double half = 1 - std::cos(0.4), reflectance = 0.018 + 0.982 * std::pow(half, 5);
    const double expected = 4.0 / 3 * pi * 0.064 * reflectance * 2 / (4 * pi);
    const Lens notInFocus{0.01, 2};
    for (const GlintSettings& settings : {GlintSettings{1, 5e-4, 0, 1},
                                          {1, 5e-4, 1.4e-3, 1},
                                          {1, 5e-4, 8e-3, 1},
                                          {1, 5e-4, 1.4e-3, 30},
                                          {1, 5e-4, 8e-3, 8},
                                          {1, 5e-4, 1.4e-3, 1, notInFocus}}) {
        const Glints glints(nullptr, settings);
        std::mt19937 random(7);
        std::uniform_real_distribution<float> uniform(0, 10);
        constexpr int count = 6'000'000;
        double sum = 0, squares = 0;
        for (int i = 0; i < count; ++i) {
            const Vec3f place(uniform(random), uniform(random), uniform(random));
            const auto value = static_cast<double>(glints.radiance(scene, pointAt(place)).y());
            sum += value;
            squares += value * value;
        }
        // The colour of the default sun is 1 in green.
        CHECK(sum / count == Approx(expected).margin(3.5 * std::sqrt(squares) / count));
        CHECK(std::sqrt(squares) / sum < 0.1);
    }
}

TEST_CASE("A place at the eye or behind it has finite glints, with and without a lens", "[glints]")
{
    const RenderScene scene = underSun();
    for (const Lens& lens : {Lens(), Lens{0.01, 2}}) {
        const Glints glints(nullptr, {1, 5e-4, 1.4e-3, 1, lens});
        for (const float distance_m : {0.0f, -0.01f, 1e-6f}) {
            std::mt19937 random(7);
            std::uniform_real_distribution<float> uniform(0, 10);
            bool isFinite = true;
            for (int i = 0; i < 10'000; ++i) {
                SnowPoint point = pointAt(Vec3f(uniform(random), uniform(random), uniform(random)));
                point.eye_distance_m = distance_m;
                isFinite = isFinite && glints.radiance(scene, point).allFinite();
            }
            CHECK(isFinite);
        }
    }
}

TEST_CASE("A streak over many pixels has no single glints, only their mean", "[glints]")
{
    const RenderScene scene = underSun();
    const auto brightest = [&](double streak_px) {
        const Glints glints(nullptr, {1, 5e-4, 8e-3, streak_px});
        std::mt19937 random(7);
        std::uniform_real_distribution<float> uniform(0, 10);
        float most = 0;
        for (int i = 0; i < 100'000; ++i) {
            const Vec3f place(uniform(random), uniform(random), uniform(random));
            most = std::max(most, glints.radiance(scene, pointAt(place)).y());
        }
        return most;
    };
    const float sharp = brightest(1);
    CHECK(brightest(4) < 0.6f * sharp);
    CHECK(brightest(100) == Approx(7.68e-4).epsilon(0.01));
}

TEST_CASE("A glint shines at a place and in a direction, and a little around them", "[glints]")
{
    const RenderScene scene = underSun();
    const Glints glints(nullptr, {1, 0.01, 0});
    const Vec3f place = shiningPlace(glints, scene);
    const auto radiance = [&](const Vec3f& at, float turn) {
        SnowPoint point = pointAt(at);
        point.to_eye = Vec3f(std::sin(0.8f + turn), std::cos(0.8f + turn), 0);
        return glints.radiance(scene, point).y();
    };
    const float bright = radiance(place, 0);
    CHECK(radiance(place + Vec3f::Constant(1e-5f), 0) == Approx(bright).epsilon(0.01));
    CHECK(radiance(place, 1e-4f) == Approx(bright).epsilon(0.05));
    CHECK(radiance(place, 0.1f) == 0);
    CHECK(glints.radiance(scene, {place, place, Vec3f::UnitY(), Vec3f::UnitZ(), 1}).isZero());
}

TEST_CASE("Glints move with the snow", "[glints]")
{
    // Snow that has been moved by (0.3, 0.1, 0) since it was at rest.
    const Vec3f moved(0.3f, 0.1f, 0);
    const RenderScene scene = underSun();
    const Glints atRest(nullptr, {1, 0.01, 0});
    const Vec3f place = shiningPlace(atRest, scene);
    SnowParticles snow;
    snow.position_m = {(place + moved).cast<double>()};
    snow.id = {0};
    auto shifts = std::make_unique<MeanField>(snow, std::vector<float>{1}, std::vector<Vec3f>{-moved}, 0.02);
    const Glints carried(std::move(shifts), {1, 0.01, 0});
    CHECK(carried.radiance(scene, pointAt(place + moved)).y() ==
          Approx(atRest.radiance(scene, pointAt(place)).y()).epsilon(1e-3));
}

TEST_CASE("Far away, facets stand for several, without a jump from level to level", "[glints]")
{
    const RenderScene scene = underSun();
    const Glints glints(nullptr, {1, 5e-4, 1e-3});
    // At a distance of 1 m a pixel has two cells along its edge, which is level 1.
    std::mt19937 random(7);
    std::uniform_real_distribution<float> uniform(0, 1);
    int shining = 0;
    for (int i = 0; i < 200'000; ++i) {
        const Vec3f place(uniform(random), uniform(random), uniform(random));
        const float nearer = glints.radiance(scene, pointAt(place, 0.999f)).y(),
                    farther = glints.radiance(scene, pointAt(place, 1.001f)).y();
        if (nearer + farther == 0) continue;
        ++shining;
        CHECK(std::abs(nearer - farther) < 0.2f);  // of up to 10
    }
    CHECK(shining > 20);
}
