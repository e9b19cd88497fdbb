#include "common/snow/ground_height.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "common/body/rigid_piece.h"
#include "common/body/shapes.h"
#include "common/error.h"
#include "common/snow/region.h"

using namespace firn;
using Catch::Contains;

namespace {

/// A layer of 4 x 4 m on a body.
Scene sceneOn(const BodySpec& ground)
{
    Scene scene;
    scene.solver.dx = 0.05;
    SnowRegion layer;
    layer.name = "cover";
    layer.shape = SnowShape::Layer;
    layer.ground = ground.name;
    layer.min = Vec3d(-2, 0, -2);
    layer.max = Vec3d(2, 0, 2);
    layer.depth_m = 0.2;
    scene.snow = {layer};
    scene.bodies = {ground};
    return scene;
}

BodySpec tilted(double angle_deg)
{
    BodySpec plane;
    plane.name = "slope";
    plane.normal = Vec3d(std::sin(angle_deg * pi / 180), std::cos(angle_deg * pi / 180), 0);
    plane.position = Vec3d(0, 3, 0);
    return plane;
}

BodySpec roof()
{
    BodySpec box;
    box.name = "roof";
    box.shape = BodyShape::Box;
    box.size = Vec3d(1, 0.5, 2);
    box.position = Vec3d(0.5, 2, 0);
    return box;
}

double volumeOf(const Scene& scene)
{
    const double dx = scene.solver.dx;
    const std::size_t count = seedsOf(regionsOf(scene), 0, dx, makeBodies(scene)).count();
    return static_cast<double>(count) * dx * dx * dx / scene.snow[0].particles_per_cell;
}

/// Turns about z at 10 rad/s, at a place.
struct Spinning : Motion {
    Vec3d place;
    explicit Spinning(const Vec3d& at) : place(at) {}
    Pose pose(double time_s) const override { return {Quatd(Eigen::AngleAxisd(10 * time_s, Vec3d::UnitZ())), place}; }
    bool isStatic() const override { return false; }
};

}  // namespace

TEST_CASE("Snow on a parked car rests, although the car's wheels turn", "[ground]")
{
    Body car;
    car.pieces = {
        makeRigidPiece({"wheel", makeSphere(0.4), std::make_shared<Spinning>(Vec3d(0, 0.4, 0))}, {}),
        makeRigidPiece({"roof", makeBox(Vec3d(2, 0.2, 2), 0), makeStaticMotion({Quatd::Identity(), {0, 2, 0}})}, {})};
    const GroundHeight ground(car, Box3d(Vec3d(-1, 0, -1), Vec3d(1, 0, 1)), 0.05, 60);
    CHECK(ground.velocity(Vec3d(0.2, 2.3, 0.1)).norm() == 0);
    // The wheel's own top moves along -x.
    car.pieces.pop_back();
    const GroundHeight wheel(car, Box3d(Vec3d(-1, 0, -1), Vec3d(1, 0, 1)), 0.05, 60);
    CHECK((wheel.velocity(Vec3d(0, 0.9, 0)) - Vec3d(-4, 0, 0)).norm() < 0.1);
}

TEST_CASE("A layer on a slope follows it, and its depth is vertical", "[ground]")
{
    const Scene scene = sceneOn(tilted(30));
    const Region region(scene, scene.snow[0]);
    for (const double x : {-1.9, -0.3, 0.0, 1.234}) {
        const double ground = 3 - x * std::tan(pi / 6);
        CHECK(region.depth(Vec3d(x, ground + 0.15, 0.7)) == Approx(0.05).margin(1e-9));
        CHECK(region.depth(Vec3d(x, ground + 0.21, 0.7)) < 0);
        CHECK(region.depth(Vec3d(x, ground - 0.01, 0.7)) < 0);
    }
    CHECK(region.depth(Vec3d(2.1, 3, 0)) < 0);
    CHECK(volumeOf(scene) == Approx(16 * 0.2).epsilon(0.01));
}

TEST_CASE("Steep ground is bare, and the layer thins out before", "[ground]")
{
    CHECK(volumeOf(sceneOn(tilted(44))) == Approx(16 * 0.2).epsilon(0.01));
    CHECK(volumeOf(sceneOn(tilted(50))) == Approx(16 * 0.1).epsilon(0.03));
    CHECK(volumeOf(sceneOn(tilted(60))) == 0);
    Scene steep = sceneOn(tilted(60));
    steep.snow[0].ground_slope_deg = 90;
    CHECK(volumeOf(steep) == Approx(16 * 0.2).epsilon(0.02));
}

