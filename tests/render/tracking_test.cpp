#include "render/tracking.h"

#include <catch2/catch.hpp>

#include "monte_carlo.h"
#include "noise_volume.h"
#include "render/wide_tracking.h"

using namespace firn;
using namespace firn::test;

namespace {

/// Ramp of 0.05 x per voxel in x = 0 … 39, constant across.
DensityGrid ramp()
{
    return densityInBox(Vec3i::Zero(), Vec3i(40, 20, 20), 1,
                        [](const Vec3i& voxel) { return 0.05f * static_cast<float>(voxel.x()); });
}

Volume withMajorants(const Volume& volume, float factor)
{
    Bricks bricks = volume.bricks();
    for (float& majorant : bricks.majorants) majorant *= factor;
    return Volume(std::move(bricks), Vec3d::Zero(), 1);
}

/// Rays that start alike, with random numbers of their own.
RayBatch copies(const Ray& ray, float tMax, int count, std::uint64_t seed)
{
    RayBatch rays(count);
    rays.count = count;
    for (int i = 0; i < count; ++i) {
        Sampler sampler(seed, static_cast<std::uint32_t>(i), 0);
        rays.origin.set(i, ray.origin);
        rays.direction.set(i, ray.direction);
        rays.t_max[i] = tMax;
        rays.depth[i] = sampleOpticalDepth(sampler.uniform());
        rays.key[i] = sampler.nextWord();
    }
    return rays;
}

Estimate transmittance(const Volume& volume, const Ray& ray, float tMax, int samples, std::uint64_t seed)
{
    Column<float> found(samples);
    estimateTransmittances(volume, copies(ray, tMax, samples, seed), found);
    return average(samples, [&](std::uint32_t i) { return found[static_cast<int>(i)]; });
}

Column<float> flights(const Volume& volume, const Ray& ray, float tMax, int samples, std::uint64_t seed)
{
    Column<float> found(samples);
    sampleFlights(volume, copies(ray, tMax, samples, seed), found);
    return found;
}

Estimate escapes(const Volume& volume, const Ray& ray, float tMax, int samples, std::uint64_t seed)
{
    const Column<float> found = flights(volume, ray, tMax, samples, seed);
    return average(samples, [&](std::uint32_t i) { return found[static_cast<int>(i)] == infinity; });
}

/// Rays from above into a ball around (3, 5, 2), in voxels of the volume.
RayBatch raysInto(const Volume& volume, int count)
{
    RayBatch rays(count);
    rays.count = count;
    for (int i = 0; i < count; ++i) {
        Sampler sampler(9, static_cast<std::uint32_t>(i), 0);
        const Vec2f u = sampler.uniform2();
        rays.origin.set(i, volume.toIndex(Vec3f(3, -5, 2) + Vec3f(20 * u.x() - 10, 30, 20 * u.y() - 10)));
        rays.direction.set(i, -Vec3f::UnitY());
        rays.t_max[i] = i % 3 == 0 ? 30 : infinity;
        rays.depth[i] = sampleOpticalDepth(sampler.uniform());
        rays.key[i] = sampler.nextWord();
    }
    return rays;
}

}  // namespace

TEST_CASE("Transmittance through a linear ramp is exp(-tau) by ratio and by delta tracking", "[tracking]")
{
    // tau from x = 3 to 3 + 10 d_x: 0.05 / d_x * ((3 + 10 d_x)^2 - 9) / 2, d_x = .6, hence 3, by quadrature of the
    // ramp.
    const Ray ray{Vec3f(3, 10, 10), Vec3f(.6f, .8f, 0)};
    const double tau = .05 / .6 * (9 * 9 - 3 * 3) / 2;
    std::uint64_t seed = 1;
    for (int blockShift = 0; blockShift <= 3; ++blockShift) {
        const Volume volume = volumeFromDensity(ramp(), 1, blockShift);
        const Ray local{volume.toIndex(ray.origin), ray.direction};
        for (const float factor : {1.f, 2.f}) {
            const Volume loose = withMajorants(volume, factor);
            const Estimate ratio = transmittance(loose, local, 10, 200000, seed++);
            const Estimate delta = escapes(loose, local, 10, 200000, seed++);
            CAPTURE(blockShift, factor, ratio.mean, ratio.error, delta.mean, delta.error);
            CHECK(ratio.sigmas(std::exp(-tau)) < oneIn15787);
            CHECK(delta.sigmas(std::exp(-tau)) < oneIn15787);
        }
    }
}

TEST_CASE("Roulette keeps transmittances far below its threshold unbiased", "[tracking]")
{
    // The same ramp from x = 8 to 20: tau = .05 (20^2 - 8^2) / 2 = 8.4.
    const Volume plain = volumeFromDensity(ramp(), 1);
    const Volume volume = withMajorants(plain, 1.5f);
    const Ray ray{plain.toIndex(Vec3f(8, 10, 10)), Vec3f(1, 0, 0)};
    const Estimate ratio = transmittance(volume, ray, 12, 1000000, 77);
    CAPTURE(ratio.mean, ratio.error);
    CHECK(ratio.sigmas(std::exp(-8.4)) < oneIn370);
}

