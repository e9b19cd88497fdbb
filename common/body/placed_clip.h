#pragma once
// A clip placed in the scene, and the motions of parts that are attached to its joints.

#include <memory>

#include "common/body/clip.h"
#include "common/body/ground_fit.h"
#include "common/body/motion.h"

namespace firn {

class PlacedClip {
public:
    /// The clip's ground is moved to height 0 of `placement`. Scene time 0 is the time `timeOffset_s` of the clip.
    PlacedClip(const Clip& clip, const Pose& placement, const Ground& ground, double timeOffset_s);

    const Clip& clip() const { return m_clip; }
    double groundHeight_m() const { return m_placement.translation.y(); }
    /// World pose of a joint. All parts of a character ask for the same few times, so each thread caches the last
    /// poses.
    Pose joint(int index, double time_s) const;

private:
    Clip m_clip;
    Pose m_placement;
    Ground m_ground;
    double m_timeOffset_s;
    std::uint64_t m_serial;  // identifies the clip in the caches of the threads
};

/// Motion of a part that has the pose `local` in the frame of a joint.
std::shared_ptr<const Motion> makeJointMotion(std::shared_ptr<const PlacedClip> clip, int joint, const Pose& local);

/// The hinge of a boot's toes, for skeletons without a toe joint.
struct ToeHinge {
    Pose stand;       // frame of the boot (shoe.h) in the frame of the ankle's joint
    Vec3d hinge;      // in the boot's frame
    double length_m;  // from the hinge to the tip
};

/// Motion of the toe part of a boot. When the heel is up, the toes bend by up to 60 degrees, so that the tip does not
/// go below the clip's ground.
std::shared_ptr<const Motion> makeToeMotion(std::shared_ptr<const PlacedClip> clip, int joint, const ToeHinge& toes);

}  // namespace firn
