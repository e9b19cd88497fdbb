// What a rigid piece answers, against its motion and its shape.

#include "common/body/rigid_piece.h"

#include <catch2/catch.hpp>
#include <random>

#include "common/body/shapes.h"

using namespace firn;

namespace {

/// Two keys per second with every easing: up to 600 degrees and 3 m between keys.
std::shared_ptr<const Motion> wildMotion()
{
    std::vector<BodyKey> keys;
    const Easing eases[] = {Easing::Linear, Easing::Smooth, Easing::In, Easing::Out, Easing::Step};
    keys.reserve(10);
    for (int k = 0; k < 10; ++k)
        keys.push_back({0.5 * k, Vec3d(k % 2 ? 2 : 0, 0.3 * k, k % 3), Vec3d(20, k % 2 ? 600 : 0, 35), eases[k % 5]});
    return makeKeyframeMotion(keys);
}

std::shared_ptr<const BodyPiece> wildBox()
{
    return makeRigidPiece({"box", makeBox(Vec3d(1, 2, 0.5), 0.1), wildMotion()}, Friction{0.3, false});
}

/// The surface's vertices in the world at a time.
std::vector<Vec3d> verticesAt(const BodyPiece& piece, double time_s)
{
    const auto surface = std::get<PosedMesh>(piece.surface(time_s));
    std::vector<Vec3d> vertices;
    for (const Vec3f& v : surface.mesh->vertices) vertices.push_back(surface.pose.toWorld(v.cast<double>()));
    return vertices;
}

}  // namespace

TEST_CASE("a placed piece answers distance and normal where its motion has it at the end of the interval", "[body]")
{
    // A box of 4 x 1 x 2 m turned by 90 degrees about z at (0, 5, 0): its long edge reaches from y = 3 to y = 7.
    // It arrives there after 1 s, from 10 m beside it.
    const auto piece = makeRigidPiece({"ramp", makeBox(Vec3d(4, 1, 2), 0),
                                       makeKeyframeMotion({{0, Vec3d(10, 5, 0), Vec3d(0, 0, 90), Easing::Linear},
                                                           {1, Vec3d(0, 5, 0), Vec3d(0, 0, 90), Easing::Linear}})},
                                      Friction{0.2, true});
    const auto placed = piece->place(0, 1);
    Vec3d normal;
    CHECK(placed->distance(Vec3d(0, 8, 0), normal) == Approx(1));
    CHECK((normal - Vec3d::UnitY()).norm() < 1e-12);
    CHECK(placed->distance(Vec3d(-0.25, 5, 0), normal) == Approx(-0.25));
    CHECK((normal + Vec3d::UnitX()).norm() < 1e-12);
    normal = Vec3d::Zero();
    double distance = 0;
    CHECK_FALSE(placed->within(Vec3d(0, 8, 0), 0.9, distance, normal));
    CHECK(normal == Vec3d::Zero());  // points far outside have no normal
    CHECK(placed->within(Vec3d(0, 8, 0), 1.1, distance, normal));
    CHECK(distance == Approx(1));
    CHECK(placed->within(Vec3d(-0.25, 5, 0), 0, distance, normal));
    CHECK(distance == Approx(-0.25));
    CHECK((normal + Vec3d::UnitX()).norm() < 1e-12);
    CHECK((placed->velocity(Vec3d(0, 5, 0)) - Vec3d(-10, 0, 0)).norm() < 1e-12);
    CHECK(placed->friction(Vec3d(0, 7, 0), Vec3d::UnitY()).coefficient == 0.2);
    CHECK(placed->friction(Vec3d(0, 7, 0), Vec3d::UnitY()).sticky);
}

TEST_CASE("a piece's velocity is the difference quotient of the way of its material points", "[body]")
{
    // Over an interval it is exact: (x(t) - x(t - dt)) / dt. For short intervals it is the derivative at their middle,
    // up to x''' dt^2 / 24: below 1e-4 for turns of 20 rad/s at 1.2 m from the axis and dt = 1e-4 s.
    const auto motion = wildMotion();
    const auto piece = wildBox();
    const Vec3d local(0.4, -0.9, 0.2);
    const auto at = [&](double t) { return motion->pose(t).toWorld(local); };
    for (const double t : {0.2, 0.7, 1.3, 1.9, 2.8}) {
        for (const double dt : {0.1, 1e-4})
            CHECK((piece->place(t - dt, dt)->velocity(at(t)) - (at(t) - at(t - dt)) / dt).norm() < 1e-10);
        const double dt = 1e-4, e = 1e-6;
        const Vec3d derivative = (at(t - dt / 2 + e) - at(t - dt / 2 - e)) / (2 * e);
        CHECK((piece->place(t - dt, dt)->velocity(at(t)) - derivative).norm() < 1e-4);
        CHECK(piece->place(t, 0)->velocity(at(t)) == Vec3d::Zero());
    }
}

