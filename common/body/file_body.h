#pragma once
// Bodies from glTF and FBX files, whose nodes and skins may move.

#include <memory>
#include <string>
#include <vector>

#include "common/body/body_piece.h"
#include "common/body/motion.h"
#include "common/scene/scene.h"

namespace firn {

struct FileBody {
    std::vector<std::shared_ptr<const BodyPiece>> pieces;
    std::vector<std::string> remarks;  // what the user should look at, such as holes that were closed
    std::string clip;                  // what is played, such as "clip 'walk' of 8.57 s"; empty for none
    std::string closed;                // holes that were closed and are too small for a remark; empty for none
};

/// One piece for each mesh of the file: rigid where its node moves without deforming, otherwise with key frames. The
/// file's frame moves with `motion`. Throws Error: File when the file cannot be read; Usage for wrong content, a clip
/// that is not there, or a mesh with a hole that is not flat.
FileBody makeFileBody(const Scene& scene, const BodySpec& spec, std::shared_ptr<const Motion> motion);

}  // namespace firn
