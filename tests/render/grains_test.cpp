// What particles become for rendering with detail: grains, their sums, pieces, and what happened to them.

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <random>

#include "plane_surface.h"
#include "render/grain_lattice.h"
#include "render/grains.h"
#include "render/rest_places.h"
#include "render/snow_pieces.h"
#include "snow_samples.h"

using namespace firn;
using namespace firn::test;

TEST_CASE("Lone particles break into fragments, one in bulk stays whole", "[detail]")
{
    std::vector<Vec3d> places;
    places.reserve(40);
    for (int i = 0; i < 40; ++i) places.emplace_back(i, 0, 0);
    const SnowParticles particles = particlesAt(places);
    std::vector<float> surroundings(places.size(), 0.04f);
    surroundings.back() = 0.9f;
    const std::vector<Grain> grains = grainsOf(particles, restingHistory(particles, surroundings));
    CHECK_FALSE(grains.back().is_fragment);
    CHECK(grains.back().mass_kg == particles.mass_kg.back());
    CHECK(grains.back().volume_m3 == particles.volume0_m3.back());
    std::vector<int> count(places.size());
    for (const Grain& grain : grains) {
        const auto of = static_cast<std::size_t>(std::lround(grain.position.x()));
        CHECK((grain.position - places[of]).norm() < 5 * size_m);
        ++count[of];
    }
    CHECK(count.back() == 1);
    const auto [fewest, most] = std::minmax_element(count.begin(), count.end() - 1);
    CHECK(*fewest == 6);  // two fragments of three lumps
    CHECK(*most == 48);
}

TEST_CASE("Crumbs have many sizes and together the mass and volume of their particles", "[detail]")
{
    constexpr std::size_t count = 20000;
    const SnowParticles particles = particlesAt(std::vector<Vec3d>(count, Vec3d::Zero()));
    const auto totals = [&](float surroundings) {
        std::array<double, 3> sums{};  // mass, volume, and mass of the tenth of the grains with the most mass
        SnowHistory history = restingHistory(particles, std::vector<float>(count, surroundings));
        history.rest.surroundings.assign(count, 0.9f);  // broken off from inside
        std::vector<Grain> grains = grainsOf(particles, history);
        std::ranges::sort(grains, std::ranges::greater(), &Grain::mass_kg);
        for (std::size_t g = 0; g < grains.size(); ++g) {
            sums[0] += static_cast<double>(grains[g].mass_kg);
            sums[1] += static_cast<double>(grains[g].volume_m3);
            if (10 * g < grains.size()) sums[2] += static_cast<double>(grains[g].mass_kg);
        }
        return std::array{sums[0] / (count * static_cast<double>(particles.mass_kg[0])),
                          sums[1] / (count * static_cast<double>(particles.volume0_m3[0])), sums[2] / sums[0]};
    };
    for (const float surroundings : {0.04f, 0.25f}) {
        const auto [mass, volume, ofLargest] = totals(surroundings);
        CHECK(mass == Approx(1).margin(0.02));  // three standard errors of the random sizes
        CHECK(volume == Approx(mass).epsilon(1e-4));
        CHECK(ofLargest > 0.57);  // .48 if all crumbs had the mass of their particle
    }
}

TEST_CASE("Coarse particles break into more fragments, which are smaller beside them", "[detail]")
{
    constexpr std::size_t count = 20000;
    SnowParticles particles = particlesAt(std::vector<Vec3d>(count, Vec3d::Zero()));
    const SnowHistory history = restingHistory(particles, std::vector<float>(count, 0.04f));
    const auto largestShare = [&] {
        double mass = 0;
        float largest = 0;
        for (const Grain& grain : grainsOf(particles, history)) {
            mass += static_cast<double>(grain.mass_kg);
            largest = std::max(largest, grain.volume_m3 / particles.volume0_m3[0]);
        }
        CHECK(mass / (count * static_cast<double>(particles.mass_kg[0])) == Approx(1).margin(0.02));
        return largest;
    };
    const std::size_t fine = grainsOf(particles, history).size();
    CHECK(largestShare() > 1.5f);
    for (float& volume : particles.volume0_m3) volume *= 8;
    CHECK(largestShare() < 0.5f);
    CHECK(grainsOf(particles, history).size() > 3 * fine);
}

