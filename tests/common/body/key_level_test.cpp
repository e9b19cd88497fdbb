// Level sets of one time of a deforming surface, against all triangles and against solids that are known.

#include "common/body/key_level.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <thread>

#include "common/body/shapes.h"

using namespace firn;

namespace {

struct Surface {
    std::vector<Vec3d> vertices;
    std::vector<Vec3i> triangles;
};

void add(Surface& surface, TriangleMesh mesh, const Vec3d& at)
{
    weldVertices(mesh);
    const Vec3i first = Vec3i::Constant(static_cast<int>(surface.vertices.size()));
    for (const Vec3f& v : mesh.vertices) surface.vertices.push_back(v.cast<double>() + at);
    for (const Vec3i& t : mesh.triangles) surface.triangles.push_back(t + first);
}

/// Random triangles of all sizes, among them slivers and points.
Surface soup(std::mt19937& random)
{
    std::uniform_real_distribution<double> unit(-1, 1);
    Surface result;
    for (int t = 0; t < 400; ++t) {
        const Vec3d at(unit(random), unit(random), unit(random));
        const double size = std::pow(10.0, unit(random) - 1), width = t % 5 == 0 ? 1e-9 : t % 7 == 0 ? 0 : 1;
        const Vec3d along(unit(random), unit(random), unit(random)), beside(unit(random), unit(random), unit(random));
        const int first = static_cast<int>(result.vertices.size());
        result.vertices.insert(result.vertices.end(), {at, at + size * along, at + size * (along + width * beside)});
        if (t % 11 == 0) result.vertices.back() = result.vertices[first + 1] = at;
        result.triangles.emplace_back(first, first + 1, first + 2);
    }
    return result;
}

}  // namespace

TEST_CASE("the nearest triangle of a set is that of all triangles", "[body]")
{
    std::mt19937 random(7);
    std::uniform_real_distribution<double> unit(-1, 1);
    const Surface surface = soup(random);
    const NearestTriangles search(surface.vertices, surface.triangles);
    const auto at = [&](const SurfacePoint& p) -> Vec3d {
        const Vec3i& t = surface.triangles[p.triangle];
        return p.weights[0] * surface.vertices[t[0]] + p.weights[1] * surface.vertices[t[1]] +
               p.weights[2] * surface.vertices[t[2]];
    };
    for (int ball = 0; ball < 200; ++ball) {
        const Vec3d center = 2 * Vec3d(unit(random), unit(random), unit(random));
        const double radius = 0.2 * std::abs(unit(random));
        NearestTriangles::Set set = search.set(center, 0.5 * radius, search.around(center, radius));
        SurfacePoint nearest;
        for (int k = 0; k < 20; ++k) {
            const Vec3d out = Vec3d(unit(random), unit(random), unit(random));
            const Vec3d point = center + 0.5 * radius * out / std::max(1.0, out.norm());
            double least = 1e9;
            for (const Vec3i& t : surface.triangles) {
                const Vec3d &a = surface.vertices[t[0]], &b = surface.vertices[t[1]], &c = surface.vertices[t[2]];
                const Vec3d w = nearestWeights(point, a, b, c);
                least = std::min(least, (w[0] * a + w[1] * b + w[2] * c - point).norm());
            }
            const double found = set.find(point, nearest);
            REQUIRE(found == Approx(least).epsilon(1e-6).margin(1e-9));
            REQUIRE((at(nearest) - point).norm() == Approx(found).margin(1e-6));
        }
    }
}

TEST_CASE("no point of a triangle is nearer than its nearest one", "[body]")
{
    std::mt19937 random(11);
    std::uniform_real_distribution<double> unit(-1, 1);
    const Surface surface = soup(random);
    for (const Vec3i& t : surface.triangles) {
        const Vec3d &a = surface.vertices[t[0]], &b = surface.vertices[t[1]], &c = surface.vertices[t[2]];
        const Vec3d point = a + 0.3 * Vec3d(unit(random), unit(random), unit(random));
        const Vec3d w = nearestWeights(point, a, b, c);
        REQUIRE(w.minCoeff() >= 0);
        REQUIRE(w.sum() == Approx(1));
        const double found = (w[0] * a + w[1] * b + w[2] * c - point).norm();
        for (int i = 0; i <= 20; ++i)
            for (int j = 0; i + j <= 20; ++j) {
                const Vec3d other = (i * a + j * b + (20 - i - j) * c) / 20;
                REQUIRE((other - point).norm() >= found - 1e-9);
            }
    }
}

