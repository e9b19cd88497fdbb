// Bodies from animated files.

#include "common/body/file_body.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "common/body/body.h"
#include "common/error.h"
#include "common/scene/hash.h"
#include "tests/common/body/gltf_arm.h"

using namespace firn;

namespace {

/// A file in which one key has another name.
Scene armSceneWithout(const ScratchFolder& folder, const std::string& key)
{
    Scene scene = armScene(folder);
    std::ifstream in(scene.bodies[0].file);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    text.at(text.find("\"" + key + "\"") + 1) = 'x';
    folder.write("arm.gltf", text);
    return scene;
}

double distanceTo(const Body& body, const Vec3d& point, double time_s)
{
    Vec3d normal;
    double least = 1e9;
    for (const auto& piece : body.pieces) least = std::min(least, piece->place(time_s, 0)->distance(point, normal));
    return least;
}

/// The error of a file, and that it names the body and the file.
void checkError(const Scene& scene, ExitCode code, const std::string& what)
{
    try {
        makeBodies(scene);
        FAIL("no error");
    } catch (const Error& e) {
        CHECK(e.code() == code);
        CHECK_THAT(e.what(), Catch::Contains("\"arm\"") && Catch::Contains(scene.bodies[0].file.filename().string()) &&
                                 Catch::Contains(what));
    }
}

}  // namespace

TEST_CASE("a skin bends as its bones turn", "[body]")
{
    const ScratchFolder folder("skin");
    const std::vector<Body> bodies = makeBodies(armScene(folder));
    REQUIRE(bodies[0].pieces.size() == 1);
    CHECK(bodies[0].remarks.empty());
    // Straight at 0 s: the tip is at (0, 1, 0). Bent by 90 degrees about z at 1 s: it is at (-.5, .5, 0).
    CHECK(distanceTo(bodies[0], Vec3d(0, 0.9, 0), 0) < -0.05);
    CHECK(distanceTo(bodies[0], Vec3d(0, 0.9, 0), 1) > 0.05);
    CHECK(distanceTo(bodies[0], Vec3d(-0.4, 0.5, 0), 0) > 0.05);
    CHECK(distanceTo(bodies[0], Vec3d(-0.4, 0.5, 0), 1) < -0.05);
    CHECK(distanceTo(bodies[0], Vec3d(0, 0.2, 0), 1) < -0.05);
}

TEST_CASE("weights may be stored as integers", "[body]")
{
    const int bits = GENERATE(8, 16);
    const bool isBinary = GENERATE(false, true);
    CAPTURE(bits, isBinary);
    const ScratchFolder folder("weights"), other("float-weights");
    const auto surface = [](const Scene& scene) {
        return std::get<PosedMesh>(makeBodies(scene)[0].pieces[0]->surface(0.7)).mesh->vertices;
    };
    const auto found = surface(armScene(folder, {.weight_bits = bits, .is_binary = isBinary}));
    const auto expected = surface(armScene(other));
    REQUIRE(found.size() == expected.size());
    for (std::size_t v = 0; v < found.size(); ++v) CHECK((found[v] - expected[v]).norm() < 0.003f);  // 1/255 of 0.5 m
}

TEST_CASE("the material of a skin moves with its bone", "[body]")
{
    const ScratchFolder folder("skin-speed");
    const std::vector<Body> bodies = makeBodies(armScene(folder));
    const double turn = pi / 2;  // rad/s
    for (const double time_s : {0.2, 0.5, 0.77}) {
        const double dt = 1e-3, angle = turn * time_s;
        const auto placed = bodies[0].pieces[0]->place(time_s - dt, dt);
        // On the side of the upper arm, .4 m from the elbow.
        const Vec3d along(-std::sin(angle), std::cos(angle), 0), across(std::cos(angle), std::sin(angle), 0);
        const Vec3d arm = 0.4 * along + 0.1 * across, point = Vec3d(0, 0.5, 0) + arm;
        Vec3d normal;
        CHECK(std::abs(placed->distance(point, normal)) < 0.1 * 0.025);
        CHECK((normal - across).norm() < 0.02);
        const Vec3d expected = turn * Vec3d::UnitZ().cross(arm);
        CHECK((placed->velocity(point) - expected).norm() < 0.01 * expected.norm());
    }
}

