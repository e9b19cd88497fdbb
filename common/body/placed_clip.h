#pragma once
// A clip at its place in the scene, and the motions of what hangs on its joints.

#include <memory>

#include "common/body/clip.h"
#include "common/body/ground_fit.h"
#include "common/body/motion.h"

namespace firn {

class PlacedClip {
public:
    /// The clip's ground is brought to height 0 of `placement`; scene time 0 is `timeOffset_s` of the clip.
    PlacedClip(const Clip& clip, const Pose& placement, const Ground& ground, double timeOffset_s);

    const Clip& clip() const { return m_clip; }
    double groundHeight_m() const { return m_placement.translation.y(); }
    /// World pose of a joint. The pieces of a character ask for the same few times: each thread keeps the last.
    Pose joint(int index, double time_s) const;

private:
    Clip m_clip;
    Pose m_placement;
    Ground m_ground;
    double m_timeOffset_s;
    std::uint64_t m_serial;  // tells clips apart in the threads' memory
};

/// Motion of a piece that is at `local` in the frame of a joint.
std::shared_ptr<const Motion> makeJointMotion(std::shared_ptr<const PlacedClip> clip, int joint, const Pose& local);

/// Toes of a foot whose skeleton has none.
struct ToeHinge {
    Pose stand;       // frame of the boot (shoe.h) in the frame of the ankle's joint
    Vec3d hinge;      // in the boot's frame
    double length_m;  // from the hinge to the tip
};

/// Motion of the boot's frame as its toes have it: when the heel is up they bend so far, up to 60 degrees, that the tip
/// does not dig into the clip's ground.
std::shared_ptr<const Motion> makeToeMotion(std::shared_ptr<const PlacedClip> clip, int joint, const ToeHinge& toes);

}  // namespace firn