TEST_CASE("balls that overlap are one solid, and a ball in a ball makes no hole", "[body]")
{
    const double near = GENERATE(0.0, 0.15);  // centre of the small ball
    Surface surface;
    add(surface, makeSphere(0.3)->mesh(), Vec3d::Zero());
    add(surface, makeSphere(0.2)->mesh(), {near + 0.2, 0, 0});
    add(surface, makeSphere(0.1)->mesh(), {near, 0.05, 0});
    const KeyLevel level(surface.vertices, surface.triangles, {0.01, 0.05});
    std::mt19937 random(3);
    std::uniform_real_distribution<double> unit(-0.6, 0.6);
    int inside = 0;
    for (int k = 0; k < 20000; ++k) {
        Vec3d p;
        for (double& x : p) x = unit(random);
        const double big = p.norm() - 0.3, small = (p - Vec3d(near + 0.2, 0, 0)).norm() - 0.2;
        const double inner = (p - Vec3d(near, 0.05, 0)).norm() - 0.1, solid = std::min(big, small);
        std::array<double, 3> apart = {std::abs(big), std::abs(small), std::abs(inner)};
        std::ranges::sort(apart);
        Vec3d gradient;
        const double found = level.distance(p, gradient);
        if (apart[0] < 0.025) continue;  // a cell at a surface has nodes on both sides of it
        REQUIRE((found < 0) == (solid < 0));
        // Halfway between two surfaces, the distance has a ridge, which interpolation rounds by up to half the
        // diagonal of a cell.
        const bool isAtRidge = apart[1] - apart[0] <= 0.02;
        if (std::abs(found) < 0.045)
            REQUIRE(std::abs(found) == Approx(apart[0]).margin(isAtRidge ? 0.5 * std::sqrt(3) * 0.01 : 0.0015));
        inside += found < 0;
    }
    CHECK(inside > 500);
}

TEST_CASE("a surface whose vertices are on the nodes of the level set has its volume", "[body]")
{
    Surface surface;
    add(surface, makeBox({0.5, 0.25, 0.75}, 0)->mesh(), Vec3d::Zero());
    // A node on the surface counts on one of two sides.
    CHECK(volumeInVoxels_m3(surface.vertices, surface.triangles, {1.0 / 64, 0.05}) == 0.5 * 0.25 * 0.75);
}

TEST_CASE("bricks are the same for threads that ask in any order", "[body]")
{
    Surface surface;
    add(surface, makeSphere(0.3)->mesh(), Vec3d(0.01, 0.02, 0.03));
    std::vector<Vec3d> vectors;
    for (const Vec3d& v : surface.vertices) vectors.push_back(v.cross(Vec3d(1, 2, 3)));
    std::vector<Vec3d> points;
    points.reserve(20000);
    std::mt19937 random(5);
    std::uniform_real_distribution<double> unit(-0.4, 0.4);
    for (int k = 0; k < 20000; ++k) points.emplace_back(unit(random), unit(random), unit(random));
    struct Answer {
        double distance = 0;
        Vec3d gradient = Vec3d::Zero(), vector = Vec3d::Zero();
        bool operator==(const Answer&) const = default;
    };
    const auto answers = [&](int threads, bool backwards) {
        const auto level =
            std::make_shared<const KeyLevel>(surface.vertices, surface.triangles, KeyLevelOptions{0.01, 0.04});
        const KeyVectors carried(level, vectors);
        std::vector<Answer> result(points.size());
        const auto ask = [&](std::size_t first) {
            for (std::size_t k = first; k < points.size(); k += threads) {
                Answer& answer = result[backwards ? points.size() - 1 - k : k];
                const Vec3d& point = points[backwards ? points.size() - 1 - k : k];
                answer.distance = level->distance(point, answer.gradient);
                carried.at(point, answer.vector);
            }
        };
        std::vector<std::thread> running;
        running.reserve(static_cast<std::size_t>(threads));
        for (int t = 0; t < threads; ++t) running.emplace_back(ask, t);
        for (std::thread& t : running) t.join();
        return result;
    };
    const std::vector<Answer> once = answers(1, false);
    CHECK(once == answers(1, true));
    CHECK(once == answers(4, false));
}