TEST_CASE("a node that only turns is a rigid piece, and its parent carries it", "[body]")
{
    const ScratchFolder folder("node");
    Scene scene = armScene(folder, {.has_skin = false});
    BodySpec truck;
    truck.name = "truck";
    truck.shape = BodyShape::Sphere;
    truck.keys = {{0, Vec3d(0, 5, 0), Vec3d::Zero()}, {1, Vec3d(10, 5, 0), Vec3d::Zero()}};
    scene.bodies.push_back(truck);
    scene.bodies[0].parent = "truck";
    scene.bodies[0].velocity = Vec3d(0, 0, 2);
    const std::vector<Body> bodies = makeBodies(scene);
    REQUIRE(bodies[0].pieces.size() == 1);
    const PieceSurface a = bodies[0].pieces[0]->surface(0), b = bodies[0].pieces[0]->surface(0.5);
    CHECK(std::get<PosedMesh>(a).mesh == std::get<PosedMesh>(b).mesh);
    // At half a second the arm has turned by 45 degrees, the truck is at x = 5 and the arm has drifted to z = 1.
    const double s = std::sqrt(0.5);
    CHECK(distanceTo(bodies[0], Vec3d(5, 5, 1) + 0.9 * Vec3d(-s, s, 0), 0.5) < -0.05);
    const auto placed = bodies[0].pieces[0]->place(0.5, 1e-4);
    const Vec3d arm = 0.9 * Vec3d(-s, s, 0);
    const Vec3d expected = Vec3d(10, 0, 2) + pi / 2 * Vec3d::UnitZ().cross(arm);
    CHECK((placed->velocity(Vec3d(5, 5, 1) + arm) - expected).norm() < 0.01);
}

TEST_CASE("a clip loops, starts late and runs at another speed", "[body]")
{
    const ScratchFolder folder("clip");
    Scene scene = armScene(folder, {.has_skin = false});
    CHECK(makeBodies(scene)[0].clip == "clip 'bend' of 1 s");
    const auto tip = [&](double time_s) {
        const Pose pose = std::get<PosedMesh>(makeBodies(scene)[0].pieces[0]->surface(time_s)).pose;
        return std::atan2(-pose.toWorld(Vec3d(0, 1, 0)).x(), pose.toWorld(Vec3d(0, 1, 0)).y()) * 180 / pi;
    };
    CHECK(tip(0.5) == Approx(45));
    CHECK(tip(2) == Approx(90));  // it stays where it ends
    scene.bodies[0].time_scale = 2;
    CHECK(tip(0.25) == Approx(45));
    scene.bodies[0].time_offset_s = 0.5;
    CHECK(tip(0) == Approx(45));
    scene.bodies[0].time_scale = 1;
    scene.bodies[0].time_offset_s = 0;
    scene.bodies[0].loop = true;
    // The last pose is not the first one: one more step of 1/24 s leads back.
    CHECK(tip(1 + 0.5 / 24) == Approx(45));
    CHECK(tip(1 + 1. / 24) == Approx(0).margin(1e-6));
    CHECK(tip(1.5 + 1. / 24) == Approx(45));
}

TEST_CASE("an FBX file is in metres with y up, whatever its unit and axes are", "[body]")
{
    // A box of 2 x 4 x 6 file units whose corner is at the origin; z is up in the second file.
    const std::string head =
        "; FBX 7.4.0 project file\nFBXHeaderExtension: {\n\tFBXHeaderVersion: 1003\n\tFBXVersion: 7400\n}\n";
    const auto settings = [](int up, int front, int frontSign, double unit_cm) {
        const auto line = [](const std::string& name, const std::string& type, const std::string& value) {
            return "\t\tP: \"" + name + "\", \"" + type + "\", \"\", \"\"," + value + "\n";
        };
        return "GlobalSettings: {\n\tVersion: 1000\n\tProperties70: {\n" + line("UpAxis", "int", std::to_string(up)) +
               line("UpAxisSign", "int", "1") + line("FrontAxis", "int", std::to_string(front)) +
               line("FrontAxisSign", "int", std::to_string(frontSign)) + line("CoordAxis", "int", "0") +
               line("CoordAxisSign", "int", "1") + line("UnitScaleFactor", "double", std::to_string(unit_cm)) +
               "\t}\n}\n";
    };
    const std::string objects =
        "Objects: {\n\tGeometry: 1, \"Geometry::box\", \"Mesh\" {\n"
        "\t\tVertices: *24 {\n\t\t\ta: 0,0,0,2,0,0,2,4,0,0,4,0,0,0,6,2,0,6,2,4,6,0,4,6\n\t\t}\n"
        "\t\tPolygonVertexIndex: *24 {\n"
        "\t\t\ta: 0,3,2,-2,4,5,6,-8,0,1,5,-5,2,3,7,-7,0,4,7,-4,1,2,6,-6\n\t\t}\n\t}\n"
        "\tModel: 2, \"Model::box\", \"Mesh\" {\n\t\tVersion: 232\n\t}\n}\n"
        "Connections: {\n\tC: \"OO\",1,2\n\tC: \"OO\",2,0\n}\n";
    const ScratchFolder folder("fbx");
    const auto boundsOf = [&](const std::string& text) {
        return makeBodies(sceneWith(folder.write("box.fbx", text)))[0].pieces.at(0)->bounds(0, 0);
    };
    const Box3d centimetres = boundsOf(head + settings(1, 2, 1, 10) + objects);
    CHECK((centimetres.min() - Vec3d(0, 0, 0)).norm() < 0.03);
    CHECK((centimetres.max() - Vec3d(0.2, 0.4, 0.6)).norm() < 0.03);
    const Box3d inches = boundsOf(head + settings(2, 1, -1, 25.4) + objects);
    CHECK((inches.min() - Vec3d(0, 0, -4 * 0.254)).norm() < 0.03);
    CHECK((inches.max() - Vec3d(2 * 0.254, 6 * 0.254, 0)).norm() < 0.03);
}