TEST_CASE("Fragments that fly lie further apart than those at rest, and the small ones trail behind", "[detail]")
{
    constexpr std::size_t count = 4000;
    SnowParticles particles = particlesAt(std::vector<Vec3d>(count, Vec3d::Zero()));
    const SnowHistory history = restingHistory(particles, std::vector<float>(count, 0.04f));
    struct Places {
        double spread = 0, of_small = 0, of_large = 0;  // across the velocity, and mean places along it, m
    };
    const auto places = [&](float speed_m_s, const Surfaces* surfaces = nullptr) {
        particles.velocity_m_s.assign(count, Vec3f(0, -speed_m_s, 0));
        std::vector<Grain> grains = grainsOf(particles, history, {{}, {}, surfaces});
        std::ranges::sort(grains, std::ranges::less(), &Grain::mass_kg);
        Places sums;
        const std::size_t half = grains.size() / 2;
        for (std::size_t g = 0; g < grains.size(); ++g) {
            sums.spread += std::abs(grains[g].position.x()) / static_cast<double>(grains.size());
            (g < half ? sums.of_small : sums.of_large) += grains[g].position.y() / static_cast<double>(half);
        }
        return sums;
    };
    const Places still = places(0), slow = places(0.4f), fast = places(8);
    CHECK(slow.spread == still.spread);
    CHECK(fast.spread > 1.8 * still.spread);
    CHECK(std::abs(still.of_small) < 0.01 * size_m);
    CHECK(fast.of_small > 0.04);  // upwards, as they fall
    CHECK(fast.of_large < 0.8 * fast.of_small);
    const PlaneSurface lid(0.01f, Vec3f::Zero());
    for (const Grain& grain : grainsOf(particles, history, {{}, {}, &lid})) CHECK(grain.position.y() < 0.01 + size_m);
    CHECK(places(8, &lid).of_small < 0.01);
}

TEST_CASE("Snow has the relief of its region as it lies, and loses its glaze where it breaks", "[detail]")
{
    SnowParticles particles = particlesAt({Vec3d(0, 0, 0), Vec3d(1, 0, 0), Vec3d(2, 0, 0), Vec3d(3, 0, 0)});
    particles.material = {0, 1, 1, 1};
    SnowHistory history = restingHistory(particles, {0.5f, 0.5f, 0.5f, 0.5f});
    history.rest.surroundings[2] = 1;  // inside then, at the surface now
    particles.stretch[3] = 0.8f;       // pressed
    const std::vector<SnowRelief> reliefs = {{}, {.coarseness = 0.5f, .rounding = 0.2f, .glaze = 0.8f}};
    const std::vector<Grain> grains = grainsOf(particles, history, {reliefs, {}, nullptr});
    REQUIRE(grains.size() == 4);
    CHECK(grains[0].roughness == 0);
    CHECK(grains[0].rounding == 0);
    CHECK(grains[1].roughness == 0.5f);
    CHECK(grains[1].rounding == 0.8f);
    CHECK(grains[2].roughness == 1);
    CHECK(grains[2].rounding == 0.2f);
    CHECK(grains[3].roughness == Approx(-1));
    CHECK(glazeOf(particles, history, reliefs) == std::vector<float>{0, 0.8f, 0, 0.8f});
    CHECK(glazeOf(particles, history, {SnowRelief()}).empty());
}

TEST_CASE("Corners of snow do not break while it lies as it fell", "[detail]")
{
    const SnowParticles particles = particlesAt({Vec3d(0, 0, 0), Vec3d(1, 0, 0), Vec3d(2, 0, 0)});
    SnowHistory history = restingHistory(particles, {0.2f, 0.2f, 0.2f});
    history.rest.surroundings = {0.2f, 0.9f, 0.35f};  // a corner as it was; broken off from inside; off an edge
    std::vector<int> count(3);
    for (const Grain& grain : grainsOf(particles, history))
        ++count[static_cast<std::size_t>(std::lround(grain.position.x()))];
    CHECK(count[0] == 1);
    CHECK(count[1] > 1);
    CHECK(count[2] > 1);
}

