#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <string>
#include <thread>

#include "common/body/anthropometry.h"
#include "common/body/bvh.h"
#include "common/body/character.h"
#include "common/body/ground_fit.h"
#include "common/body/mesh.h"
#include "common/body/motion.h"
#include "common/body/shoe.h"
#include "common/error.h"
#include "tests/common/body/scratch_folder.h"

using namespace firn;

namespace {

/// A person of 1.75 m in metres: trunk, arms, legs; feet with toes if asked for.
std::string person(bool withToes)
{
    const auto joint = [](const std::string& name, const std::string& offset, const std::string& children) {
        return "JOINT " + name + " {\nOFFSET " + offset + "\nCHANNELS 3 Zrotation Xrotation Yrotation\n" + children +
               "}\n";
    };
    const auto end = [](const std::string& offset) { return "End Site {\nOFFSET " + offset + "\n}\n"; };
    const auto limbs = [&](const std::string& side, const std::string& sign) {
        const std::string toes =
            withToes ? joint(side + "ToeBase", "0 -0.053 0.133", end("0 0 0.077")) : end("0 -0.04 0.12");
        return joint(side + "UpLeg", sign + "0.09 0 0",
                     joint(side + "Leg", "0 -0.43 0", joint(side + "Foot", "0 -0.43 0", toes)));
    };
    const auto arm = [&](const std::string& side, const std::string& sign) {
        return joint(side + "Shoulder", sign + "0.02 0.19 0",
                     joint(side + "Arm", sign + "0.2 0.03 0",
                           joint(side + "ForeArm", sign + "0.32 0 0",
                                 joint(side + "Hand", sign + "0.25 0 0", end(sign + "0.19 0 0")))));
    };
    return "HIERARCHY\nROOT Hips {\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation "
           "Yrotation\n" +
           joint("Spine", "0 0.11 0",
                 joint("Chest", "0 0.17 0",
                       joint("Neck", "0 0.26 0", joint("Head", "0 0.09 0.01", end("0 0.19 0"))) + arm("Left", "") +
                           arm("Right", "-"))) +
           limbs("Left", "") + limbs("Right", "-") + "}\n";
}

/// A line of the file: the root's position, then all joints at rest but those given (about z, x, y in degrees).
std::string frame(const Bvh& bvh, const Vec3d& root, const std::map<std::string, Vec3d>& turns)
{
    std::string line = std::to_string(root.x()) + " " + std::to_string(root.y()) + " " + std::to_string(root.z());
    for (const BvhJoint& joint : bvh.joints) {
        if (joint.is_end) continue;
        const auto turn = turns.find(joint.name);
        const Vec3d zxy = turn == turns.end() ? Vec3d::Zero() : turn->second;
        for (int a = 0; a < 3; ++a) line += " " + std::to_string(zxy[a]);
    }
    return line + "\n";
}

Bvh skeleton(bool withToes)
{
    std::string zeros = "0 0 0";
    for (int j = 0; j < (withToes ? 21 : 19); ++j) zeros += " 0 0 0";
    return parseBvh("person.bvh", person(withToes) + "MOTION\nFrames: 1\nFrame Time: 0.1\n" + zeros + "\n");
}

Bvh moving(bool withToes, const std::vector<std::pair<Vec3d, std::map<std::string, Vec3d>>>& frames)
{
    const Bvh rest = skeleton(withToes);
    std::string text = person(withToes) + "MOTION\nFrames: " + std::to_string(frames.size()) + "\nFrame Time: 0.1\n";
    for (const auto& [root, turns] : frames) text += frame(rest, root, turns);
    return parseBvh("person.bvh", text);
}

BodySpec walker()
{
    BodySpec spec;
    spec.name = "walker";
    spec.shape = BodyShape::Character;
    spec.file = "person.bvh";
    return spec;
}

const RigidPart& named(const std::vector<RigidPart>& pieces, const std::string& name)
{
    for (const RigidPart& piece : pieces)
        if (piece.name == name) return piece;
    FAIL("no piece " << name);
    return pieces.front();
}

double distanceTo(const RigidPart& piece, double time_s, const Vec3d& world)
{
    Vec3d gradient;
    return piece.shape->distance(piece.motion->pose(time_s).toLocal(world), gradient);
}

double lowestOf(const RigidPart& piece, double time_s)
{
    const Pose pose = piece.motion->pose(time_s);
    double low = 1e9;
    for (const Vec3f& v : piece.shape->mesh().vertices) low = std::min(low, pose.toWorld(v.cast<double>()).y());
    return low;
}

}  // namespace

