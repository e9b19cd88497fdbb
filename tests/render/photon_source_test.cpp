// The rays of photons carry the light that the lights send, wherever the photons are aimed.

#include "render/photon_source.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "monte_carlo.h"
#include "other_lights.h"

using namespace firn;
using namespace firn::test;

namespace {

LightSpec sun(double elevation_deg)
{
    LightSpec light;
    light.elevation_deg = elevation_deg;
    light.strength = 3;
    return light;
}

/// Places in two groups, a dense one and one 2 m away that is ten times as wide.
std::vector<Vec3f> places()
{
    std::vector<Vec3f> result;
    Sampler sampler(1, 2, 3);
    for (int i = 0; i < 4000; ++i) {
        const Vec2f u = sampler.uniform2();
        const float size = i % 4 == 0 ? 0.5f : 0.05f;
        result.emplace_back(size * u.x() + (i % 4 == 0 ? 2.0f : 0.0f), 0.01f * sampler.uniform(), size * u.y());
    }
    return result;
}

/// Power (W) that photons carry down through a horizontal square.
Estimate powerThrough(const PhotonSource& source, const Vec3f& center, float edge, int photons = 1 << 20)
{
    return average(photons, [&](std::uint32_t i) {
        Sampler sampler(7, 0, i);
        const Photon photon = source.sample(sampler);
        if (photon.power.isZero() || photon.ray.direction.y() >= 0) return 0.0;
        const Vec3f at = photon.ray.at((center.y() - photon.ray.origin.y()) / photon.ray.direction.y()) - center;
        const bool hits = 2 * std::abs(at.x()) < edge && 2 * std::abs(at.z()) < edge;
        return hits ? static_cast<double>(photon.power.x()) : 0.0;
    });
}

}  // namespace

TEST_CASE("Photons carry the lights' irradiance through any square, near what is seen and far from it")
{
    struct Square {
        Vec3f center;
        float edge, noise;  // noise: bound of the relative standard error
    };
    const Square squares[] = {
        {Vec3f(.02f, 0, .03f), .02f, .01f}, {Vec3f(2.2f, 0, .2f), .1f, .02f}, {Vec3f(-3, -.5f, 2), 1, .4f}};
    struct Row {
        std::vector<LightSpec> lights;
        double irradiance;  // of a horizontal plane, from above
    };
    const Row rows[] = {{{sun(90)}, 3},
                        {{sun(20)}, 3 * std::sin(20 * pi / 180)},
                        {{constantSky()}, pi},
                        {{constantSky(), sun(30)}, pi + 1.5}};
    for (const Row& row : rows) {
        const PhotonSource source(Lights(row.lights), places(), 0.01f, Vec3f::Zero(), 10);
        for (const Square& square : squares) {
            const Estimate power = powerThrough(source, square.center, square.edge);
            const double expected =
                row.irradiance * static_cast<double>(square.edge) * static_cast<double>(square.edge);
            CAPTURE(row.irradiance, square.edge, power.mean, power.error, expected);
            CHECK(power.sigmas(expected) < oneIn15787);
            CHECK(power.error < square.noise * expected);
        }
    }
}

