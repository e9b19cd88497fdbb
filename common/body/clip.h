#pragma once
// An animated skeleton: the poses of a BVH's joints at any time, in metres, with y up.

#include <filesystem>
#include <string>
#include <vector>

#include "common/body/bvh.h"
#include "common/pose.h"
#include "common/scene/scene.h"

namespace firn {

struct ClipOptions {
    double scale = 1;
    UpAxis up_axis = UpAxis::Y;
    double fps = 0;  // 0 = as in the file
    bool loop = false;
};

struct ClipJoint {
    std::string name;
    int parent = -1;
    bool is_end = false;
    Vec3d offset = Vec3d::Zero();  // from the parent in the rest pose, m
};

/// Between frames, rotations are interpolated by slerp and translations by a Catmull-Rom spline, whose velocity is
/// continuous. Before the first and after the last frame the pose is constant. Many converters put one frame in the
/// rest pose before the motion. That frame and the jump after it (at most 12 frames) are skipped; time 0 is the first
/// frame that remains.
///
/// A looped clip repeats, and each repetition starts where the one before ended: the horizontal displacement of the
/// root is added. Over the last 0.2 s (at most a quarter of the clip) the pose is blended into that of the first frame,
/// so that it does not jump. A clip whose last frame equals the first one is not changed. The loop also covers times
/// before 0.
///
/// Position channels replace the joint's offset, because motion capture and animation programs write them so.
class Clip {
public:
    Clip(const Bvh& bvh, const ClipOptions& options);

    const std::vector<ClipJoint>& joints() const { return m_joints; }
    double duration_s() const { return (m_frames - 1) * m_frame_s; }
    double frame_s() const { return m_frame_s; }
    int frames() const { return m_frames; }

    /// World pose of every joint; `poses` is resized.
    void pose(double time_s, std::vector<Pose>& poses) const;
    /// The pose with all rotations zero and the root at its offset.
    void restPose(std::vector<Pose>& poses) const;

private:
    struct Moving {  // a joint with position channels
        int joint;
        std::vector<Vec3d> positions;  // per frame, relative to the parent
        Vec3d carry = Vec3d::Zero();   // displacement per loop
    };

    Quatd& rotation(int frame, int joint) { return m_rotations[frame * m_joints.size() + joint]; }
    const Quatd& rotation(int frame, int joint) const { return m_rotations[frame * m_joints.size() + joint]; }
    void readFrame(const Bvh& bvh, int source, int frame, const ClipOptions& options);
    void closeLoop();
    Vec3d positionAt(const Moving& moving, int frame) const;
    Vec3d spline(const Moving& moving, int frame, double u) const;

    std::vector<ClipJoint> m_joints;
    std::vector<Quatd> m_rotations;  // frame by frame, relative to the parent
    std::vector<Moving> m_moving;
    int m_frames = 0;
    double m_frame_s = 1;
    bool m_loop = false;
};

}  // namespace firn
