#include "common/body/character.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <optional>

#include "common/body/anthropometry.h"
#include "common/body/level_set.h"
#include "common/body/placed_clip.h"
#include "common/body/shapes.h"
#include "common/body/shoe.h"
#include "common/body/text_input.h"
#include "common/error.h"
#include "common/io/suggest.h"

namespace firn {
namespace {

constexpr double toeJointHeight_m = 0.015;  // above the sole

/// A part before it has its motion: its shape, and the pose of the shape in the frame of its joint.
struct Limb {
    std::string name;
    int joint;
    Pose local;
    std::shared_ptr<const Shape> shape;
    std::optional<ToeHinge> toes = std::nullopt;
};

/// The least rotation that takes y to `direction`, of length one.
Quatd turnFromY(const Vec3d& direction)
{
    if (direction.y() < -1 + 1e-12) return Quatd(0, 1, 0, 0);
    const Vec3d axis = Vec3d::UnitY().cross(direction);
    return Quatd(1 + direction.y(), axis.x(), axis.y(), axis.z()).normalized();
}

/// The pose of the clip in the scene. With align_root the root is above the position at scene time 0, and its path over
/// the whole clip points along the heading. A clip that walks in place (less than 10 cm) keeps its own direction.
Pose placement(const BodySpec& spec, const Clip& clip)
{
    double turn = spec.heading_deg * pi / 180;
    Vec3d start = Vec3d::Zero();
    if (spec.align_root) {
        std::vector<Pose> poses;
        clip.pose(clip.duration_s(), poses);
        Vec3d travel = poses[0].translation;
        clip.pose(0, poses);
        travel -= poses[0].translation;
        if (std::hypot(travel.x(), travel.z()) > 0.1) turn -= std::atan2(travel.x(), travel.z());
        clip.pose(spec.time_offset_s, poses);
        start = Vec3d(poses[0].translation.x(), 0, poses[0].translation.z());
    }
    const Quatd rotation(Eigen::AngleAxisd(turn, Vec3d::UnitY()));
    return {rotation, spec.position - rotation * start};
}

class CharacterBuilder {
public:
    CharacterBuilder(const BodySpec& spec, const Clip& clip, const CharacterDetail& detail)
        : m_spec(spec), m_detail(detail), m_clip(clip), m_joints(clip.joints())
    {
        clip.restPose(m_rest);
        m_children.resize(m_joints.size());
        for (int j = 0; j < count(); ++j)
            if (m_joints[j].parent >= 0) m_children[m_joints[j].parent].push_back(j);
        measure();
        checkRadii();
        for (int j = 0; j < count(); ++j) addBones(j);
        if (m_solePoints.empty())
            for (int j = 0; j < count(); ++j) m_solePoints.push_back({j, Vec3d::Zero(), 0});
    }

    std::vector<RigidPart> pieces() const
    {
        const std::shared_ptr<const PlacedClip> placed = placedClip();
        std::vector<RigidPart> pieces;
        for (const Limb& limb : m_limbs)
            pieces.push_back({limb.name, limb.shape,
                              limb.toes ? makeToeMotion(placed, limb.joint, *limb.toes)
                                        : makeJointMotion(placed, limb.joint, limb.local)});
        return pieces;
    }

    std::shared_ptr<const Motion> joint(const std::string& name, const std::string& asker) const
    {
        std::vector<std::string_view> known;
        for (int j = 0; j < count(); ++j) {
            if (m_joints[j].is_end) continue;
            if (m_joints[j].name == name) return makeJointMotion(placedClip(), j, Pose{});
            known.push_back(m_joints[j].name);
        }
        throw Error(ExitCode::Usage, asker + ": its parent " + quotedName(m_spec.name) + " has no joint " +
                                         quotedName(name) + didYouMean(name, known));
    }

private:
    std::shared_ptr<const PlacedClip> placedClip() const
    {
        const Ground ground = m_spec.on_ground ? fitGround(m_clip, m_solePoints) : Ground{};
        return std::make_shared<const PlacedClip>(m_clip, placement(m_spec, m_clip), ground, m_spec.time_offset_s);
    }