TEST_CASE("bones are known by the names of the usual skeletons", "[body]")
{
    CHECK(bodyPartOf("rThigh") == BodyPart::Thigh);
    CHECK(bodyPartOf("mixamorig:LeftUpLeg") == BodyPart::Thigh);
    CHECK(bodyPartOf("LeftHip") == BodyPart::Thigh);
    CHECK(bodyPartOf("hip") == BodyPart::Pelvis);
    CHECK(bodyPartOf("Hips") == BodyPart::Pelvis);
    CHECK(bodyPartOf("LHipJoint") == BodyPart::Thigh);
    CHECK(bodyPartOf("lShin") == BodyPart::Shin);
    CHECK(bodyPartOf("RightLeg") == BodyPart::Shin);
    CHECK(bodyPartOf("Bip01 L Calf") == BodyPart::Shin);
    CHECK(bodyPartOf("RightToeBase") == BodyPart::Toe);
    CHECK(bodyPartOf("LeftAnkle") == BodyPart::Foot);
    CHECK(bodyPartOf("rForeArm") == BodyPart::ForeArm);
    CHECK(bodyPartOf("RightArm") == BodyPart::UpperArm);
    CHECK(bodyPartOf("rCollar") == BodyPart::Collar);
    CHECK(bodyPartOf("LeftHandIndex1") == BodyPart::Helper);
    CHECK(bodyPartOf("leftEye") == BodyPart::Helper);
    CHECK(bodyPartOf("Spine1") == BodyPart::Torso);
    CHECK(bodyPartOf("tail") == BodyPart::Other);
}

TEST_CASE("a person's pieces are closed, face outwards and hang together at every joint", "[body]")
{
    for (const bool withToes : {true, false}) {
        const Bvh bvh = moving(withToes, {{Vec3d(0, 0.9, 0), {}},
                                          {Vec3d(0, 0.8, 0.3),
                                           {{"LeftUpLeg", Vec3d(0, -50, 10)},
                                            {"LeftLeg", Vec3d(0, 70, 0)},
                                            {"LeftFoot", Vec3d(0, 20, 0)},
                                            {"RightArm", Vec3d(60, 20, 0)},
                                            {"RightForeArm", Vec3d(0, 0, 60)},
                                            {"Neck", Vec3d(0, 20, 30)}}}});
        const Clip clip(bvh, {});
        BodySpec spec = walker();
        spec.on_ground = false;
        const auto pieces = makeCharacter(spec, clip, {0.008, 0.06});
        CHECK(pieces.size() == 25);  // 9 of trunk and head, 8 of arms, 4 of legs, two boots of two pieces
        for (const RigidPart& piece : pieces) {
            CHECK(findDefects(piece.shape->mesh()).none());
            CHECK(signedVolume(piece.shape->mesh()) > 0);
            CHECK_FALSE(piece.motion->isStatic());
        }
        // The joints between pieces lie within both of them.
        const std::vector<std::array<std::string, 3>> joints = {
            {"LeftLeg", "LeftUpLeg", "LeftLeg"},
            {"LeftFoot", "LeftLeg", "LeftFoot"},
            {"RightFoot", "RightLeg", "RightFoot"},
            {"LeftUpLeg", "Hips-LeftUpLeg", "LeftUpLeg"},
            {"Spine", "Hips-Spine", "Spine"},
            {"Chest", "Spine", "Chest-Neck"},
            {"Neck", "Chest-Neck", "Neck"},
            {"Head", "Neck", "Head"},
            {"RightShoulder", "Chest-RightShoulder", "RightShoulder"},
            {"RightArm", "RightShoulder", "RightArm"},
            {"RightForeArm", "RightArm", "RightForeArm"},
            {"RightHand", "RightForeArm", "RightHand"}};
        for (const double t : {0.0, 0.04, 0.1}) {
            std::vector<Pose> poses;
            clip.pose(t, poses);
            for (const auto& [joint, above, below] : joints)
                for (std::size_t j = 0; j < clip.joints().size(); ++j)
                    if (clip.joints()[j].name == joint) {
                        CHECK(distanceTo(named(pieces, above), t, poses[j].translation) < 0);
                        CHECK(distanceTo(named(pieces, below), t, poses[j].translation) < 0);
                    }
        }
    }
}

