// Lamps of all kinds against closed forms.

#include <catch2/catch.hpp>

#include "noise_volume.h"
#include "other_lights.h"
#include "plane_surface.h"
#include "render/lights.h"
#include "render/rectangle_light.h"
#include "render/spot_light.h"
#include "render/unseen_light.h"
#include "traced_paths.h"

using namespace firn;
using namespace firn::test;

namespace {

/// What ground of albedo 1 reads at the origin, times pi: the irradiance there.
Estimate irradianceOfOrigin(const Lights& lights, std::uint64_t seed, int paths = 100000)
{
    const PlaneSurface ground(0, Vec3f::Ones());
    RenderScene scene;
    scene.surfaces = &ground;
    scene.max_bounces = 1;
    scene.lights = lights;
    const Ray ray{Vec3f(0.6f, 0.8f, 0), Vec3f(-0.6f, -0.8f, 0)};
    return averagePaths(
        scene, paths,
        [&](std::uint32_t path) {
            return PathStart{ray, Sampler(seed, path, 0)};
        },
        [](const PathResult& result) { return pif * result.radiance.x(); });
}

/// Irradiance at a point below a corner of a rectangle of radiance 1 that faces it, over pi; `a` and `b` are its edges
/// over its height (Howell, Catalog of Radiation Heat Transfer Configuration Factors, B-3).
double cornerFactor(double a, double b)
{
    const double p = std::sqrt(1 + a * a), q = std::sqrt(1 + b * b);
    return (a / p * std::atan(b / p) + b / q * std::atan(a / q)) / (2 * pi);
}

Lights oneLight(std::shared_ptr<const Light> light, FoundBy by)
{
    return Lights({std::make_shared<FoundOtherwise>(std::move(light), by)});
}

}  // namespace

TEST_CASE("A rectangle lights the ground by its form factor, near and far, whichever rays find it", "[lights]")
{
    // 2 x 1 m at a height of 1 m, its corner above the origin; and the same at a height of 10 m, where it is sampled by
    // area. A rectangle of irradiance E at 1 m has a radiance of E / area.
    std::uint64_t seed = 1;
    for (const float height : {1.0f, 10.0f}) {
        const Vec3f middle(1, height, 0.5f);
        LightFrame frame = LightFrame::facing(middle, middle - Vec3f::UnitY());
        frame.right = Vec3f::UnitX();
        frame.up = frame.front.cross(frame.right);
        const auto light = std::make_shared<RectangleLight>(frame, 2.0f, 1.0f, Vec3f::Constant(14), true);
        const double expected = 7 * pi * cornerFactor(2 / static_cast<double>(height), 1 / static_cast<double>(height));
        for (const FoundBy by : allWays) {
            const Estimate found = irradianceOfOrigin(oneLight(light, by), seed++, 400000);
            CAPTURE(height, static_cast<int>(by), expected, found.mean, found.error);
            CHECK(found.sigmas(expected) < oneIn370);
            CHECK(found.error < 0.03 * expected);
        }
        // Sampling the solid angle leaves only the cosine to vary.
        if (height < 2)
            CHECK(irradianceOfOrigin(oneLight(light, FoundBy::LightSampling), 9, 10000).error < 0.004 * expected);
    }
}

TEST_CASE("A rectangle shines to one side only", "[lights]")
{
    const LightFrame frame = LightFrame::facing(Vec3f(0, 1, 0), Vec3f(0, 2, 0));
    const RectangleLight light(frame, 1, 1, Vec3f::Ones(), true);
    CHECK(light.sample(Vec3f::Zero(), {0.5f, 0.5f}).scale == 0);
    CHECK(light.radiance({Vec3f::Zero(), Vec3f::UnitY()}, infinity).isZero());
    CHECK(light.radiance({Vec3f(0, 3, 0), -Vec3f::UnitY()}, infinity) == Vec3f::Ones());
    CHECK(light.radiance({Vec3f(0, 3, 0), -Vec3f::UnitY()}, 1.9f).isZero());
    CHECK(light.density({Vec3f(0.6f, 3, 0), -Vec3f::UnitY()}) == 0);
}

