#pragma once
// The bodies of a scene, as snow and light meet them: what one is made of, and how all of them are built.

#include <memory>
#include <string>
#include <vector>

#include "common/body/body_piece.h"
#include "common/body/motion.h"
#include "common/image/encoded_picture.h"
#include "common/scene/scene.h"

namespace firn {

struct Body {
    std::string name;
    bool visible = true;
    bool holdout = false;         // it is a hole of the picture
    bool shadow_catcher = false;  // a holdout whose shadows are a layer
    bool collides = true;
    Vec3d color = Vec3d::Zero();  // diffuse albedo, or of a metal
    double roughness = 1, metalness = 0;
    Vec3d emission = Vec3d::Zero();                           // radiance
    std::shared_ptr<const EncodedPicture> picture = nullptr;  // replaces the colour; it lies on the body from above
    double picture_width_m = 2;
    std::vector<std::shared_ptr<const BodyPiece>> pieces;
    std::vector<std::string> remarks = {};  // what the user should look at, such as holes that were closed
    std::string clip = {};                  // what is played, such as "clip 'walk' of 8.57 s"; empty for none
    std::string closed = {};                // holes that were closed and are too small for a remark; empty for none
};

/// Builds every body of a scene that checkScene has accepted: loads files, checks meshes for holes, makes level sets.
/// Throws Error: Usage for wrong content of a file, File when a file cannot be read.
std::vector<Body> makeBodies(const Scene& scene);

/// One body of such a scene.
Body makeBody(const Scene& scene, const BodySpec& spec);

/// Whether the body is a sequence of files, one per frame. They are read when their time comes.
bool isSequence(const BodySpec& spec);

/// Reads the files of all sequences that the frames of the scene need. Throws Error as makeBodies does.
void readSequences(const Scene& scene, const std::vector<Body>& bodies);

/// The motion of the frame of a body that is not a character. If the body has a clip, it plays in this frame.
std::shared_ptr<const Motion> motionOf(const Scene& scene, const BodySpec& spec);

/// The motion of an object that `body` carries: that of `node` (a node of its file, or a joint of a character). If
/// `node` is empty, that of the whole body, with root_motion. Throws Error(Usage) if there is no such node; `asker`
/// begins the message.
std::shared_ptr<const Motion> carrierOf(const Scene& scene, const BodySpec& body, const std::string& node,
                                        const std::string& asker);

/// The bodies that snow collides with.
std::vector<Body> makeCollidingBodies(const Scene& scene);

/// All pieces of all bodies, in order, placed for one interval. The bodies must outlive the result.
std::vector<std::unique_ptr<const PlacedPiece>> placeAll(const std::vector<Body>& bodies, double start_s,
                                                         double length_s);

/// Whether a point is inside a piece.
bool isInside(const PlacedPiece& piece, const Vec3d& x);

}  // namespace firn
