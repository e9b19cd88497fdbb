#pragma once
// An animated file as a body plays it: the clip that is chosen, its surfaces, and how its nodes move.

#include <memory>
#include <string>

#include "common/body/animated_file.h"
#include "common/body/animation.h"
#include "common/body/deforming_surface.h"
#include "common/body/motion.h"
#include "common/body/root_path.h"
#include "common/scene/scene.h"

namespace firn {

class PlayedFile {
public:
    /// Reads the file. Throws Error: File when it cannot be read; Usage for wrong content, a clip that is not there, or
    /// root_motion without feet on the ground.
    /// `spec` must outlive the object.
    explicit PlayedFile(const BodySpec& spec);
    /// The same for what is no body; `source` begins messages.
    PlayedFile(const BodySpec& spec, std::string source, FileNeeds needs);

    /// What begins messages: the place in the scene, the body and the file.
    const std::string& source() const { return m_source; }
    const AnimatedFile& file() const { return m_file; }
    const Animation& animation() const { return *m_animation; }
    /// "clip 'walk' of 8.57 s, walks at 1.3 m/s"; empty without a clip.
    std::string clipText() const;

    /// A mesh of the file, in the body's frame.
    std::shared_ptr<const DeformingSurface> surfaceOf(const FileMesh& mesh) const;

    /// The axes of a node in the first pose, in the body's frame; they may be scaled.
    Mat3d restOf(int node) const;

    /// Warnings for the user: a clip that does not cover the shot, root_motion for a clip that does not walk, and feet
    /// that slide.
    std::vector<std::string> remarks(const Scene& scene) const;

    /// How the file as a whole moves: as `body`, and with root_motion as fast as its feet, while the clip plays.
    std::shared_ptr<const Motion> wholeMotion(std::shared_ptr<const Motion> body) const;

    /// How a node moves that stays rigid, where `whole` moves the file. `toNode` leads from the axes of what the node
    /// carries to the node's.
    std::shared_ptr<const Motion> nodeMotion(std::shared_ptr<const Motion> whole, int node, const Mat3d& toNode) const;

    /// How objects move that a node carries, whose axes are those of the node in the first pose without their scale.
    std::shared_ptr<const Motion> carried(std::shared_ptr<const Motion> whole, int node) const;

    /// The number of a node. Throws Error(Usage) if there is none of that name; `asker` begins the message.
    int nodeNamed(const std::string& name, const std::string& asker) const;

private:
    WalkTime playedTime() const;
    void addRemarksOnWalk(std::vector<std::string>& remarks) const;
    Vec3d footVelocity() const;

    const BodySpec& m_spec;
    std::string m_source;
    AnimatedFile m_file;
    int m_clip;
    Affine m_toBody = Affine::Identity();
    std::shared_ptr<const Animation> m_animation;
    Vec3d m_walk = Vec3d::Zero();  // velocity with root_motion, m/s
};

/// The motion of objects that a body with such a file carries: that of its node `node`, or of the whole file if `node`
/// is empty. Throws Error(Usage) if there is no such node; `asker` begins the message.
std::shared_ptr<const Motion> carrierInFile(const BodySpec& spec, const std::string& node,
                                            std::shared_ptr<const Motion> body, const std::string& asker);

}  // namespace firn