    int count() const { return static_cast<int>(m_joints.size()); }
    BodyPart part(int joint) const { return bodyPartOf(m_joints[joint].name); }

    [[noreturn]] void fail(const std::string& what) const
    {
        throw Error(ExitCode::Usage, bodySource(m_spec) + ": " + what);
    }

    /// The size of the skeleton relative to the adult for whom partRadius_m holds: from the length of its legs (0.491
    /// of the height from hip to ankle; Winter, Biomechanics and Motor Control of Human Movement, fig. 4.1), or from
    /// its largest extent if it has no legs.
    void measure()
    {
        Box3d box;
        for (const Pose& pose : m_rest) box.extend(pose.translation);
        const double largest = box.sizes().maxCoeff();
        if (!(largest > 0.2 && largest < 20))
            fail("the skeleton is " + std::to_string(largest) +
                 " m large in its rest pose; expected 0.2 to 20 m; check scale (0.01 for centimetres)");
        double height = largest;
        for (int j = 0; j < count() && height == largest; ++j)
            if (const double leg = part(j) == BodyPart::Foot ? legAbove(j) : 0; leg > 0.2 * largest)
                height = leg / 0.491;
        m_size = height / 1.75;
    }

    double legAbove(int foot) const
    {
        double length = 0;
        for (int j = foot, up = m_joints[j].parent; up >= 0; j = up, up = m_joints[j].parent) {
            if (part(up) != BodyPart::Thigh && part(up) != BodyPart::Shin) break;
            length += m_joints[j].offset.norm();
        }
        return length;
    }

    void checkRadii() const
    {
        std::vector<std::string_view> known;
        for (const ClipJoint& joint : m_joints)
            if (!joint.is_end) known.push_back(joint.name);
        for (const auto& [name, radius] : m_spec.radii_m) {
            if (std::find(known.begin(), known.end(), name) == known.end())
                fail("radii: the skeleton has no joint '" + clampText(name) + "'" + didYouMean(name, known));
            if (!(radius >= 0)) fail("radii: " + clampText(name) + " is negative");
        }
    }

    std::optional<double> givenRadius(int joint) const
    {
        const auto given = m_spec.radii_m.find(m_joints[joint].name);
        if (given == m_spec.radii_m.end()) return std::nullopt;
        return given->second * m_spec.radius_scale;
    }

    double radius(int joint) const
    {
        return givenRadius(joint).value_or(partRadius_m(part(joint)) * m_size * m_spec.radius_scale);
    }

    /// Radii of the bone from `joint` to `child` at both ends. A limb tapers to the thickness of the next one. A bone
    /// from the trunk to a limb is only a little thicker than the limb.
    std::array<double, 2> radii(int joint, int child) const
    {
        if (const auto given = givenRadius(joint)) return {*given, *given};
        const BodyPart own = part(joint), next = part(child);
        const double start = radius(joint);
        if (m_joints[child].is_end || next == BodyPart::Helper || next == BodyPart::Other || own == BodyPart::Other)
            return {start, 0.85 * start};
        const bool branches = next == BodyPart::Collar || next == BodyPart::UpperArm || next == BodyPart::Thigh;
        if (branches && own != next) return {std::min(start, 1.5 * radius(child)), 1.15 * radius(child)};
        return {start, next == BodyPart::Head ? start : radius(child)};
    }

    bool isHelper(int joint) const
    {
        for (int j = joint; j >= 0; j = m_joints[j].parent)
            if (part(j) == BodyPart::Helper && !givenRadius(j)) return true;
        return false;
    }

    bool isWithinFoot(int joint) const
    {
        for (int j = m_joints[joint].parent; j >= 0; j = m_joints[j].parent)
            if (part(j) == BodyPart::Foot || part(j) == BodyPart::Toe) return true;
        return false;
    }

    void addBones(int joint)
    {
        if (m_joints[joint].is_end || isHelper(joint)) return;
        const BodyPart own = part(joint);
        const bool hasShoes = m_spec.shoe_m.minCoeff() > 0;
        if (hasShoes && (own == BodyPart::Foot || own == BodyPart::Toe)) {
            if (!isWithinFoot(joint)) addShoe(joint);
            return;
        }
        if (own == BodyPart::Head) return addHead(joint);
        if (own == BodyPart::Hand) return addHand(joint);
        for (const int child : m_children[joint])
            if (!isHelper(child)) addCapsule(joint, child, Vec3d::Zero(), m_joints[child].offset, radii(joint, child));
    }

