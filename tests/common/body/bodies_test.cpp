#include <catch2/catch.hpp>

#include "common/body/body.h"
#include "common/body/mesh.h"
#include "common/body/nested.h"
#include "common/body/shapes.h"
#include "common/error.h"
#include "tests/common/body/scratch_folder.h"

using namespace firn;

namespace {

Scene sceneWith(const BodySpec& spec)
{
    Scene scene;
    scene.file = "shot.toml";
    scene.bodies = {spec};
    return scene;
}

std::string objOf(const TriangleMesh& mesh)
{
    std::string text;
    for (const Vec3f& v : mesh.vertices)
        text += "v " + std::to_string(v.x()) + " " + std::to_string(v.y()) + " " + std::to_string(v.z()) + "\n";
    for (const Vec3i& t : mesh.triangles)
        text +=
            "f " + std::to_string(t[0] + 1) + " " + std::to_string(t[1] + 1) + " " + std::to_string(t[2] + 1) + "\n";
    return text;
}

}  // namespace

TEST_CASE("a body that is smaller than a cell gets a remark, because its scale is surely wrong", "[body]")
{
    BodySpec spec;
    spec.name = "pebble";
    spec.shape = BodyShape::Sphere;
    spec.radius_m = 0.4 * sceneWith(spec).solver.dx;
    REQUIRE(makeBody(sceneWith(spec), spec).remarks.size() == 1);
    CHECK_THAT(makeBody(sceneWith(spec), spec).remarks[0],
               Catch::Contains("body 'pebble'") && Catch::Contains("check its scale"));
    spec.radius_m *= 2;
    CHECK(makeBody(sceneWith(spec), spec).remarks.empty());
}

TEST_CASE("a body of the scene has its shape where its position and rotation put it", "[body]")
{
    BodySpec spec;
    spec.name = "ramp";
    spec.shape = BodyShape::Box;
    spec.size = Vec3d(4, 1, 2);
    spec.position = Vec3d(0, 5, 0);
    spec.rotation_deg = Vec3d(0, 0, 90);
    spec.friction = 0.2;
    spec.sticky = true;
    spec.visible = false;
    spec.color = Vec3d(0.1, 0.2, 0.3);
    const std::vector<Body> bodies = makeBodies(sceneWith(spec));
    REQUIRE(bodies.size() == 1);
    CHECK(bodies[0].name == "ramp");
    CHECK(bodies[0].color == spec.color);
    CHECK_FALSE(bodies[0].visible);
    REQUIRE(bodies[0].pieces.size() == 1);
    CHECK(bodies[0].pieces[0]->isStatic());
    const auto piece = bodies[0].pieces[0]->place(0, 0);
    // Turned by 90 degrees its long edge stands up: from y = 3 to y = 7; (0, 8, 0) is 1 above it.
    Vec3d normal;
    CHECK(piece->distance(Vec3d(0, 8, 0), normal) == Approx(1));
    CHECK((normal - Vec3d::UnitY()).norm() < 1e-12);
    CHECK(piece->friction(Vec3d(0, 7, 0), Vec3d::UnitY()).coefficient == 0.2);
    CHECK(piece->friction(Vec3d(0, 7, 0), Vec3d::UnitY()).sticky);
}

TEST_CASE("a mesh becomes a level set of half the solver's cells, three cells deep, moved by its keys", "[body]")
{
    const ScratchFolder folder("mesh-body");
    BodySpec spec;
    spec.name = "plough";
    spec.shape = BodyShape::Mesh;
    spec.file = folder.write("ball.obj", objOf(makeSphere(50)->mesh()));
    spec.scale = 0.01;
    spec.keys = {{0, Vec3d(0, 0, 0), Vec3d::Zero(), Easing::Linear},
                 {1, Vec3d(2, 0, 0), Vec3d::Zero(), Easing::Linear}};
    Scene scene = sceneWith(spec);
    scene.solver.dx = 0.05;
    const std::vector<Body> bodies = makeBodies(scene);
    const auto piece = bodies[0].pieces.at(0)->place(0.5, 0);
    Vec3d normal;  // at half time the ball is at x = 1: the points are 0.1 and, three cells, 0.15 outside
    CHECK(piece->distance(Vec3d(1, 0.6, 0), normal) == Approx(0.1).margin(0.004));
    CHECK(piece->distance(Vec3d(1, 0.65, 0), normal) == Approx(0.15).margin(0.004));
}

