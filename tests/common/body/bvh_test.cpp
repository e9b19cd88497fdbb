#include <catch2/catch.hpp>
#include <string>

#include "common/body/bvh.h"
#include "common/body/clip.h"
#include "common/error.h"

using namespace firn;

namespace {

const std::string twoBones =
    "HIERARCHY\nROOT Hips\n{\n  OFFSET 0 0 0\n"
    "  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
    "  JOINT Spine\n  {\n    OFFSET 0 10 0\n    CHANNELS 3 Xrotation Yrotation Zrotation\n"
    "    End Site\n    {\n      OFFSET 0 0 5\n    }\n  }\n}\n";  // 15 lines

std::string motion(const std::string& frames, int count, double frameTime = 0.1)
{
    return "MOTION\nFrames: " + std::to_string(count) + "\nFrame Time: " + std::to_string(frameTime) + "\n" + frames;
}

Bvh parse(const std::string& text) { return parseBvh("walk.bvh", text); }

std::vector<Pose> posesAt(const Clip& clip, double time_s)
{
    std::vector<Pose> poses;
    clip.pose(time_s, poses);
    return poses;
}

/// Four frames along x: 0, 10, 30, 40, the spine turning about x by 0, 40, 80, 120 degrees.
Clip walker(const ClipOptions& options)
{
    return Clip(parse(twoBones + motion("0 0 0 0 0 0 0 0 0\n10 1 0 0 0 0 40 0 0\n30 1 0 0 0 0 80 0 0\n"
                                        "40 2 0 0 0 0 120 0 0\n",
                                        4)),
                options);
}

}  // namespace

TEST_CASE("a BVH skeleton poses its joints by its offsets and channels, the first channel outermost", "[body]")
{
    // Root at (100, 200, 300) turned by Rz(90) Rx(90): the spine's (0, 10, 0) goes to (0, 0, 10) by Rx and stays there
    // by Rz. The spine turns by Ry(90): its end's (0, 0, 5) -> (5, 0, 0) -> Rx -> (5, 0, 0) -> Rz -> (0, 5, 0).
    const Clip clip(parse(twoBones + motion("100 200 300 90 90 0 0 90 0\n", 1)), {});
    const auto poses = posesAt(clip, 0);
    REQUIRE(poses.size() == 3);
    CHECK((poses[0].translation - Vec3d(100, 200, 300)).norm() < 1e-9);
    CHECK((poses[1].translation - Vec3d(100, 200, 310)).norm() < 1e-9);
    CHECK((poses[2].translation - Vec3d(100, 205, 310)).norm() < 1e-9);
}

TEST_CASE("the order of the channels decides the rotation", "[body]")
{
    // The root's channels are Z X Y: Rz(90) Rx(90) leaves (1, 0, 0) to Rx and takes it to (0, 1, 0) by Rz.
    // The spine's are X Y Z: Rx(90) Rz(90) takes (1, 0, 0) to (0, 1, 0) by Rz and to (0, 0, 1) by Rx.
    const auto root = posesAt(Clip(parse(twoBones + motion("0 0 0 90 90 0 0 0 0\n", 1)), {}), 0);
    CHECK((root[0].rotation * Vec3d::UnitX() - Vec3d::UnitY()).norm() < 1e-9);
    const auto spine = posesAt(Clip(parse(twoBones + motion("0 0 0 0 0 0 90 0 90\n", 1)), {}), 0);
    CHECK((spine[1].rotation * Vec3d::UnitX() - Vec3d::UnitZ()).norm() < 1e-9);
}

TEST_CASE("a clip's units and up axis become metres and y", "[body]")
{
    const Bvh bvh = parse(twoBones + motion("100 200 300 0 0 0 90 0 0\n", 1));
    ClipOptions options;
    options.scale = 0.01;
    options.up_axis = UpAxis::Z;  // (x, y, z) of the file is (x, z, -y)
    const auto poses = posesAt(Clip(bvh, options), 0);
    CHECK((poses[0].translation - Vec3d(1, 3, -2)).norm() < 1e-9);
    CHECK((poses[1].translation - Vec3d(1, 3, -2.1)).norm() < 1e-9);
    // In the file Rx(90) takes the end's (0, 0, 5) to (0, -5, 0): here (0, 0, 0.05) from the spine.
    CHECK((poses[2].translation - Vec3d(1, 3, -2.05)).norm() < 1e-9);
}