TEST_CASE("the bounds over an interval hold every point of the piece at every time in it", "[body]")
{
    const auto piece = wildBox();
    std::mt19937 random(5);
    std::uniform_real_distribution<double> unit(0, 1);
    for (int i = 0; i < 60; ++i) {
        const double start = 5 * unit(random), length = i % 3 ? unit(random) : 1e-3 * unit(random);
        const Box3d box = piece->bounds(start, length);
        for (const double share : {0.0, unit(random), unit(random), unit(random), 1.0})
            for (const Vec3d& x : verticesAt(*piece, start + length * share))
                REQUIRE(box.exteriorDistance(x) < 1e-6);  // vertices are float
    }
    // At one moment they are those of the turned box: edges 1 x 2 x 0.5 turned by 90 degrees about z.
    const auto still = makeRigidPiece(
        {"box", makeBox(Vec3d(1, 2, 0.5), 0), makeStaticMotion({rotationFromEuler(Vec3d(0, 0, 90)), Vec3d(1, 0, 0)})},
        {});
    CHECK(still->bounds(3, 2).isApprox(Box3d(Vec3d(0, -0.5, -0.25), Vec3d(2, 0.5, 0.25)), 1e-12));
}

TEST_CASE("no point of a piece is faster than its fastest point", "[body]")
{
    const auto piece = wildBox();
    double closest = 0;
    for (int i = 0; i < 364; ++i) {
        const double t = 0.01 + 0.0137 * i;  // to 5 s
        const double most = piece->maxSpeed(t);
        const auto placed = piece->place(t, 1e-3);
        for (const Vec3d& x : verticesAt(*piece, t + 1e-3)) {
            REQUIRE(placed->velocity(x).norm() <= most + 1e-4);  // vertices are float
            if (most > 1) closest = std::max(closest, placed->velocity(x).norm() / most);
        }
    }
    // The bound is v + omega R, with R = 1.146 m to the farthest corner. The box turns about an axis 20 degrees from
    // its long edge, so points of its rounded corners are r = 0.70 m from the axis, on both sides. One of them moves
    // with at least sqrt(v^2 + (omega r)^2) >= (v + omega r) / sqrt(2), which is 0.61 / 1.414 = 0.43 of the bound.
    CHECK(closest > 0.43);
}

TEST_CASE("a ball that reaches into a piece is never missed, and one that is far is left out", "[body]")
{
    const auto piece = wildBox();
    std::mt19937 random(6);
    std::uniform_real_distribution<double> coordinate(-2, 4), radius(0, 1);
    for (int i = 0; i < 20000; ++i) {
        const auto placed = piece->place(0.9, 0.1);
        const Vec3d center(coordinate(random), coordinate(random), coordinate(random));
        const double r = radius(random);
        Vec3d normal;
        const double distance = placed->distance(center, normal);  // exact for a box
        REQUIRE(placed->mayTouch(center, r) == (distance <= r));
    }
}

TEST_CASE("a rigid piece keeps its surface and moves its pose; a half space has no triangles", "[body]")
{
    const auto piece = wildBox();
    const auto first = std::get<PosedMesh>(piece->surface(0.1)), second = std::get<PosedMesh>(piece->surface(0.9));
    CHECK(first.mesh == second.mesh);
    CHECK(first.pose.translation != second.pose.translation);
    const auto placed = piece->place(0.9, 0);
    Vec3d normal;
    for (const Vec3d& x : verticesAt(*piece, 0.9)) REQUIRE(std::abs(placed->distance(x, normal)) < 1e-6);

    // The ground z = 2 x: normal (-2, 0, 1) / sqrt 5, through (1, 0, 2).
    const auto ground = makeRigidPiece(
        {"ground", makePlane(Vec3d(-2, 0, 1)), makeStaticMotion({Quatd::Identity(), Vec3d(1, 7, 2)})}, {});
    const auto half = std::get<HalfSpace>(ground->surface(0));
    CHECK((half.normal - Vec3d(-2, 0, 1).normalized()).norm() < 1e-12);
    CHECK(half.offset_m == Approx(0).margin(1e-12));
    CHECK(ground->place(0, 0)->mayTouch(Vec3d(1e4, -3e3, 2e4), 1e-3));
    CHECK_FALSE(ground->place(0, 0)->mayTouch(Vec3d(1e4, -3e3, 2e4 + 3), 1));
}

TEST_CASE("a piece that does not move has no velocity, whatever the interval", "[body]")
{
    const auto piece = makeRigidPiece(
        {"ball", makeSphere(1), makeKeyframeMotion({{0, Vec3d(1, 2, 3), Vec3d(4, 5, 6), Easing::Linear}})}, {});
    CHECK(piece->isStatic());
    CHECK(piece->maxSpeed(0) == 0);
    CHECK(piece->place(0, 1e-9)->velocity(Vec3d(1, 3, 3)) == Vec3d::Zero());
}