    void addCapsule(int joint, int child, const Vec3d& from, const Vec3d& to, std::array<double, 2> radii_m)
    {
        const double length = (to - from).norm();
        for (double& r : radii_m) r = std::max(r, std::max(radii_m[0], radii_m[1]) - 0.9 * length);
        if (std::max(radii_m[0], radii_m[1]) <= 0 || length < 0.01 * m_size) return;
        const bool isOnly = m_children[joint].size() <= 1 || child < 0;
        const Pose local{turnFromY((to - from) / length), 0.5 * (from + to)};
        m_limbs.push_back({isOnly ? m_joints[joint].name : m_joints[joint].name + "-" + m_joints[child].name, joint,
                           local, makeTaperedCapsule(radii_m[0], radii_m[1], length)});
        if (part(joint) == BodyPart::Foot || part(joint) == BodyPart::Toe) {
            m_solePoints.push_back({joint, from, radii_m[0]});
            m_solePoints.push_back({joint, to, radii_m[1]});
        }
    }

    /// A capsule from the base of the skull to its top, which an end site marks; without an end site it is upright.
    void addHead(int joint)
    {
        const double r = radius(joint);
        Vec3d top(0, 2.1 * r, 0);
        for (const int child : m_children[joint])
            if (m_joints[child].is_end && m_joints[child].offset.norm() > r) top = m_joints[child].offset;
        const double length = top.norm();
        const Vec3d axis = top / length;
        const double upper = std::max(length - r, 0.6 * r);
        addCapsule(joint, -1, std::min(0.5 * r, 0.9 * upper) * axis, upper * axis, {r, r});
    }

    /// A capsule towards the longest finger.
    void addHand(int joint)
    {
        int longest = -1;
        for (const int child : m_children[joint])
            if (longest < 0 || m_joints[child].offset.norm() > m_joints[longest].offset.norm()) longest = child;
        if (longest >= 0)
            addCapsule(joint, -1, Vec3d::Zero(), m_joints[longest].offset, {radius(joint), 0.75 * radius(joint)});
    }

    std::vector<int> descendants(int joint) const
    {
        std::vector<int> found = m_children[joint];
        for (std::size_t i = 0; i < found.size(); ++i)
            found.insert(found.end(), m_children[found[i]].begin(), m_children[found[i]].end());
        return found;
    }

    /// A boot about the ankle `joint`, standing on the ground of the rest pose.
    void addShoe(int joint)
    {
        const Vec3d ankle = m_rest[joint].translation;
        Vec3d tip = ankle;
        double lowest = ankle.y();
        int toes = -1;
        for (const int j : descendants(joint)) {
            const Vec3d p = m_rest[j].translation;
            lowest = std::min(lowest, p.y());
            if (horizontal(p - ankle).norm() > horizontal(tip - ankle).norm()) tip = p;
            if (toes < 0 && !m_joints[j].is_end && part(j) == BodyPart::Toe) toes = j;
        }
        const double ahead = horizontal(tip - ankle).norm();
        const Vec3d forward = ahead > 0.02 * m_size ? Vec3d(horizontal(tip - ankle) / ahead) : Vec3d::UnitZ();
        const Vec3d left = Vec3d::UnitY().cross(forward);

        ShoeFit fit;
        fit.width_m = m_spec.shoe_m.x();
        fit.toe_height_m = m_spec.shoe_m.y();
        fit.length_m = m_spec.shoe_m.z();
        fit.heel_z_m =
            std::min(std::max(0.75 * fit.length_m, ahead + 0.007 * m_size) - fit.length_m, -0.12 * fit.length_m);
        // The joint of the toes is toeJointHeight_m above the sole; an ankle is 0.039 of the person's height above it.
        fit.ankle_height_m = std::max(ankle.y() - lowest + toeJointHeight_m * m_size, 0.039 * 1.75 * m_size);
        fit.ankle_radius_m = radius(joint);
        fit.shaft_radius_m = 1.3 * fit.ankle_radius_m;
        fit.bend_height_m = std::min(toeJointHeight_m * m_size, 0.4 * fit.toe_height_m);
        fit.is_left = left.dot(ankle - m_rest[0].translation) >= 0;
        // Without a joint, the toes bend at the end of the foot's bone if that may be the ball of the foot.
        const double bend =
            toes >= 0 ? forward.dot(m_rest[toes].translation - ankle)
                      : (ahead > 0.3 * fit.length_m && ahead < 0.6 * fit.length_m ? ahead : 0.475 * fit.length_m);
        fit.bend_z_m = fit.heel_z_m + std::clamp(bend - fit.heel_z_m, 0.5 * fit.length_m, 0.85 * fit.length_m);

        Mat3d axes;
        axes << left, Vec3d::UnitY(), forward;
        addShoePieces(joint, toes, {Quatd(axes), ankle - Vec3d(0, fit.ankle_height_m, 0)}, fit);
    }

