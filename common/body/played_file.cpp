#include "common/body/played_file.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "common/body/played_times.h"
#include "common/body/root_path.h"
#include "common/body/skinned_surface.h"
#include "common/body/text_input.h"
#include "common/error.h"
#include "common/io/suggest.h"

namespace firn {

namespace {

std::string shortText(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", value);
    return text;
}

std::string clipName(const std::string& name)
{
    return name.empty() ? "a clip without a name" : "clip " + quotedName(name);
}

int chooseClip(const AnimatedFile& file, const BodySpec& spec, const std::string& source)
{
    if (spec.clip.empty()) return file.clips.empty() ? -1 : 0;
    std::vector<std::string_view> names;
    for (std::size_t c = 0; c < file.clips.size(); ++c) {
        if (file.clips[c].name == spec.clip) return static_cast<int>(c);
        if (!file.clips[c].name.empty()) names.push_back(file.clips[c].name);
    }
    if (names.empty() && !file.clips.empty())
        throw Error(ExitCode::Usage, source + ": it has no clip " + quotedName(spec.clip) +
                                         "; its clips have no names. Leave 'clip' out to play the first one");
    throw Error(ExitCode::Usage, source + ": it has no clip " + quotedName(spec.clip) +
                                     (names.empty() ? "; it has no clips" : didYouMean(spec.clip, names)));
}

/// The motion of a node that stays rigid, in the body's frame. `toNode` leads from the axes of what it carries to its
/// own.
class NodeMotion final : public Motion {
public:
    NodeMotion(std::shared_ptr<const Motion> body, std::shared_ptr<const Animation> animation, int node,
               const Affine& toBody, const Mat3d& toNode)
        : m_body(std::move(body)), m_animation(std::move(animation)), m_node(node), m_toBody(toBody), m_toNode(toNode)
    {
    }