TEST_CASE("between frames joints turn by slerp and the root follows a spline without a kink", "[body]")
{
    const Clip clip = walker({});
    CHECK(clip.duration_s() == Approx(0.3));
    const auto spineAngle = [&](double t) {
        const auto p = posesAt(clip, t);
        return p[1].rotation.angularDistance(p[0].rotation) * 180 / pi;
    };
    CHECK(spineAngle(0.025) == Approx(10));
    CHECK(spineAngle(0.15) == Approx(60));
    const auto x = [&](double t) { return posesAt(clip, t)[0].translation.x(); };
    CHECK(x(0.1) == Approx(10));
    // Catmull-Rom halfway between 10 and 30 with neighbours 0 and 40: (-0 + 9 * 10 + 9 * 30 - 40) / 16 = 20.
    CHECK(x(0.15) == Approx(20));
    // At the second frame the velocity is (30 - 0) / (2 * 0.1 s) from both sides.
    const double step = 1e-6;
    CHECK((x(0.1 + step) - x(0.1)) / step == Approx(150).epsilon(1e-3));
    CHECK((x(0.1) - x(0.1 - step)) / step == Approx(150).epsilon(1e-3));
}

TEST_CASE("a clip is held before its first and after its last frame", "[body]")
{
    const Clip clip = walker({});
    CHECK(posesAt(clip, -1)[0].translation == Vec3d(0, 0, 0));
    CHECK(posesAt(clip, 7)[0].translation == Vec3d(40, 2, 0));
}

TEST_CASE("fps replaces the clip's frame time", "[body]")
{
    ClipOptions options;
    options.fps = 50;  // 0.02 s instead of 0.1 s
    const Clip clip = walker(options);
    CHECK(clip.duration_s() == Approx(0.06));
    CHECK(posesAt(clip, 0.02)[0].translation.x() == Approx(10));
}

TEST_CASE("a loop goes on from where it ended, without a jump and without climbing", "[body]")
{
    ClipOptions options;
    options.loop = true;
    const Clip clip = walker(options);
    // One lap of 0.3 s carries the root by 40 along x; height and pose are those of the first frame again.
    for (const double t : {0.04, 0.1}) {
        const auto first = posesAt(clip, t), later = posesAt(clip, t + 0.6), earlier = posesAt(clip, t - 0.3);
        CHECK((later[0].translation - first[0].translation - Vec3d(80, 0, 0)).norm() < 1e-9);
        CHECK((earlier[0].translation - first[0].translation + Vec3d(40, 0, 0)).norm() < 1e-9);
        CHECK(later[1].rotation.angularDistance(first[1].rotation) < 1e-9);
    }
    const auto before = posesAt(clip, 0.3 - 1e-7), after = posesAt(clip, 0.3 + 1e-7);
    CHECK((before[0].translation - after[0].translation).norm() < 1e-3);
    CHECK(before[1].rotation.angularDistance(after[1].rotation) < 1e-4);
}

TEST_CASE("a calibration frame at rest and the jump out of it are left out", "[body]")
{
    std::string frames = "0 0 0 0 0 0 0 0 0\n";
    for (int f = 1; f < 50; ++f) frames += std::to_string(f) + " 0 0 0 0 0 " + std::to_string(30 + 0.5 * f) + " 20 0\n";
    const Clip clip(parse(twoBones + motion(frames, 50)), {});
    CHECK(clip.frames() == 49);
    CHECK(posesAt(clip, 0)[0].translation.x() == Approx(1));
}

