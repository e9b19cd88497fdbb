#pragma once
// A boot as a closed mesh: flat sole with a waisted outline, rounded toe box, instep and a short shaft. The origin of
// its frame is on the lower side of the sole below the ankle; z points to the toes, y up, x to the wearer's left.

#include "common/body/mesh.h"

namespace firn {

struct ShoeFit {
    double width_m = 0.10;       // of the sole at the ball
    double toe_height_m = 0.06;  // of the toe box, sole included
    double length_m = 0.28;
    double heel_z_m = -0.07;       // back end of the sole; behind the ankle
    double ankle_height_m = 0.08;  // above the sole's lower side
    double shaft_radius_m = 0.055;
    bool is_left = true;            // decides which side of the sole is the outer, less curved one
    double ankle_radius_m = 0.042;  // of the lower end of the shin, which the boot encloses
    double bend_z_m = 0;            // the toes of a boot of two parts bend about an axis along x
    double bend_height_m = 0.015;   // at this z and height

    double toe_z_m() const { return heel_z_m + length_m; }
};

enum class ShoePart { Whole, Foot, Toes };  // Foot and Toes meet in a cylinder about the axis of the bend

TriangleMesh shoeMesh(const ShoeFit& fit, ShoePart part);

}  // namespace firn
