#pragma once
// Linear blend skinning: each vertex follows the weighted mean of its bones' transforms.

#include <memory>

#include "common/body/animation.h"
#include "common/body/deforming_surface.h"

namespace firn {

/// The surface of a mesh with bones, or of one whose node shears or changes its scale. `toBody` leads from the file's
/// space to the body's frame, in metres.
std::shared_ptr<const DeformingSurface> makeSkinnedSurface(const FileMesh& mesh,
                                                           std::shared_ptr<const Animation> animation,
                                                           const Affine& toBody);

}  // namespace firn