TEST_CASE("boots stand flat on the ground of the rest pose, toes forward, heel behind the ankle", "[body]")
{
    const Bvh bvh = moving(true, {{Vec3d(0.3, 5, -2), {}}});
    BodySpec spec = walker();
    spec.position = Vec3d(0, 1.5, 0);
    const auto pieces = makeCharacter(spec, Clip(bvh, {}), {0.005, 0.06});
    const RigidPart &foot = named(pieces, "LeftFoot"), &toes = named(pieces, "LeftToeBase");
    // On the ground: position.y, wherever the clip had its own. The sole is flat: heel and ball touch it.
    CHECK(lowestOf(foot, 0) == Approx(1.5).margin(1e-6));
    CHECK(lowestOf(toes, 0) == Approx(1.5).margin(1e-6));
    const Vec3d ankle(0.39, 1.5 + 0.053 + 0.015, -2);  // the toes' joint is 15 mm above the sole
    for (const double z : {-0.05, 0.0, 0.1})
        CHECK(std::abs(distanceTo(foot, 0, Vec3d(ankle.x(), 1.5, ankle.z() + z))) < 0.003);
    CHECK(std::abs(distanceTo(toes, 0, Vec3d(ankle.x(), 1.5, ankle.z() + 0.17))) < 0.003);
    // 28 cm from heel to toe, at most 10 cm wide (the shaft apart), the heel within 10 cm behind the ankle.
    Box3d box;
    for (const RigidPart* piece : {&foot, &toes})
        for (const Vec3f& v : piece->shape->mesh().vertices)
            box.extend(piece->motion->pose(0).toWorld(v.cast<double>()));
    CHECK(box.sizes().z() == Approx(0.28).margin(0.005));
    CHECK(box.min().z() < ankle.z() - 0.05);
    CHECK(box.min().z() > ankle.z() - 0.1);
    CHECK(box.sizes().x() < 0.12);
    // The ankle is wrapped: the shin's end does not look out at the sides.
    Vec3d side = ankle + Vec3d(partRadius_m(BodyPart::Foot), 0, 0);
    CHECK(distanceTo(foot, 0, side) < 0);
}

TEST_CASE("left and right boots mirror each other", "[body]")
{
    ShoeFit left, right;
    right.is_left = false;
    const TriangleMesh a = shoeMesh(left, ShoePart::Whole), b = shoeMesh(right, ShoePart::Whole);
    CHECK(signedVolume(a) == Approx(signedVolume(b)));
    CHECK(boundsOf(a).max().x() == Approx(-boundsOf(b).min().x()));
    CHECK(findDefects(a).none());
}

TEST_CASE("toes that the skeleton lacks bend instead of digging into the ground", "[body]")
{
    // Standing, then the right foot pitched by 40 degrees about an ankle that is raised as when the heel lifts off: the
    // ball, 0.12 ahead of the ankle and 0.068 below it, stays at the ground if the ankle rises to
    // 0.12 sin 40 + 0.068 cos 40 = 0.129 from 0.068.
    const double lift = 0.12 * std::sin(40 * pi / 180) + 0.06825 * std::cos(40 * pi / 180) - 0.06825;
    const std::map<std::string, Vec3d> pitched = {{"RightFoot", Vec3d(0, 40, 0)}};
    std::vector<std::pair<Vec3d, std::map<std::string, Vec3d>>> frames(4, {Vec3d(0, 0.93, 0), {}});
    frames.push_back({Vec3d(0, 0.93 + lift, 0), pitched});
    const auto pieces = makeCharacter(walker(), Clip(moving(false, frames), {}), {0.005, 0.06});
    CHECK(lowestOf(named(pieces, "RightFoot"), 0) == Approx(0).margin(0.002));
    const RigidPart& toes = named(pieces, "RightFoot toes");
    CHECK(lowestOf(toes, 0.4) > -0.004);
    CHECK(lowestOf(toes, 0.4) < 0.01);
    // Straight when the foot is flat.
    CHECK(toes.motion->pose(0).rotation.angularDistance(Quatd::Identity()) < 1e-9);
}