TEST_CASE("a BVH cut short is refused with the frames found and expected", "[body]")
{
    const std::string line = "0 0 0 0 0 0 0 0 0\n";
    CHECK_THROWS_WITH(parse(twoBones + motion(line + line, 3)), Catch::Contains("walk.bvh:20") &&
                                                                    Catch::Contains("found 2 frames") &&
                                                                    Catch::Contains("expected 3"));
    CHECK_THROWS_WITH(parse(twoBones + motion(line + "0 0 0 0", 3)),
                      Catch::Contains("walk.bvh:20") && Catch::Contains("frame 2 of 3 has 4 values") &&
                          Catch::Contains("expected 9") && Catch::Contains("cut short") &&
                          Catch::Contains("found 1 whole frames, expected 3"));
    CHECK_THROWS_WITH(parse(twoBones.substr(0, 120)), Catch::Contains("walk.bvh:"));
    CHECK_THROWS_WITH(parse(twoBones), Catch::Contains("the file ends within its hierarchy"));
    CHECK_THROWS_WITH(parse(""), Catch::Contains("walk.bvh:0"));
}

TEST_CASE("a BVH with wrong counts or values is refused with the line", "[body]")
{
    const std::string line = "0 0 0 0 0 0 0 0 0\n";
    CHECK_THROWS_WITH(parse(twoBones + motion("0 0 0 0 0 0 0 0\n" + line, 2)),
                      Catch::Contains("walk.bvh:19") && Catch::Contains("frame 1 of 2 has 8 values"));
    CHECK_THROWS_WITH(parse(twoBones + motion("0 0 0 0 0 0 0 0 0 0\n", 1)),
                      Catch::Contains("walk.bvh:19") && Catch::Contains("more than 9 values"));
    CHECK_THROWS_WITH(parse(twoBones + motion(line + line, 1)), Catch::Contains("more frames than the 1"));
    CHECK_THROWS_WITH(parse(twoBones + motion("0 0 nan 0 0 0 0 0 0\n", 1)), Catch::Contains("walk.bvh:19") &&
                                                                                Catch::Contains("\"nan\"") &&
                                                                                Catch::Contains("value 3 of frame 1"));
    CHECK_THROWS_WITH(parse(twoBones + motion(line, 0)), Catch::Contains("walk.bvh:17") && Catch::Contains("\"0\""));
    CHECK_THROWS_WITH(parse(twoBones + "MOTION\nFrames: 99999999999\n"), Catch::Contains("walk.bvh:17"));
    CHECK_THROWS_WITH(parse(twoBones + motion(line, 1, 0)),
                      Catch::Contains("walk.bvh:18") && Catch::Contains("frame time"));

    const std::string root = "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\n";
    CHECK_THROWS_WITH(parse(root + "CHANNELS 3 Xrotation Yrotation\n"),
                      Catch::Contains("walk.bvh:5") && Catch::Contains("channel 3 of 3"));
    CHECK_THROWS_WITH(parse(root + "CHANNELS 7 Xrotation\n"), Catch::Contains("from 0 to 6"));
    CHECK_THROWS_WITH(parse(root + "CHANNELS 1 Wrotation\n"), Catch::Contains("\"Wrotation\""));
    CHECK_THROWS_WITH(parse(root + "CHANNELS 2 Xrotation Xrotation\n"), Catch::Contains("twice"));
    CHECK_THROWS_WITH(parse(root + "JOINT Hips\n{\nOFFSET 0 0 0\n"), Catch::Contains("\"Hips\" twice"));
    CHECK_THROWS_WITH(parse("HIERARCHY\nROOT Hips\n{\nOFFSET 0 inf 0\n"), Catch::Contains("walk.bvh:4"));
    CHECK_THROWS_WITH(parse("ply\n"), Catch::Contains("HIERARCHY"));
}

TEST_CASE("a BVH of endless joints is refused", "[body]")
{
    std::string text = "HIERARCHY\nROOT j\n{\nOFFSET 0 0 0\n";
    for (int j = 0; j < 3000; ++j) text += "JOINT j" + std::to_string(j) + " {\nOFFSET 0 0 0\n";
    CHECK_THROWS_WITH(parse(text), Catch::Contains("more than 2048 joints"));
}