TEST_CASE("Samples of a lamp have the density that it states", "[lights]")
{
    const LightFrame frame = LightFrame::facing(Vec3f(0.3f, 1, 0.2f), Vec3f::Zero());
    const std::vector<std::shared_ptr<const Light>> lamps{
        std::make_shared<RectangleLight>(frame, 1.5f, 0.7f, Vec3f::Ones(), true),
        std::make_shared<RectangleLight>(frame, 0.1f, 0.05f, Vec3f::Ones(), true),
        std::make_shared<SphereLight>(Vec3f(0.3f, 1, 0.2f), 0.5f, Vec3f::Ones(), true),
        std::make_shared<SpotLight>(frame, 0.3f, Cone{0.8f, 0.5f}, Vec3f::Ones(), true)};
    for (std::size_t k = 0; k < lamps.size(); ++k) {
        for (std::uint32_t i = 0; i < 200; ++i) {
            Sampler sampler(k + 1, i, 0);
            const Vec2f place = sampler.uniform2();
            const Vec3f from(place.x() - 0.5f, 0, place.y() - 0.5f);
            const LightSample sample = lamps[k]->sample(from, sampler.uniform2());
            if (sample.scale == 0) continue;
            const Ray ray{from, sample.direction};
            // The edge may round to the outside.
            if (lamps[k]->density(ray) == 0) continue;
            CAPTURE(k, i);
            CHECK(sample.irradiance.x() * sample.scale ==
                  Approx(lamps[k]->radiance(ray, infinity).x() / lamps[k]->density(ray)).epsilon(2e-3));
            CHECK(lamps[k]->radiance(ray, 0.999f * sample.distance).isZero());
            CHECK_FALSE(lamps[k]->radiance(ray, 1.001f * sample.distance).isZero());
        }
    }
}

TEST_CASE("A spot lights its cone, as a point and as a small disk", "[lights]")
{
    const Cone cone{0.5f, 0.4f};
    CHECK(cone.share(std::cos(0.29f)) == 1);
    CHECK(cone.share(std::cos(0.4f)) == Approx(0.5).epsilon(1e-3));
    CHECK(cone.share(std::cos(0.51f)) == 0);
    CHECK(Cone{0.5f, 0}.share(std::cos(0.49f)) == 1);
    // Straight down from 2 m, and from the side at 60 degrees: I cos / d^2.
    std::uint64_t seed = 20;
    for (const float radius : {0.0f, 0.02f}) {
        const auto above = std::make_shared<SpotLight>(LightFrame::facing(Vec3f(0, 2, 0), Vec3f::Zero()), radius, cone,
                                                       Vec3f::Constant(12), true);
        CHECK(irradianceOfOrigin(oneLight(above, FoundBy::LightSampling), seed++, 4000).mean ==
              Approx(3).epsilon(2e-3));
        const Vec3f place(2 * std::sin(static_cast<float>(pi / 3)), 1, 0);
        const auto beside = std::make_shared<SpotLight>(LightFrame::facing(place, Vec3f::Zero()), radius, cone,
                                                        Vec3f::Constant(12), true);
        CHECK(irradianceOfOrigin(oneLight(beside, FoundBy::LightSampling), seed++, 4000).mean ==
              Approx(1.5).epsilon(2e-3));
    }
    const auto wide = std::make_shared<SpotLight>(LightFrame::facing(Vec3f(0, 1, 0), Vec3f::Zero()), 0.5f,
                                                  Cone{1, 0.5f}, Vec3f::Constant(12), true);
    const Estimate sampled = irradianceOfOrigin(oneLight(wide, FoundBy::LightSampling), seed++),
                   scattered = irradianceOfOrigin(oneLight(wide, FoundBy::Scattering), seed++),
                   both = irradianceOfOrigin(oneLight(wide, FoundBy::Both), seed++);
    CHECK(sampled.sigmas(scattered) < oneIn370);
    CHECK(both.sigmas(sampled) < oneIn370);
}