TEST_CASE("a clip that ends before the shot is told of, unless it is repeated", "[body]")
{
    const ScratchFolder folder("short");
    Scene scene = armScene(folder);
    ++scene.end_frame;
    REQUIRE(makeBodies(scene)[0].remarks.size() == 1);
    CHECK_THAT(makeBodies(scene)[0].remarks[0],
               Catch::Contains("it plays from 0 s to 1 s of scene time, and the shot lasts from 0 s to 1.04 s"));
    scene.bodies[0].loop = true;
    CHECK(makeBodies(scene)[0].remarks.empty());
}

TEST_CASE("flat holes are closed with a remark, others are refused with their place", "[body]")
{
    const ScratchFolder folder("holes");
    const std::vector<Body> bodies = makeBodies(armScene(folder, {.has_top = false}));
    REQUIRE(bodies[0].remarks.size() == 1);
    CHECK_THAT(bodies[0].remarks[0],
               Catch::Contains("'arm'") && Catch::Contains("closed 1 hole, 0.28 m wide at (0, 1, 0)"));
    CHECK(bodies[0].closed.empty());
    CHECK(distanceTo(bodies[0], Vec3d(0, 0.9, 0), 0) < -0.05);
    const std::vector<Body> tapered = makeBodies(armScene(folder, {.has_top = false, .top_x = 0.005f}));
    CHECK(tapered[0].remarks.empty());
    CHECK_THAT(tapered[0].closed, Catch::Contains("closed 1 hole, 0.014 m wide at (0, 1, 0)"));
    Scene open = armScene(folder, {.has_corner = false});
    checkError(open, ExitCode::Usage, "the mesh is not closed");
    open.bodies[0].collides = false;
    CHECK(makeBodies(open)[0].pieces.size() == bodies[0].pieces.size());
}

TEST_CASE("wrong content of animated files is refused with what is wrong", "[body]")
{
    const ScratchFolder folder("gltf-errors");
    Scene scene = armScene(folder);
    scene.bodies[0].clip = "walk";
    checkError(scene, ExitCode::Usage, "it has no clip 'walk'; known names are 'bend'");
    checkError(armScene(folder, {.weight_sum = 0.7f}), ExitCode::Usage, "the weights of vertex 1 sum to 0.7");
    checkError(armScene(folder, {.first_x = std::nanf("")}), ExitCode::File,
               "vertex 1 of mesh 'arm' is not a finite point");
    Scene large = armScene(folder);
    large.bodies[0].scale = 1e6;
    checkError(large, ExitCode::Usage, "check scale");
    Scene rated = armScene(folder);
    rated.bodies[0].fps = 30;
    checkError(rated, ExitCode::Usage, "Use time_scale");
    checkError(sceneWith(folder.write("empty.glb", "")), ExitCode::File, "the file is empty");
    checkError(sceneWith(folder.write("scene.glb", "version = 1")), ExitCode::File,
               "the file begins with \"version = 1\"");
    checkError(sceneWith(folder.write("other.fbx", "  {}")), ExitCode::File,
               "the file is glTF text (.gltf); expected FBX");
    checkError(sceneWith(folder.write("cut.glb", std::string("glTF\2\0\0\0\0\1\0\0", 12) + "{}")), ExitCode::File,
               "the file is cut: it has 14 of 256 bytes");
    checkError(sceneWith(folder.write("noise.gltf", "{no file of any kind}")), ExitCode::File, "it cannot be read");
    const ScratchFolder empty("gltf-no-buffer");
    checkError(armScene(empty, {.has_buffer = false}), ExitCode::File, "arm.bin");
}

TEST_CASE("the scene's hash covers the buffers that a glTF file refers to", "[body]")
{
    const ScratchFolder folder("gltf-hash");
    const Scene scene = armScene(folder);
    const std::string before = sceneHash(scene);
    CHECK(sceneHash(scene) == before);
    std::string bytes;
    {
        std::ifstream in(folder.path("arm.bin"), std::ios::binary);
        bytes.assign(std::istreambuf_iterator<char>(in), {});
    }
    bytes[1] = static_cast<char>(bytes[1] ^ 1);
    folder.write("arm.bin", bytes);
    CHECK(sceneHash(scene) != before);
    std::filesystem::remove(folder.path("arm.bin"));
    CHECK_THROWS_WITH(sceneHash(scene), Catch::Contains(scene.bodies[0].file.string() + ": its buffer: cannot read "));
}