TEST_CASE("a clip's ground is what the soles reach often, not one stray frame", "[body]")
{
    std::vector<std::pair<Vec3d, std::map<std::string, Vec3d>>> frames;
    frames.reserve(60);
    for (int f = 0; f < 60; ++f) frames.push_back({Vec3d(0, f == 30 ? 0.6 : 0.93 + 0.001 * (f % 3), 0), {}});
    const Clip clip(moving(true, frames), {});
    int foot = 0;
    for (std::size_t j = 0; j < clip.joints().size(); ++j)
        if (clip.joints()[j].name == "LeftFoot") foot = static_cast<int>(j);
    const Ground ground = fitGround(clip, {{foot, Vec3d(0, -0.07, 0), 0}});
    CHECK(ground.height_m == Approx(0.0).margin(0.0011));  // 0.93 - 0.86 - 0.07
    CHECK(ground.slope.norm() == 0);
}

TEST_CASE("a captured floor a degree out of level is levelled, a hill is not", "[body]")
{
    for (const double slope : {0.02, 0.2}) {
        std::vector<std::pair<Vec3d, std::map<std::string, Vec3d>>> frames;
        for (int f = 0; f <= 80; ++f) frames.push_back({Vec3d(0, 0.93 + slope * 0.05 * f, 0.05 * f), {}});
        const auto pieces = makeCharacter(walker(), Clip(moving(true, frames), {}), {0.008, 0.06});
        const double start = lowestOf(named(pieces, "LeftFoot"), 0), finish = lowestOf(named(pieces, "LeftFoot"), 8);
        if (slope < 0.03)
            CHECK(finish - start == Approx(0).margin(0.004));
        else
            CHECK(finish - start == Approx(0.8).margin(1e-3));  // 4 m at 20 %
    }
}

TEST_CASE("position, heading and time offset place the clip", "[body]")
{
    const Bvh bvh = moving(true, {{Vec3d(0, 0.93, 0), {}}, {Vec3d(0, 0.93, 1), {}}});
    BodySpec spec = walker();
    spec.position = Vec3d(10, 0, 20);
    spec.heading_deg = 90;  // z goes to x
    spec.time_offset_s = 0.1;
    const auto pieces = makeCharacter(spec, Clip(bvh, {}), {0.008, 0.06});
    const Pose pose = named(pieces, "Head").motion->pose(0);
    CHECK(pose.translation.x() == Approx(11).margin(0.02));
    CHECK(pose.translation.z() == Approx(20).margin(0.02));
    CHECK((named(pieces, "LeftFoot").motion->pose(-0.1).rotation * Vec3d::UnitZ() - Vec3d::UnitX()).norm() < 1e-9);
}

TEST_CASE("an aligned clip is above its position at scene time 0 and walks along its heading", "[body]")
{
    // The file walks along -x, starting far off; at clip time 0.1 s it is half way.
    const Bvh bvh = moving(true, {{Vec3d(5, 0.93, 7), {}}, {Vec3d(4, 0.93, 7), {}}, {Vec3d(3, 0.93, 7), {}}});
    BodySpec spec = walker();
    spec.position = Vec3d(10, 0, 20);
    spec.align_root = true;
    spec.time_offset_s = 0.1;
    const auto pieces = makeCharacter(spec, Clip(bvh, {}), {0.008, 0.06});
    const Motion& spine = *named(pieces, "Spine").motion;  // straight above the root
    CHECK((spine.pose(0).translation - Vec3d(10, spine.pose(0).translation.y(), 20)).norm() < 1e-9);
    CHECK((spine.pose(0.1).translation - spine.pose(0).translation - Vec3d(0, 0, 1)).norm() < 1e-9);
    spec.heading_deg = -90;  // along -x
    const auto turned = makeCharacter(spec, Clip(bvh, {}), {0.008, 0.06});
    const Motion& other = *named(turned, "Spine").motion;
    CHECK((other.pose(0.1).translation - other.pose(0).translation - Vec3d(-1, 0, 0)).norm() < 1e-9);
}