TEST_CASE("In snow, a rectangle by light sampling, by scattering and by both agree, with and without shadow roulette",
          "[lights]")
{
    const Volume volume = volumeFromDensity(clumpedBall(0.01), 724. / 400 / 8);
    RenderScene scene;
    scene.volume = &volume;
    scene.medium = {Vec3f(0.9f, 0.95f, 0.99f), 0.5f};
    const auto light = std::make_shared<RectangleLight>(LightFrame::facing(Vec3f(0.25f, 0.15f, 0.02f), Vec3f::Zero()),
                                                        0.2f, 0.1f, Vec3f::Ones(), true);
    std::vector<Estimate> results;
    const auto trace = [&] {
        results.push_back(averageRadiance(scene, 200000, [&](std::uint32_t path) {
            Sampler sampler(40 + results.size(), path, 0);
            const Vec2f u = sampler.uniform2();
            const Vec3f target = 0.08f * deflect(Vec3f::UnitY(), 2 * u.x() - 1, u.y()), origin(-0.2f, 0.3f, 0.3f);
            return PathStart{{origin, (target - origin).normalized()}, sampler};
        }));
        CAPTURE(results.size(), results.back().mean, results.back().error, results.front().mean);
        CHECK(results.back().sigmas(results.front()) <= oneIn15787);
        CHECK(results.back().error < 0.04 * results.back().mean);
    };
    for (const FoundBy by : allWays) {
        scene.lights = oneLight(light, by);
        trace();
    }
    const std::vector<ShadowRoulette> roulettes = makeShadowRoulettes(volume, scene.lights);
    CHECK(roulettes.front().opticalDepth(Vec3f(-0.05f, -0.03f, 0)) > 1);  // there is a table
    scene.shadow_roulettes = roulettes;
    trace();
}

TEST_CASE("Snow behind a lamp does not hide it", "[lights]")
{
    const Volume volume =
        volumeFromDensity(densityInBox(Vec3i::Zero(), Vec3i::Constant(40), 0.05, [](const Vec3i&) { return 1.0f; }), 2);
    const SphereLight lamp(Vec3f(1, 1, 1), 0, Vec3f::Ones(), true);
    const ShadowRoulette roulette(volume, lamp);
    CHECK(roulette.opticalDepth(Vec3f(1, .5f, 1)) == Approx(1).epsilon(.05));  // 2 per m over half a metre
}

TEST_CASE("A lamp that a body carries goes with it and turns with it", "[lights]")
{
    Scene scene;
    BodySpec truck;
    truck.name = "truck";
    truck.shape = BodyShape::Box;
    truck.keys = {{0, Vec3d::Zero(), Vec3d::Zero(), Easing::Linear},
                  {1, Vec3d(4, 0, 0), Vec3d(0, 90, 0), Easing::Linear}};
    scene.bodies = {truck};
    LightSpec lamp;
    lamp.kind = LightKind::Spot;
    lamp.position = Vec3d(0, 1, 1);
    lamp.look_at = Vec3d(0, 1, 2);
    lamp.parent = "truck";
    scene.lights = {lamp};
    const LightRig rig(scene);
    const LightMiddle start = *rig.at(0).all().front()->middle(Vec3f(0, 1, 0)),
                      end = *rig.at(1).all().front()->middle(Vec3f(4, 1, 0));
    CHECK(start.direction.isApprox(Vec3f::UnitZ(), 1e-5f));
    CHECK(end.direction.isApprox(Vec3f::UnitX(), 1e-5f));
    CHECK(end.distance == Approx(1));
    // It shines ahead: +z at the start, +x at the end.
    CHECK(rig.at(0).all().front()->sample(Vec3f(0, 1, 3), {0.5f, 0.5f}).scale > 0);
    CHECK(rig.at(1).all().front()->sample(Vec3f(4, 1, 3), {0.5f, 0.5f}).scale == 0);
    CHECK(rig.at(1).all().front()->sample(Vec3f(7, 1, 0), {0.5f, 0.5f}).scale > 0);
}

TEST_CASE("A rectangle turns with the body that carries it, also about its direction", "[lights]")
{
    Scene scene;
    BodySpec arm;
    arm.name = "arm";
    arm.shape = BodyShape::Box;
    arm.rotation_deg = Vec3d(0, 0, 90);
    scene.bodies = {arm};
    LightSpec lamp;
    lamp.kind = LightKind::Rectangle;
    lamp.position = Vec3d::Zero();
    lamp.look_at = Vec3d(0, 0, 1);
    lamp.width_m = 2;
    lamp.height_m = 0.2;
    scene.lights = {lamp};
    const auto meets = [&](const Vec3f& from) {
        const Ray ray{from, -Vec3f::UnitZ()};
        return !LightRig(scene).at(0).all().front()->radiance(ray, infinity).isZero();
    };
    CHECK(meets(Vec3f(0.8f, 0, 1)));
    CHECK_FALSE(meets(Vec3f(0, 0.8f, 1)));
    scene.lights[0].parent = "arm";
    CHECK_FALSE(meets(Vec3f(0.8f, 0, 1)));
    CHECK(meets(Vec3f(0, 0.8f, 1)));
}