TEST_CASE("a mesh with a hole is refused with body, file, count and place", "[body]")
{
    const ScratchFolder folder("holed");
    TriangleMesh box = makeBox(Vec3d(2, 2, 2), 0)->mesh();
    box.triangles.pop_back();  // one triangle: three open edges
    BodySpec spec;
    spec.name = "truck";
    spec.shape = BodyShape::Mesh;
    spec.file = folder.write("truck.obj", objOf(box));
    CHECK_THROWS_WITH(makeBodies(sceneWith(spec)), Catch::Contains("\"truck\"") && Catch::Contains("truck.obj") &&
                                                       Catch::Contains("3 open edges") &&
                                                       Catch::Contains("near vertex"));
    spec.collides = false;  // nothing needs its inside
    CHECK(makeBodies(sceneWith(spec))[0].pieces.size() == 1);
}

TEST_CASE("a character whose clip cannot be read is refused as a file error", "[body]")
{
    BodySpec spec;
    spec.name = "walker";
    spec.shape = BodyShape::Character;
    spec.file = "/nonexistent/walk.bvh";
    try {
        makeBodies(sceneWith(spec));
        FAIL("no error");
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::File);
        CHECK_THAT(error.what(), Catch::Contains("walk.bvh"));
    }
}

TEST_CASE("a body inside another is found, one that sticks out is not", "[body]")
{
    BodySpec ground, rock, post;
    ground.shape = BodyShape::Plane;
    rock.shape = BodyShape::Sphere;
    rock.radius_m = 0.2;
    rock.position = Vec3d(1, -0.3, 0);
    post.shape = BodyShape::Box;
    post.size = Vec3d(0.1, 1, 0.1);
    Scene scene;
    scene.bodies = {ground, rock, post};
    const auto nested = nestedBodies(makeBodies(scene), 0);
    REQUIRE(nested.size() == 1);
    CHECK(nested[0] == std::pair<std::size_t, std::size_t>(1, 0));
    scene.bodies[1].position.y() = -0.19;
    CHECK(nestedBodies(makeBodies(scene), 0).empty());
    scene.bodies = {post, post};
    CHECK(nestedBodies(makeBodies(scene), 0).size() == 2);
}

TEST_CASE("bodies that do not collide are rendered and carry others, but snow does not meet them", "[body]")
{
    Scene scene;
    BodySpec wheel;
    wheel.name = "wheel";
    wheel.shape = BodyShape::Sphere;
    wheel.collides = false;
    wheel.position = Vec3d(0, 3, 0);
    BodySpec hub = wheel;
    hub.name = "hub";
    hub.collides = true;
    hub.parent = "wheel";
    scene.bodies = {wheel, hub};
    CHECK(makeBodies(scene).size() == 2);
    const std::vector<Body> colliding = makeCollidingBodies(scene);
    REQUIRE(colliding.size() == 1);
    CHECK(colliding[0].name == "hub");
    CHECK(isInside(*colliding[0].pieces[0]->place(0, 0), Vec3d(0, 6, 0)));
}

TEST_CASE("A mesh of kilometres that nothing collides with needs no voxels of the solver's size", "[body]")
{
    const ScratchFolder folder("mountain");
    Scene scene;
    BodySpec spec;
    spec.name = "mountain";
    spec.shape = BodyShape::Mesh;
    spec.collides = false;
    spec.file = folder.write("mountain.obj",
                             "v -1500 0 -1500\nv 1500 0 -1500\nv 1500 0 1500\nv -1500 0 1500\nv 0 900 0\n"
                             "f 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n");
    scene.solver.dx = 0.02;
    scene.bodies = {spec};
    const std::vector<Body> bodies = makeBodies(scene);
    const auto placed = bodies[0].pieces[0]->place(0, 0);
    CHECK(placed->mayTouch(Vec3d(0, 899, 0), 2));
    CHECK_FALSE(isInside(*placed, Vec3d(0, 300, 0)));  // it is open, so it displaces no still snow
    CHECK_FALSE(isInside(*placed, Vec3d(1400, 800, 1400)));
}

TEST_CASE("A body that jumps between keys is told of, unless snow passes through it")
{
    BodySpec spec;
    spec.name = "ball";
    spec.shape = BodyShape::Sphere;
    BodyKey from, to;
    from.ease = Easing::Step;
    to.time_s = 0.5;
    to.position = Vec3d(0, 0.3, 0);
    spec.keys = {from, to};
    REQUIRE(makeBody(sceneWith(spec), spec).remarks.size() == 1);
    CHECK_THAT(makeBody(sceneWith(spec), spec).remarks[0],
               Catch::Contains("body 'ball' jumps by 0.3 m at 0.5 s (ease = \"step\")"));
    spec.collides = false;
    CHECK(makeBody(sceneWith(spec), spec).remarks.empty());
    spec.collides = true;
    spec.keys[0].ease = Easing::Linear;
    CHECK(makeBody(sceneWith(spec), spec).remarks.empty());
}
