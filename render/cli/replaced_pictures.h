#pragma once
// What pictures of another simulation, or of other values of the scene, a run would replace.

#include <string>
#include <vector>

#include "common/scene/scene.h"
#include "render/cli/picture_layout.h"

namespace firn {

/// The scene that is to be rendered.
struct WantedScene {
    const Scene& scene;
    const std::string& values;  // dumpValues()
    const std::string& hash;    // sceneHash()
};

/// Compares the scene with that which the metadata of the pictures of `frames` record. Throws Error(Usage) for a
/// picture of another simulation, unless `force` is set. Returns a warning if pictures are of other values than now,
/// otherwise "". Values that options of firn-render frames set do not count: a picture is often made again with others.
std::string requireSameSimulation(const PictureLayout& layout, const std::vector<int>& frames,
                                  const WantedScene& wanted, bool force);

}  // namespace firn