    Pose pose(double time_s) const override
    {
        std::vector<Affine> world;
        m_animation->pose(time_s, world);
        const Affine node = m_toBody * world[m_node];
        const Mat3d rotation = node.linear() * m_toNode;
        return m_body->pose(time_s) * Pose{Quatd(rotation).normalized(), node.translation()};
    }
    bool isStatic() const override { return m_body->isStatic() && m_animation->isStill(m_node); }

private:
    std::shared_ptr<const Motion> m_body;
    std::shared_ptr<const Animation> m_animation;
    int m_node;
    Affine m_toBody;
    Mat3d m_toNode;
};

}  // namespace

PlayedFile::PlayedFile(const BodySpec& spec) : PlayedFile(spec, bodySource(spec), FileNeeds::Mesh) {}

PlayedFile::PlayedFile(const BodySpec& spec, std::string source, FileNeeds needs)
    : m_spec(spec),
      m_source(std::move(source)),
      m_file(readAnimatedFile(spec.file, m_source, needs)),
      m_clip(chooseClip(m_file, spec, m_source))
{
    if (spec.fps != 0)
        throw Error(ExitCode::Usage, m_source +
                                         ": fps is for .bvh files and sequences of meshes; the keys of this file have "
                                         "times in seconds. Use time_scale to change its speed");
    m_toBody.linear() = spec.scale * yUpFrom(spec.up_axis);
    m_animation =
        std::make_shared<const Animation>(m_file, m_clip, ClipTime{spec.time_offset_s, spec.time_scale, spec.loop});
    if (spec.root_motion == RootMotionKind::Feet && m_clip < 0)
        throw Error(ExitCode::Usage, m_source +
                                         ": root_motion = \"feet\" needs a clip that walks, and the file has no "
                                         "clips. Was it exported without its animation?");
    if (spec.root_motion == RootMotionKind::Feet) m_walk = -footVelocity();
}

std::string PlayedFile::clipText() const
{
    std::string text;
    if (m_clip >= 0)
        text = clipName(m_file.clips[static_cast<std::size_t>(m_clip)].name) + " of " +
               shortText(m_animation->length_s()) + " s";
    if (m_spec.root_motion == RootMotionKind::Feet) text += ", walks at " + shortText(m_walk.norm()) + " m/s";
    return text;
}

std::shared_ptr<const DeformingSurface> PlayedFile::surfaceOf(const FileMesh& mesh) const
{
    return makeSkinnedSurface(mesh, m_animation, m_toBody);
}

Mat3d PlayedFile::restOf(int node) const
{
    std::vector<Affine> world;
    m_animation->pose(m_animation->sampleTimes_s().front(), world);
    return (m_toBody * world[static_cast<std::size_t>(node)]).linear();
}

WalkTime PlayedFile::playedTime() const
{
    if (m_spec.loop) return {};
    const double first_s = m_animation->sampleTimes_s().front();
    return {first_s, first_s + m_animation->length_s() / m_spec.time_scale};
}

std::vector<std::string> PlayedFile::remarks(const Scene& scene) const
{
    std::vector<std::string> remarks;
    if (m_spec.root_motion != RootMotionKind::None) addRemarksOnWalk(remarks);
    const WalkTime plays = playedTime();
    if (m_clip >= 0) remarks.push_back(timesRemark(scene, m_spec, plays.first_s, plays.last_s, false));
    std::erase(remarks, "");
    return remarks;
}

void PlayedFile::addRemarksOnWalk(std::vector<std::string>& remarks) const
{
    const auto hasBones = [](const FileMesh& mesh) { return !mesh.bones.empty(); };
    if (std::ranges::none_of(m_file.meshes, hasBones))
        remarks.push_back(
            m_source +
            ": root_motion = \"feet\" is for characters, and nothing in this file bends: its wheels or "
            "other parts near the ground count as feet. Move such a body with [[body.key]] or 'velocity'");
    constexpr double slowest_m_s = 0.05;
    if (m_walk.norm() < slowest_m_s)
        remarks.push_back(m_source + ": root_motion = \"feet\" finds that the clip walks at " +
                          shortText(m_walk.norm()) +
                          " m/s, so the body stays where it is: the clip does not walk in place, or its scale or clip "
                          "is wrong");
    if (!m_spec.velocity.isZero(0))
        remarks.push_back(m_source + ": 'velocity' moves the body in addition to root_motion, so its feet slide");
}

std::shared_ptr<const Motion> PlayedFile::wholeMotion(std::shared_ptr<const Motion> body) const
{
    if (m_spec.root_motion == RootMotionKind::None) return body;
    if (m_spec.path.empty()) return makeStraightWalk(std::move(body), m_walk, playedTime());
    std::vector<Vec3d> points;
    for (const BodyPathPoint& point : m_spec.path) points.push_back(point.position);
    return makePathWalk(std::move(body), m_walk, std::move(points), playedTime());
}

std::shared_ptr<const Motion> PlayedFile::nodeMotion(std::shared_ptr<const Motion> whole, int node,
                                                     const Mat3d& toNode) const
{
    return std::make_shared<const NodeMotion>(std::move(whole), m_animation, node, m_toBody, toNode);
}

int PlayedFile::nodeNamed(const std::string& name, const std::string& asker) const
{
    std::vector<std::string_view> names;
    for (std::size_t n = 0; n < m_file.nodes.size(); ++n) {
        if (m_file.nodes[n].name == name) return static_cast<int>(n);
        names.push_back(m_file.nodes[n].name);
    }
    throw Error(ExitCode::Usage, asker + ": its parent " + quotedName(m_spec.name) + " has no node " +
                                     quotedName(name) + didYouMean(name, names));
}

/// Mean horizontal velocity (m/s) of the vertices near the ground, over one pass of the clip, in the body's frame.
Vec3d PlayedFile::footVelocity() const
{
    constexpr double step_s = 1. / 120, share = 0.02;  // of the body's height, in which feet touch the ground
    const int steps = static_cast<int>(m_animation->length_s() / step_s / m_spec.time_scale);
    const double start_s = m_animation->sampleTimes_s().front();
    double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
    std::vector<std::vector<Vec3d>> poses;
    for (int k = 0; k <= steps; ++k) {
        std::vector<Vec3d>& all = poses.emplace_back();
        for (const FileMesh& mesh : m_file.meshes) {
            std::vector<Vec3d> vertices;
            surfaceOf(mesh)->positions(start_s + k * step_s, vertices);
            all.insert(all.end(), vertices.begin(), vertices.end());
        }
        for (const Vec3d& v : all) {
            lowest = std::min(lowest, v.y());
            highest = std::max(highest, v.y());
        }
    }
    const double top = lowest + share * (highest - lowest);
    Vec3d sum = Vec3d::Zero();
    double count = 0;
    for (int k = 1; k <= steps; ++k)
        for (std::size_t v = 0; v < poses[k].size(); ++v) {
            if (std::max(poses[k - 1][v].y(), poses[k][v].y()) > top) continue;
            sum += (poses[k][v] - poses[k - 1][v]) / step_s;
            ++count;
        }
    if (count == 0)
        throw Error(ExitCode::Usage, m_source +
                                         ": root_motion = \"feet\" needs a clip with feet on the ground; check also "
                                         "scale and time_scale");
    return {sum.x() / count, 0, sum.z() / count};
}

std::shared_ptr<const Motion> PlayedFile::carried(std::shared_ptr<const Motion> whole, int node) const
{
    Affine rest = Affine::Identity();
    rest.linear() = restOf(node);
    return nodeMotion(std::move(whole), node, rest.linear().inverse() * rest.rotation());
}

std::shared_ptr<const Motion> carrierInFile(const BodySpec& spec, const std::string& node,
                                            std::shared_ptr<const Motion> body, const std::string& asker)
{
    const PlayedFile file(spec);
    std::shared_ptr<const Motion> whole = file.wholeMotion(std::move(body));
    if (node.empty()) return whole;
    return file.carried(std::move(whole), file.nodeNamed(node, asker));
}

}  // namespace firn
