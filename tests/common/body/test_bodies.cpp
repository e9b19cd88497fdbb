#include <catch2/catch.hpp>

#include "common/body/body.h"
#include "common/error.h"

using namespace firn;

namespace {

Scene sceneWith(const BodySpec& spec)
{
    Scene scene;
    scene.file = "shot.toml";
    scene.bodies = {spec};
    return scene;
}

}  // namespace

TEST_CASE("a body of the scene has its shape where its position and rotation put it", "[body]")
{
    BodySpec spec;
    spec.name = "ramp";
    spec.shape = BodyShape::Box;
    spec.size = Vec3d(4, 1, 2);
    spec.position = Vec3d(0, 5, 0);
    spec.rotation_deg = Vec3d(0, 0, 90);
    spec.friction = 0.2;
    const std::vector<Body> bodies = makeBodies(sceneWith(spec));
    REQUIRE(bodies.size() == 1);
    CHECK(bodies[0].name == "ramp");
    CHECK(bodies[0].friction == 0.2);
    REQUIRE(bodies[0].pieces.size() == 1);
    const BodyPiece& piece = bodies[0].pieces[0];
    CHECK(piece.motion->isStatic());
    // Turned by 90 degrees its long edge stands up: from y = 3 to y = 7; (0, 8, 0) is 1 above it.
    Vec3d gradient;
    const Pose pose = piece.motion->pose(0);
    CHECK(piece.shape->distance(pose.toLocal(Vec3d(0, 8, 0)), gradient) == Approx(1));
    CHECK((pose.rotation * gradient - Vec3d::UnitY()).norm() < 1e-12);
}

TEST_CASE("a shape that cannot exist is refused with the body's name and the value", "[body]")
{
    BodySpec spec;
    spec.name = "ball";
    spec.shape = BodyShape::Sphere;
    spec.radius_m = -1;
    CHECK_THROWS_WITH(makeBodies(sceneWith(spec)),
                      Catch::Contains("shot.toml") && Catch::Contains("\"ball\"") && Catch::Contains("radius_m = -1"));
    spec.shape = BodyShape::Box;
    spec.rounding_m = 0.6;
    CHECK_THROWS_WITH(makeBodies(sceneWith(spec)), Catch::Contains("rounding_m"));
}