TEST_CASE("Snow that fills hollows is deep in them, and a ridge sticks out", "[ground]")
{
    // A floor at 0 with a ridge of .4 m x .5 m along z.
    const auto box = [](const Vec3d& size, double top) {
        const Vec3d place(0, top - size.y() / 2, 0);
        return makeRigidPiece({"box", makeBox(size, 0), makeStaticMotion({Quatd::Identity(), place})}, {});
    };
    Body body;
    body.pieces = {box(Vec3d(20, 1, 30), 0), box(Vec3d(0.4, 1, 30), 0.5)};
    constexpr double fill_m = 0.5;
    const GroundHeight ground(body, Box3d(Vec3d(-2, 0, -2), Vec3d(2, 0, 2)), 0.05, 90, fill_m);
    // What a Gaussian of half that deviation makes of the ridge.
    const auto mean = [](double x) {
        const auto part = [](double y) { return std::erf(y / (fill_m / 2) / std::sqrt(2.0)) / 2; };
        return 0.5 * (part(x + 0.2) - part(x - 0.2));
    };
    for (const double x : {0.0, 0.1, 0.3, -0.5, 1.9}) {
        GroundHeight::Ground found{};
        REQUIRE(ground.at(x, 0, found));
        CHECK(found.height_m == Approx(std::abs(x) < 0.2 ? 0.5 : 0).margin(1e-9));
        CHECK(found.height_m + found.rise_m == Approx(mean(x)).margin(0.03));
    }
    CHECK(ground.highest_m() == Approx(0.5));
    // Layers side by side meet: another outline changes nothing.
    const GroundHeight other(body, Box3d(Vec3d(0, 0, -1), Vec3d(3, 0, 1)), 0.05, 90, fill_m);
    GroundHeight::Ground one{}, again{};
    REQUIRE((ground.at(0.31, 0.2, one) && other.at(0.31, 0.2, again)));
    CHECK(again.rise_m == Approx(one.rise_m).epsilon(1e-9));
}

TEST_CASE("On even ground, and on a slope, filling hollows changes nothing", "[ground]")
{
    for (const BodySpec& body : {roof(), tilted(30)}) {
        Scene scene = sceneOn(body);
        const double before = volumeOf(scene);
        const Vec3d inside(0.5, 0, 0.2);
        const double ground = body.name == "roof" ? 2.25 : 3 - 0.5 * std::tan(pi / 6);
        scene.snow[0].ground_fill_m = 0.4;
        CHECK(Region(scene, scene.snow[0]).depth(inside + Vec3d(0, ground + 0.05, 0)) == Approx(0.15).margin(1e-3));
        CHECK(volumeOf(scene) == Approx(before).epsilon(0.01));
    }
}

TEST_CASE("Snow lies on a roof, and nowhere beside it", "[ground]")
{
    const Scene scene = sceneOn(roof());
    const Region region(scene, scene.snow[0]);
    CHECK(region.bounds().min().y() == Approx(2.25));
    CHECK(region.depth(Vec3d(0.5, 2.3, 0)) == Approx(0.15));
    CHECK(region.depth(Vec3d(-0.1, 2.3, 0)) < 0);
    CHECK(region.depth(Vec3d(0.5, 0.1, 0)) < 0);
    CHECK(volumeOf(scene) == Approx(2 * 0.2).epsilon(0.02));
}

TEST_CASE("A roof that moves carries the snow where it is at the first frame", "[ground]")
{
    BodySpec car = roof();
    car.keys = {{0, Vec3d(-1, 1, 0)}, {1, Vec3d(5, 1, 0)}};
    const Scene scene = sceneOn(car);
    CHECK(Region(scene, scene.snow[0]).depth(Vec3d(-1, 1.3, 0)) == Approx(0.15));
}

TEST_CASE("A layer of kilometres on fine cells is refused before it takes memory", "[ground]")
{
    Scene scene = sceneOn(roof());
    scene.snow[0].min = Vec3d(-5000, 0, -5000);
    scene.snow[0].max = Vec3d(5000, 0, 5000);
    CHECK_THROWS_WITH(Region(scene, scene.snow[0]), Contains("too large for its ground with cells of 0.05"));
}

TEST_CASE("A layer beside its ground is refused", "[ground]")
{
    BodySpec far = roof();
    far.position = Vec3d(10, 0, 0);
    const Scene scene = sceneOn(far);
    CHECK_THROWS_WITH(Region(scene, scene.snow[0]),
                      Contains("snow region 'cover': no part of its ground, body 'roof', has an upper surface between "
                               "its min and max; the body is at x 9.5 to 10.5"));
}
