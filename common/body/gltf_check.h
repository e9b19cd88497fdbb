#pragma once
// Faults of glTF files that Assimp 5.2 passes over in silence, or at which it crashes.

#include <string>

namespace firn {

/// Throws Error: File for a mesh without primitives or positions; Usage for a skin without inverseBindMatrices, which
/// glTF allows (2.0, section 3.7.3.1). The message begins with `source`. A file that cannot be parsed is left to its
/// reader.
void checkGltf(const std::string& bytes, const std::string& source);

}  // namespace firn