TEST_CASE("A light that the camera does not see shines as before", "[lights]")
{
    LightSpec lamp;
    lamp.kind = LightKind::Sphere;
    lamp.position = Vec3d(0, 2, 0);
    lamp.radius_m = 0.5;
    const PlaneSurface ground(0, Vec3f::Ones());
    RenderScene scene;
    scene.surfaces = &ground;
    Sampler sampler(1, 0, 0);
    for (const bool visible : {true, false}) {
        lamp.visible = visible;
        scene.lights = Lights(std::vector<LightSpec>{lamp});
        CHECK(radiance(scene, {Vec3f(0, 1, 0), Vec3f::UnitY()}, sampler).radiance.isZero() == !visible);
        CHECK(irradianceOfOrigin(scene.lights, 30, 1000).mean == Approx(0.25).epsilon(0.02));
    }
    // Of the sky, too; and glossy surfaces reflect it.
    LightSpec sky;
    sky.kind = LightKind::Constant;
    sky.visible = false;
    scene.lights = Lights(std::vector<LightSpec>{sky});
    CHECK(radiance(scene, {Vec3f(0, 5, 0), Vec3f::UnitY()}, sampler).radiance.isZero());
    CHECK(radiance(scene, {Vec3f(0, 5, 0), -Vec3f::UnitY()}, sampler).radiance.isApprox(Vec3f::Ones(), 1e-5f));
}

TEST_CASE("Lights that light nothing in the picture are found")
{
    Camera spec;
    spec.position = Vec3d(0, 1, 2);
    spec.look_at = Vec3d::Zero();
    const PlacedCamera camera(spec, 0, 32, 18);
    const Volume volume = volumeFromDensity(clumpedBall(0.01), 724. / 400);
    const PlaneSurface ground(-0.15f, Vec3f::Ones());
    RenderScene scene;
    scene.volume = &volume;
    scene.surfaces = &ground;
    LightSpec good, inSnow, underground, away;
    inSnow.kind = underground.kind = LightKind::Sphere;
    inSnow.position = Vec3d(0.056, -0.019, 0.042);
    inSnow.radius_m = 0.001;
    underground.position = Vec3d(0, -1, 0);
    away.kind = LightKind::Spot;
    away.position = Vec3d(0, 1, 0);
    away.look_at = Vec3d(0, 2, 0);
    const std::vector<LightSpec> specs{good, inSnow, underground, away};
    scene.lights = Lights(specs);
    CHECK(unseenLights(scene, camera, 32, 18) == std::vector<std::size_t>{1, 2, 3});
}

TEST_CASE("Exposure and colour temperature scale the colour of a light", "[lights]")
{
    LightSpec lamp;
    lamp.kind = LightKind::Sphere;
    lamp.radius_m = 0;
    lamp.strength = 3;
    lamp.exposure = -1;
    const auto colorOf = [&] {
        return Lights(std::vector<LightSpec>{lamp}).all().front()->sample(Vec3f(0, 2, 0), {}).irradiance;
    };
    CHECK(colorOf().isApprox(Vec3f::Constant(1.5f)));
    // Illuminant A has a colour temperature of 2856 K and the chromaticity (.44757, .40745), in Rec. 709 (1.845, .826,
    // .233). 6500 K is nearly white.
    lamp.temperature_K = 2856;
    const Vec3f warm = colorOf();
    CHECK(warm.x() / warm.y() == Approx(2.233).epsilon(.03));
    CHECK(warm.z() / warm.y() == Approx(.282).epsilon(.05));
    lamp.temperature_K = 6500;
    const Vec3f day = colorOf() / 1.5f;
    CHECK(day.isApprox(Vec3f::Ones(), 0.05f));
}
