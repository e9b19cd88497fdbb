#pragma once
// The camera of a scene that moves as one of an animated file.

#include "common/scene/scene.h"

namespace firn {

/// Sets Camera::played if the scene's camera has a file. Throws Error: File when it cannot be read or is damaged; Usage
/// when the camera or the clip is not in it, or the camera is not a perspective one.
void playCamera(Scene& scene);

}  // namespace firn
