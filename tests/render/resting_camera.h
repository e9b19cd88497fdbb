#pragma once
// A camera that does not move, with all in focus.

#include "common/scene/scene.h"

namespace firn {

inline Camera restingCamera(const Vec3d& position, const Vec3d& look_at, double focalLength_mm, double sensorWidth_mm)
{
    Camera camera;
    camera.position = position;
    camera.look_at = look_at;
    camera.focal_length_mm = focalLength_mm;
    camera.sensor_width_mm = sensorWidth_mm;
    return camera;
}

}  // namespace firn
