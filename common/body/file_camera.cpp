#include "common/body/file_camera.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "common/body/played_file.h"
#include "common/error.h"
#include "common/io/suggest.h"
#include "common/level_right.h"

namespace firn {

namespace {

constexpr double lookDistance_m = 5;  // of look_at without a focus: about how far snow is

BodySpec playedSpec(const CameraAnimation& animation)
{
    BodySpec spec;
    spec.name = "camera";
    spec.shape = BodyShape::Mesh;
    spec.file = animation.file;
    spec.file_place = animation.file_place;
    spec.clip = animation.clip;
    spec.scale = animation.scale;
    spec.up_axis = animation.up_axis;
    spec.time_offset_s = animation.time_offset_s;
    return spec;
}

/// What begins messages.
std::string sourceOf(const BodySpec& spec)
{
    return (spec.file_place.empty() ? "" : spec.file_place + ": ") + "camera, " + spec.file.string();
}

const FileCamera& chosenCamera(const AnimatedFile& file, const std::string& name, const std::string& source)
{
    if (file.cameras.empty())
        throw Error(ExitCode::Usage, source + ": it has no perspective camera. Was it exported without cameras?");
    if (name.empty() && file.cameras.size() == 1) return file.cameras.front();
    const auto found = std::ranges::find(file.cameras, name, &FileCamera::name);
    if (!name.empty() && found != file.cameras.end()) return *found;
    std::vector<std::string_view> names;
    for (const FileCamera& camera : file.cameras) names.emplace_back(camera.name);
    if (name.empty())
        throw Error(ExitCode::Usage, source + ": it has several cameras, such as " + quotedName(file.cameras[0].name) +
                                         " and " + quotedName(file.cameras[1].name) +
                                         ": choose one with 'camera' in [camera.animation]");
    throw Error(ExitCode::Usage, source + ": it has no camera " + quotedName(name) + didYouMean(name, names));
}

/// The turn about `forward` that leads from a level view to one with this direction up, degrees.
double rollOf(const Vec3d& forward, const Vec3d& up)
{
    const Vec3d right = levelRight(forward);
    return std::atan2(up.dot(right), up.dot(right.cross(forward))) * 180 / pi;
}

class PlayedCamera {
public:
    explicit PlayedCamera(const Scene& scene)
        : m_spec(playedSpec(scene.camera.animation)),
          m_file(m_spec, sourceOf(m_spec), FileNeeds::Camera),
          m_camera(chosenCamera(m_file.file(), scene.camera.animation.camera, m_file.source())),
          m_motion(m_file.carried(makeStaticMotion({}), m_camera.node)),
          m_focalLength_mm(focalLength_mm(scene)),
          m_focus_m(scene.camera.focus_distance_m)
    {
        const Mat3d rest = m_file.restOf(m_camera.node);
        m_toRest = Affine(rest).rotation().inverse() * rest;
    }

    CameraKey at(double time_s) const
    {
        const Pose pose = m_motion->pose(time_s);
        const Vec3d forward = (pose.rotation * (m_toRest * m_camera.forward)).normalized();
        const Vec3d up = pose.rotation * (m_toRest * m_camera.up);
        CameraKey key;
        key.time_s = time_s;
        key.position = pose.translation;
        key.look_at = key.position + (m_focus_m > 0 ? m_focus_m : lookDistance_m) * forward;
        key.focal_length_mm = m_focalLength_mm;
        key.focus_distance_m = m_focus_m;
        key.roll_deg = rollOf(forward, up);
        return key;
    }

private:
    /// A file gives the width of the view with the shape of its picture, or the height alone.
    double focalLength_mm(const Scene& scene) const
    {
        const double sensor_mm = scene.camera.sensor_width_mm / 2 / std::tan(m_camera.field_rad / 2);
        return m_camera.is_height ? sensor_mm * scene.render.height / scene.render.width : sensor_mm;
    }

    const BodySpec m_spec;
    const PlayedFile m_file;
    const FileCamera& m_camera;
    std::shared_ptr<const Motion> m_motion;
    Mat3d m_toRest;  // from the node's axes, which may be scaled, to those that move
    double m_focalLength_mm, m_focus_m;
};

}  // namespace

void playCamera(Scene& scene)
{
    const CameraAnimation& animation = scene.camera.animation;
    if (animation.file.empty()) return;
    if (!isAnimatedFile(animation.file))
        throw Error(ExitCode::Usage, sourceOf(playedSpec(animation)) + ": found the extension " +
                                         quotedName(animation.file.extension().string()) +
                                         ", expected .glb, .gltf or .fbx");
    const auto camera = std::make_shared<const PlayedCamera>(scene);
    scene.camera.played = [camera](double time_s) { return camera->at(time_s); };
}

}  // namespace firn