TEST_CASE("Sums interpolated from the lattice are those of the grains", "[detail]")
{
    // A slab, so that there are borders, with noise in what the grains carry.
    std::vector<Grain> grains;
    std::mt19937 random(3);
    std::uniform_real_distribution<double> jitter(-0.5, 0.5);
    const auto any = [&] { return static_cast<float>(jitter(random)); };
    for (int i = 0; i < 24 * 12 * 24; ++i) {
        const Vec3i at(i / 288 - 12, i / 24 % 12 - 6, i % 24 - 12);
        const Vec3d place = size_m * (at.cast<double>() + Vec3d(jitter(random), jitter(random), jitter(random)));
        grains.push_back({.position = place, .shift = {any(), any(), any()}, .volume_m3 = 1e-6f, .mass_kg = 3e-4f});
        grains.back().roughness = any();
        grains.back().sheared = any();
        grains.back().rounding = any();
    }
    for (const auto& [width, tolerance] : {std::pair(GrainLattice::leastWidth, 0.02f), std::pair(2.8f, 0.0025f)}) {
        for (Grain& grain : grains) grain.width_m = width * static_cast<float>(size_m);
        GrainAmounts largest{};  // of any grain, in snow that fills space
        for (const Grain& grain : grains)
            for (std::size_t f = 0; f < largest.size(); ++f)
                largest[f] = std::max(largest[f], std::abs(amountsOf(grain)[f]) / grain.volume_m3);
        const GrainLattice lattice(grains, size_m);
        auto block = std::make_unique<GrainLattice::Block>();
        REQUIRE(lattice.copy(Vec3i(0, 0, -1), *block));
        const Vec3f first(3.25f, 2.5f, 0.125f);  // voxels from the brick's corner
        for (const float step : {0.125f, 0.5f}) {
            GrainFields found;
            interpolate(*block, first, step, found);
            const Vec3d corner = size_m * (Vec3d(0, 0, -8) + first.cast<double>());
            const GrainFields expected = fieldsAt(grains, {corner, static_cast<double>(step) * size_m, 0});
            for (std::size_t f = 0; f < GrainFields::count; ++f) {
                float error = 0;
                for (std::size_t i = 0; i < expected.rows[f].size(); ++i)
                    if (i % GrainFields::rowSize < Bricks::values)
                        error = std::max(error, std::abs(found.rows[f][i] - expected.rows[f][i]));
                CHECK(error < tolerance * largest[f]);
            }
        }
    }
}

