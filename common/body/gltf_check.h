#pragma once
// Faults of glTF files that Assimp 5.2 passes over in silence, or at which it crashes; and what it reads wrongly.

#include <string>
#include <vector>

namespace firn {

/// What a perspective camera sees.
struct GltfView {
    double height_rad = 0;  // angle of the view's height; 0 = the camera is not a perspective one
    double aspect = 0;      // width / height of the picture, 0 = not given
};

/// Throws Error: File for a mesh without primitives or positions; Usage for a skin without inverseBindMatrices, which
/// glTF allows (2.0, section 3.7.3.1). The message begins with `source`. Returns what each camera sees, in the order of
/// the file: Assimp 5.2 multiplies the angle by the aspect. A file that cannot be parsed is left to its reader.
std::vector<GltfView> checkGltf(const std::string& bytes, const std::string& source);

}  // namespace firn