TEST_CASE("a link may lead to a file in another folder", "[body]")
{
    const ScratchFolder folder("gltf-link"), links("gltf-links");
    const Scene scene = armScene(folder);
    std::filesystem::create_symlink(scene.bodies[0].file, links.path("arm.gltf"));
    std::filesystem::create_symlink(folder.path("arm.bin"), links.path("arm.bin"));
    checkError(sceneWith(links.path("arm.gltf")), ExitCode::File, "could not open referenced file \"arm.bin\"");
    std::filesystem::remove(links.path("arm.bin"));
    std::filesystem::copy_file(folder.path("arm.bin"), links.path("arm.bin"));
    CHECK(makeBodies(sceneWith(links.path("arm.gltf"))).size() == 1);
}

TEST_CASE("A node of a file carries another body, whatever the scale of the file", "[body]")
{
    const double scale = GENERATE(1., 0.01);
    const ScratchFolder folder("carrier");
    Scene scene = armScene(folder);
    scene.bodies[0].scale = scale;
    BodySpec ball;
    ball.name = "ball";
    ball.shape = BodyShape::Sphere;
    ball.parent = "arm";
    ball.parent_node = "elbow";
    ball.position = Vec3d(0, 0.3, 0);
    const Pose before = motionOf(scene, ball)->pose(0), after = motionOf(scene, ball)->pose(1);
    CHECK((before.translation - Vec3d(0, 0.5 * scale + 0.3, 0)).norm() < 1e-6);
    CHECK((after.translation - Vec3d(-0.3, 0.5 * scale, 0)).norm() < 1e-6);
    CHECK((after.rotation * Vec3d::UnitY() + Vec3d::UnitX()).norm() < 1e-6);
    scene.bodies[0].velocity = Vec3d(0, 0, 2);
    CHECK((motionOf(scene, ball)->pose(1).translation - Vec3d(-0.3, 0.5 * scale, 2)).norm() < 1e-6);
    ball.parent_node = "elbwo";
    CHECK_THROWS_WITH(motionOf(scene, ball),
                      Catch::Contains("body 'ball': its parent 'arm' has no node 'elbwo'; did you mean 'elbow'?"));
}

TEST_CASE("a glTF mesh that has lost its primitives or positions is refused", "[body]")
{
    const ScratchFolder folder("lost");
    checkError(armSceneWithout(folder, GENERATE("primitives", "POSITION")), ExitCode::File,
               "the file is damaged: its mesh");
}

TEST_CASE("a skin without bind matrices is refused, because its reader would crash", "[body]")
{
    const ScratchFolder folder("unbound");
    checkError(armSceneWithout(folder, "inverseBindMatrices"), ExitCode::Usage, "a skin has no inverseBindMatrices");
}

TEST_CASE("a clip whose key times go back is refused; of keys at the same time, the first one counts", "[body]")
{
    const ScratchFolder folder("back");
    checkError(armScene(folder, {.third_key_s = 0.02f}), ExitCode::File,
               "the file is damaged: its clip 'bend' has a key at 0.02 s after one at 0.0416667 s; expected ascending");
    CHECK_NOTHROW(makeBodies(armScene(folder, {.third_key_s = 1 / 24.0f})));
}

TEST_CASE("a character of an unlikely size or with another up axis is remarked on", "[body]")
{
    const ScratchFolder folder("unlikely");
    Scene scene = armScene(folder);
    scene.bodies[0].collides = false;
    const auto remarks = [&] { return makeBodies(scene)[0].remarks; };
    scene.bodies[0].scale = 30;
    REQUIRE(remarks().size() == 1);
    CHECK_THAT(remarks()[0], Catch::Contains("measures 6 x 30 x 6 m") && Catch::Contains("Is scale right"));
    scene.bodies[0].scale = 0.01;
    REQUIRE(remarks().size() == 1);
    CHECK_THAT(remarks()[0], Catch::Contains("Is scale right"));
    scene.bodies[0].scale = 1;
    CHECK(remarks().empty());
    scene.bodies[0].up_axis = UpAxis::Z;
    REQUIRE(remarks().size() == 1);
    CHECK_THAT(remarks()[0], Catch::Contains("lies along z") && Catch::Contains("up_axis"));
}

TEST_CASE("a large file without bones is no character", "[body]")
{
    const ScratchFolder folder("large");
    ArmOptions rigid;
    rigid.has_skin = false;
    Scene scene = armScene(folder, rigid);
    scene.bodies[0].collides = false;
    scene.bodies[0].scale = 30;
    CHECK(makeBodies(scene)[0].remarks.empty());
}