TEST_CASE("Free flights in a homogeneous medium are exponential", "[tracking]")
{
    // Mean 1 / sigma_t, mean square 2 / sigma_t^2.
    const Volume volume = Volume::homogeneous(Vec3f::Constant(-infinity), Vec3f::Constant(infinity), 4);
    const Column<float> found = flights(volume, {Vec3f(1, 2, 3), Vec3f(0, 0, 1)}, infinity, 200000, 5);
    const auto flight = [&](std::uint32_t i) { return found[static_cast<int>(i)]; };
    CHECK(average(200000, flight).sigmas(.25) < oneIn370);
    CHECK(average(200000, [&](std::uint32_t i) { return flight(i) * flight(i); }).sigmas(.125) < oneIn370);
}

TEST_CASE("Rays along the axes, along cell faces and from outside cross the same optical depth", "[tracking]")
{
    // Uniform extinction .1 at the voxels 0 … 23 of each axis; with the trilinear fall over one voxel beyond either
    // end, a full crossing has tau = .1 * 24.
    const DensityGrid grid = densityInBox(Vec3i::Zero(), Vec3i::Constant(23), 1, [](const Vec3i&) { return 0.1f; });
    std::uint64_t seed = 1;
    for (int blockShift = 0; blockShift <= 3; ++blockShift) {
        const Volume volume = volumeFromDensity(grid, 1, blockShift);
        for (int axis = 0; axis < 3; ++axis) {
            for (const float sign : {-1.f, 1.f}) {
                Vec3f origin = Vec3f::Constant(8);  // on the faces of cells and bricks
                origin[axis] = sign < 0 ? 100 : -100;
                const Ray ray{volume.toIndex(origin), Vec3f(sign * Vec3f::Unit(axis))};
                const Estimate ratio = transmittance(volume, ray, infinity, 20000, seed++);
                CAPTURE(blockShift, axis, sign, ratio.mean, ratio.error);
                CHECK(ratio.sigmas(std::exp(-2.4)) < oneIn15787);
            }
        }
    }
}

TEST_CASE("A ray that misses the volume never collides", "[tracking]")
{
    const Volume volume = volumeFromDensity(ramp(), 1);
    CHECK(transmittance(volume, {volume.toIndex(Vec3f(-100, 60, 5)), Vec3f(1, 0, 0)}, infinity, 100, 1).mean == 1);
    CHECK(transmittance(volume, {volume.toIndex(Vec3f(-100, 5, 5)), Vec3f(-1, 0, 0)}, infinity, 100, 1).mean == 1);
}

TEST_CASE("What a ray finds does not depend on snow that it does not meet", "[tracking]")
{
    DensityGrid grid = clumpedBall(1);
    const Volume ball = volumeFromDensity(grid, 0.001);
    // A crumb beyond the ball, so the bounds of the volume are larger.
    const Vec3i beyond = leafOfKey(grid.keys.back()) + Vec3i(3, 2, 1);
    grid.keys.push_back(leafKey(beyond));
    grid.leaves.emplace_back().fill(0);
    grid.leaves.back()[100] = 400;
    const Volume both = volumeFromDensity(grid, 0.001);
    REQUIRE(both.indexMax().y() > ball.indexMax().y());
    constexpr int count = 100;
    const RayBatch rays = raysInto(ball, count);
    for (const auto& track : {sampleFlights, estimateTransmittances}) {
        Column<float> without(count), with(count);
        track(ball, rays, without);
        track(both, rays, with);
        for (int i = 0; i < count; ++i) REQUIRE(with[i] == Approx(without[i]).epsilon(1e-4).margin(1e-6));
    }
}

TEST_CASE("What a ray finds does not depend on the rays beside it", "[tracking]")
{
    const Volume volume = volumeFromDensity(clumpedBall(1), 0.001);
    constexpr int count = 100;
    const RayBatch rays = raysInto(volume, count);
    Column<float> together(count), alone(1);
    int hits = 0;
    for (const auto& track : {sampleFlights, estimateTransmittances}) {
        track(volume, rays, together);
        for (int i = 0; i < count; ++i) {
            RayBatch one(1);
            one.count = 1;
            one.origin.set(0, rays.origin[i]);
            one.direction.set(0, rays.direction[i]);
            one.t_max[0] = rays.t_max[i];
            one.depth[0] = rays.depth[i];
            one.key[0] = rays.key[i];
            track(volume, one, alone);
            REQUIRE(alone[0] == together[i]);
            hits += together[i] < infinity && together[i] > 0;
        }
    }
    CHECK(hits > 50);
}