    static Vec3d horizontal(const Vec3d& v) { return {v.x(), 0, v.z()}; }

    /// `stand` is the boot's frame in the rest pose, where all joints are unrotated; `toes` the toes' joint, or -1.
    void addShoePieces(int joint, int toes, const Pose& stand, const ShoeFit& fit)
    {
        const auto under = [&](int j) { return Pose{stand.rotation, stand.translation - m_rest[j].translation}; };
        const auto add = [&](const std::string& name, int j, ShoePart shoePart, const std::optional<ToeHinge>& hinge) {
            TriangleMesh mesh = shoeMesh(fit, shoePart);
            if (!hinge)  // toes on a hinge adapt to the ground that the other points give
                for (const Vec3f& v : mesh.vertices)
                    if (v.y() <= 0) m_solePoints.push_back({j, under(j).toWorld(v.cast<double>()), 0});
            const LevelSetOptions options{m_detail.voxel_m, m_detail.band_m, "shoe of " + clampText(name)};
            m_limbs.push_back({name, j, under(j), makeLevelSet(std::move(mesh), options), hinge});
        };
        add(m_joints[joint].name, joint, ShoePart::Foot, std::nullopt);
        if (toes >= 0) return add(m_joints[toes].name, toes, ShoePart::Toes, std::nullopt);
        const ToeHinge hinge{under(joint), Vec3d(0, fit.bend_height_m, fit.bend_z_m), fit.toe_z_m() - fit.bend_z_m};
        add(m_joints[joint].name + " toes", joint, ShoePart::Toes, hinge);
    }

    const BodySpec& m_spec;
    const CharacterDetail m_detail;
    const Clip& m_clip;
    const std::vector<ClipJoint>& m_joints;
    std::vector<Pose> m_rest;
    std::vector<std::vector<int>> m_children;
    double m_size = 1;
    std::vector<Limb> m_limbs;
    std::vector<SolePoint> m_solePoints;
};

Clip clipOf(const BodySpec& spec) { return {loadBvh(spec.file), {spec.scale, spec.up_axis, spec.fps, spec.loop}}; }

}  // namespace

std::vector<RigidPart> makeCharacter(const BodySpec& spec, const Clip& clip, const CharacterDetail& detail)
{
    return CharacterBuilder(spec, clip, detail).pieces();
}

std::vector<RigidPart> makeCharacter(const BodySpec& spec, const CharacterDetail& detail)
{
    return makeCharacter(spec, clipOf(spec), detail);
}

double characterClipLength(const BodySpec& spec) { return clipOf(spec).duration_s(); }

std::shared_ptr<const Motion> makeCharacterJoint(const BodySpec& spec, const std::string& joint,
                                                 const std::string& asker)
{
    return makeCharacterJoint(spec, clipOf(spec), joint, asker);
}

std::shared_ptr<const Motion> makeCharacterJoint(const BodySpec& spec, const Clip& clip, const std::string& joint,
                                                 const std::string& asker)
{
    return CharacterBuilder(spec, clip, {}).joint(joint, asker);
}

}  // namespace firn