TEST_CASE("Pieces of snow are few enough, move with their particle, and hold what is nearest to it", "[detail]")
{
    std::vector<Vec3d> places;
    std::mt19937 random(5);
    std::uniform_real_distribution<double> within(-0.08, 0.08);
    places.reserve(4096);
    for (int i = 0; i < 4096; ++i) places.emplace_back(within(random), within(random), within(random));
    const SnowParticles frame = particlesAt(places);
    const RestState atRest = RestPlaces().of(frame, std::vector<float>(places.size(), 1));
    const std::vector<SnowPiece> pieces = piecesOf(frame, atRest);
    CHECK(static_cast<double>(pieces.size()) ==
          Approx(4096 * std::pow(size_m / static_cast<double>(SnowPiece::size_m), 3)).epsilon(0.15));

    SnowParticles moved = frame;
    for (Vec3d& place : moved.position_m) place += Vec3d(0.5, 0, 0);
    const std::vector<SnowPiece> later = piecesOf(moved, atRest);
    REQUIRE(later.size() == pieces.size());
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const Vec3f before = pieces[i].position.cast<float>() + pieces[i].toNoise_m;
        REQUIRE((later[i].position.cast<float>() + later[i].toNoise_m - before).norm() < 1e-5f);
    }

    std::vector<SnowPiece> near = pieces;
    keepNearest(Vec3d::Zero(), 0.015, near);
    CHECK(near.size() < pieces.size() / 4);
    const Floats x = 0.001f * toFloats(laneNumbers()) - 0.007f, y = floats(0.004f), z = floats(-0.006f);
    const NearestPieces found = nearestPieces(near, x, y, z);
    for (int lane = 0; lane < laneCount; ++lane) {
        const Vec3f place(x[lane], y[lane], z[lane]);
        const auto distance = [&](const SnowPiece& piece) { return (piece.position.cast<float>() - place).norm(); };
        std::vector<SnowPiece> sorted = pieces;
        std::partial_sort(sorted.begin(), sorted.begin() + 2, sorted.end(),
                          [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
        CHECK(found.height[lane] == sorted[0].height);
        CHECK(found.x[lane] == Approx(place.x() + sorted[0].toNoise_m.x()));
        CHECK(found.border_m[lane] == Approx((distance(sorted[1]) - distance(sorted[0])) / 2).margin(1e-6));
    }
}

TEST_CASE("Particles that the first frame does not have are at rest as they are", "[detail]")
{
    SnowParticles first = particlesAt({Vec3d(1, 2, 3), Vec3d(4, 5, 6)});
    first.id = {9, 4};
    SnowParticles later = particlesAt({Vec3d(0, 0, 0), Vec3d(7, 7, 7), Vec3d(8, 8, 8)});
    later.id = {4, 9, 5};
    DensitySettings settings;
    settings.voxel_m = size_m;
    const RestState rest = RestPlaces(first, settings).of(later, {0.5f, 0.5f, 0.5f});
    CHECK(rest.place_m[0] == Vec3f(4, 5, 6));
    CHECK(rest.place_m[1] == Vec3f(1, 2, 3));
    CHECK(rest.place_m[2] == Vec3f(8, 8, 8));
    CHECK(rest.surroundings[0] < 0.1f);  // each lay alone
    CHECK(rest.surroundings[2] == 0.5f);
}

TEST_CASE("Shear draws snow out, rotation and pressure do not", "[detail]")
{
    const SnowParticles atRest = flatSnow();
    DensitySettings settings;
    settings.voxel_m = size_m;
    std::vector<Vec3f> places;
    places.reserve(atRest.size());
    for (const Vec3d& x : atRest.position_m) places.push_back(x.cast<float>());
    const auto elongationInside = [&](const Mat3d& map) {
        SnowParticles moved = atRest;
        for (Vec3d& x : moved.position_m) x = map * x + Vec3d(0.3, 0, 0.1);
        const std::vector<float> elongations =
            elongationsOf(moved, places, shiftField(moved, places, 2 * settings.voxel_m));
        double sum = 0;
        int count = 0;
        for (std::size_t i = 0; i < elongations.size(); ++i) {
            const Vec3d& x = atRest.position_m[i];
            if (x.y() > -0.05 || x.y() < -0.15 || std::max(std::abs(x.x()), std::abs(x.z())) > 0.2) continue;
            sum += static_cast<double>(elongations[i]);
            ++count;
        }
        return sum / count;
    };
    const Mat3d turn = Eigen::AngleAxisd(0.7, Vec3d(1, 2, 3).normalized()).toRotationMatrix();
    CHECK(elongationInside(turn) < 0.05);
    Mat3d shear = Mat3d::Identity();
    shear(0, 1) = 1;  // its singular values are the golden section, 1, and the inverse of the first
    CHECK(elongationInside(shear) == Approx((std::sqrt(5.0) - 1) / 2).epsilon(0.05));
    CHECK(elongationInside(Vec3d(1, 0.6, 1).asDiagonal()) < 0.05);
    CHECK(elongationInside(Vec3d(1.5, 1, 1).asDiagonal()) == Approx(0.5).epsilon(0.05));
}