TEST_CASE("a joint moves what it carries as the character moves", "[body]")
{
    const Clip clip(moving(true, {{Vec3d(0, 0.93, 0), {}}, {Vec3d(0, 0.93, 1), {{"LeftArm", Vec3d(90, 0, 0)}}}}), {});
    BodySpec spec = walker();
    spec.position = Vec3d(10, 0, 20);
    const Pose shoulder = makeCharacterJoint(spec, clip, "LeftArm", "body 'hat'")->pose(0.1);
    const Pose hand = makeCharacterJoint(spec, clip, "LeftHand", "body 'hat'")->pose(0.1);
    CHECK((shoulder.translation - Vec3d(10.22, shoulder.translation.y(), 21)).norm() < 1e-9);
    CHECK((hand.translation - shoulder.translation - Vec3d(0, 0.57, 0)).norm() < 1e-9);  // the arm is up
    CHECK((hand.rotation * Vec3d::UnitX() - Vec3d::UnitY()).norm() < 1e-9);
    CHECK_THROWS_WITH(makeCharacterJoint(spec, clip, "LeftHnad", "body 'hat'"),
                      Catch::Contains("did you mean 'LeftHand'?"));
}

TEST_CASE("radii can be given by bone; a bone that does not exist is refused with the nearest name", "[body]")
{
    const Clip clip(moving(true, {{Vec3d(0, 0.93, 0), {}}}), {});
    BodySpec spec = walker();
    spec.radius_scale = 2;
    spec.radii_m["LeftArm"] = 0.03;
    spec.radii_m["RightArm"] = 0;
    const auto pieces = makeCharacter(spec, clip, {0.008, 0.06});
    CHECK(named(pieces, "LeftArm").shape->bounds().max().x() == Approx(0.06));
    for (const RigidPart& piece : pieces) CHECK(piece.name != "RightArm");
    spec.radii_m["LeftFoerArm"] = 0.05;
    CHECK_THROWS_WITH(makeCharacter(spec, clip, {}), Catch::Contains("LeftFoerArm") && Catch::Contains("LeftForeArm"));
}

TEST_CASE("a character in centimetres without scale is refused", "[body]")
{
    ClipOptions options;
    options.scale = 100;
    CHECK_THROWS_WITH(makeCharacter(walker(), Clip(moving(true, {{Vec3d(0, 0.93, 0), {}}}), options), {}),
                      Catch::Contains("scale") && Catch::Contains("0.01"));
}

TEST_CASE("pieces give the same poses to every thread, whatever was asked before", "[body]")
{
    const Bvh bvh = moving(true, {{Vec3d(0, 0.93, 0), {}}, {Vec3d(0, 0.95, 1), {{"LeftUpLeg", Vec3d(0, 30, 0)}}}});
    const auto one = makeCharacter(walker(), Clip(bvh, {}), {0.008, 0.06});
    const auto two = makeCharacter(walker(), Clip(bvh, {}), {0.008, 0.06});
    std::vector<Vec3d> expected;
    expected.reserve(30);
    for (int i = 0; i < 30; ++i) expected.push_back(one[5].motion->pose(0.003 * i).translation);
    bool same[2] = {true, true};
    const auto ask = [&](int thread) {
        for (int i = 29; i >= 0; --i) {
            two[3].motion->pose(0.003 * (29 - i));
            same[thread] = same[thread] && one[5].motion->pose(0.003 * i).translation == expected[i] &&
                           two[5].motion->pose(0.003 * i).translation == expected[i];
        }
    };
    std::thread first(ask, 0), second(ask, 1);
    first.join();
    second.join();
    CHECK((same[0] && same[1]));
}