TEST_CASE("Photons of lamps carry their irradiance through any square, too")
{
    // E = I cos / d^2 at the middle of a square; its corners differ by less than the noise.
    LightSpec sphere, point, spot;
    sphere.kind = point.kind = LightKind::Sphere;
    spot.kind = LightKind::Spot;
    for (LightSpec* lamp : {&sphere, &point, &spot}) {
        lamp->position = Vec3d(0.5, 1.5, 0.3);
        lamp->strength = 3;
        lamp->radius_m = 0;
        lamp->look_at = Vec3d(0.5, 0, 0.3);
        lamp->cone_deg = 170;
        lamp->soft_edge = 0;
    }
    sphere.radius_m = 0.3;
    LightSpec disk = spot;
    disk.radius_m = 0.02;
    constexpr int photons = 1 << 18;
    struct Square {
        Vec3f center;
        float edge, noise;
    };
    const Square squares[] = {{Vec3f(.02f, 0, .03f), .02f, .04f}, {Vec3f(2.2f, 0, .2f), .1f, .06f}};
    for (const LightSpec& lamp : {sphere, point, spot, disk}) {
        const PhotonSource source(Lights({lamp}), places(), 0.01f, Vec3f::Zero(), 10);
        for (const Square& square : squares) {
            const Vec3d offset = lamp.position - square.center.cast<double>();
            const double area = static_cast<double>(square.edge) * static_cast<double>(square.edge),
                         expected = 3 * offset.y() / std::pow(offset.norm(), 3) * area;
            const Estimate power = powerThrough(source, square.center, square.edge, photons);
            CAPTURE(static_cast<int>(lamp.kind), lamp.radius_m, square.edge, power.mean, power.error, expected);
            CHECK(std::abs(power.mean - expected) < oneIn15787 * power.error + 0.005 * expected);
            CHECK(power.error < square.noise * expected);
        }
        // All light that goes down, wherever: 2 pi I, or that of the cone.
        const double share = lamp.kind == LightKind::Spot ? 1 - std::cos(85 * pi / 180) : 1;
        const Estimate all = powerThrough(source, Vec3f(0, -0.5f, 0), 1e6f, photons);
        CAPTURE(static_cast<int>(lamp.kind), lamp.radius_m, all.mean, all.error);
        CHECK(all.sigmas(2 * pi * 3 * share) < oneIn15787);
        CHECK(all.error < 0.1 * all.mean);
    }
}

TEST_CASE("Lamps and lights at infinity share the photons")
{
    LightSpec lamp;
    lamp.kind = LightKind::Sphere;
    lamp.position = Vec3d(0.5, 1.5, 0.3);
    lamp.strength = 3;
    const PhotonSource source(Lights({lamp, constantSky()}), places(), 0.01f, Vec3f::Zero(), 10);
    const Vec3f center(2.2f, 0, .2f);
    const Vec3d offset = lamp.position - center.cast<double>();
    const double expected = (pi + 3 * offset.y() / std::pow(offset.norm(), 3)) * 0.01;
    const Estimate power = powerThrough(source, center, 0.1f);
    CHECK(std::abs(power.mean - expected) < oneIn15787 * power.error + 0.005 * expected);
}

TEST_CASE("Photons start outside the sphere that holds the scene, and most of them pass by what is seen")
{
    const PhotonSource source(Lights({sun(40)}), places(), 0.01f, Vec3f(1, 0, 0), 10);
    int near = 0;
    constexpr int photons = 10000;
    for (std::uint32_t i = 0; i < photons; ++i) {
        Sampler sampler(7, 0, i);
        const Photon photon = source.sample(sampler);
        CHECK((photon.ray.origin - Vec3f(1, 0, 0)).norm() > 9.99f);
        CHECK(photon.is_sampled);
        const Vec3f ground = photon.ray.at(-photon.ray.origin.y() / photon.ray.direction.y());
        near += ground.x() > -.1f && ground.x() < .15f && std::abs(ground.z() - .025f) < .125f;
    }
    CHECK(near > photons / 2);  // three quarters of the places lie there
}

TEST_CASE("A photon source needs no more than one place, and gives no power without lights")
{
    const PhotonSource source(Lights({sun(40)}), {Vec3f::Zero()}, 0.01f, Vec3f::Zero(), 10);
    Sampler sampler(1, 2, 3);
    CHECK(source.sample(sampler).power.x() > 0);
    const PhotonSource dark(Lights(std::vector<LightSpec>()), {Vec3f::Zero()}, 0.01f, Vec3f::Zero(), 10);
    CHECK(dark.sample(sampler).power.isZero());
}
