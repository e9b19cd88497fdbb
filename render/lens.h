#pragma once
// A thin lens: what is in focus lies in one plane, and a point at another distance is seen as a disc, or as the polygon
// that the blades of the aperture leave open (Potmesil and Chakravarty 1981; Cook et al. 1984).

#include "common/scene/scene.h"
#include "render/sampler.h"

namespace firn {

/// Camera space: x right, y up.
struct Lens {
    double radius_m = 0;  // of the aperture, or of the circle through the polygon's corners; 0 = a pinhole
    double focus_m = 1;   // distance of the plane in focus, along the view axis
    int blades = 0;       // 0 = round
    double rotation = 0;  // of the polygon, radians; at 0 it has a corner at the top

    /// focus_m: the distance where the camera has none of its own.
    static Lens of(const Camera& camera, const CameraKey& at, double focus_m);

    bool isPinhole() const { return !(radius_m > 0); }
    /// A point of the aperture (m), evenly distributed for even u in [0, 1)^2.
    Eigen::Vector2d point(const Vec2f& u) const;
    /// Diameter (m) at a distance along the view axis (m) of what is seen through one point of the picture.
    double blurAt(double distance_m) const;
};

}  // namespace firn
