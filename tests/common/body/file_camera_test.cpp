#include "common/body/file_camera.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "common/error.h"
#include "tests/common/body/gltf_arm.h"

using namespace firn;

namespace {

Scene sceneWithCamera(const ScratchFolder& folder, ArmOptions options = {})
{
    options.has_camera = true;
    Scene scene;
    scene.camera.animation.file = ArmWriter(options).write(folder);
    return scene;
}

std::string messageOf(Scene scene)
{
    try {
        playCamera(scene);
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::Usage);
        return error.what();
    }
    return "no error";
}

}  // namespace

TEST_CASE("a camera moves, turns and rolls with its node in the file", "[camera]")
{
    const bool hasMesh = GENERATE(true, false);
    const ScratchFolder folder("camera");
    Scene scene = sceneWithCamera(folder, {.has_mesh = hasMesh});
    playCamera(scene);
    REQUIRE(scene.camera.played);
    const CameraKey first = scene.camera.played(0), last = scene.camera.played(1), later = scene.camera.played(9);
    CHECK((first.position - Vec3d(0, 1, 2)).norm() < 1e-5);
    CHECK(((first.look_at - first.position).normalized() - Vec3d(0, 0, -1)).norm() < 1e-5);
    CHECK(first.roll_deg == Approx(0).margin(1e-3));
    // The elbow has turned by 90 degrees about z: what was up points along -x.
    CHECK((last.position - Vec3d(-0.5, 0.5, 2)).norm() < 1e-5);
    CHECK(((last.look_at - last.position).normalized() - Vec3d(0, 0, -1)).norm() < 1e-5);
    CHECK(last.roll_deg == Approx(-90).margin(1e-3));
    CHECK((later.position - last.position).norm() == 0);
    CHECK(first.focal_length_mm == Approx(18 / (1.5 * std::tan(0.3))));
}

TEST_CASE("without the shape of its picture, the file gives the height of the view", "[camera]")
{
    const ScratchFolder folder("camera-height");
    Scene scene = sceneWithCamera(folder, {.aspect = 0});
    scene.render.width = 2000;
    scene.render.height = 1000;
    playCamera(scene);
    // The height of 18 mm sees .6 rad.
    CHECK(scene.camera.played(0).focal_length_mm == Approx(9 / std::tan(0.3)));
}

TEST_CASE("scale, up axis, time and focus of a file's camera are those of the scene", "[camera]")
{
    const ScratchFolder folder("camera-keys");
    Scene scene = sceneWithCamera(folder);
    scene.camera.animation.scale = 2;
    scene.camera.animation.up_axis = UpAxis::Z;
    scene.camera.animation.time_offset_s = 1;
    scene.camera.focus_distance_m = 3;
    playCamera(scene);
    const CameraKey key = scene.camera.played(0);
    CHECK((key.position - Vec3d(-1, 4, -1)).norm() < 1e-5);  // (x, y, z) of the file is (x, z, -y) here
    CHECK((key.look_at - key.position - Vec3d(0, -3, 0)).norm() < 1e-5);
    CHECK(key.focus_distance_m == 3);
}

TEST_CASE("a camera that is not in the file is told with those that are", "[camera]")
{
    const ScratchFolder folder("no-camera"), other("camera-name");
    Scene scene;
    scene.camera.animation.file = ArmWriter({}).write(folder);
    CHECK_THAT(messageOf(scene), Catch::Contains("arm.gltf: it has no perspective camera"));
    scene = sceneWithCamera(other);
    scene.camera.animation.camera = "shoot";
    CHECK_THAT(messageOf(scene), Catch::Contains("it has no camera 'shoot'; did you mean 'shot'?"));
    scene.camera.animation.camera = "shot";
    CHECK_NOTHROW(playCamera(scene));
    scene.camera.animation.clip = "run";
    CHECK_THAT(messageOf(scene), Catch::Contains("it has no clip 'run'"));
    scene.camera.animation.file = folder.write("stone.png", "a picture");
    CHECK_THAT(messageOf(scene),
               Catch::Contains("stone.png: found the extension '.png', expected .glb, .gltf or .fbx"));
    scene.camera.animation.file = folder.write("broken.glb", "not glTF");
    CHECK_THROWS_AS(playCamera(scene), Error);
}
