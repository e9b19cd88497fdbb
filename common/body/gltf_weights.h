#pragma once
// What Assimp 5.2 does not do for glTF files. It reads weights of skins only as floats, but glTF also allows integers,
// whose largest value stands for 1. It passes over meshes without primitives.

#include <functional>
#include <optional>
#include <string>

namespace firn {

struct GltfWithFloats {
    /// The name of the buffer's file, as the changed file has it.
    static constexpr const char* bufferName = "firn-weights.bin";

    std::string file;    // .gltf or .glb
    std::string buffer;  // the weights
};

/// The glTF file `bytes` (text or binary) with all weights as floats, in a buffer of their own. None if there is
/// nothing to change, or if the file is damaged: its reader then tells what is wrong. `readBuffer` gives the bytes of a
/// buffer's file by its URI.
std::optional<GltfWithFloats> withFloatWeights(const std::string& bytes,
                                               const std::function<std::string(const std::string& uri)>& readBuffer);

/// What is wrong with a glTF file that its reader would pass over in silence: a mesh that has nothing to draw. Empty if
/// nothing is, or if the file cannot be parsed at all.
std::string faultOfGltf(const std::string& bytes);

/// Whether a skin has no inverseBindMatrices, which glTF allows. Assimp 5.2 crashes there.
bool lacksBindMatrices(const std::string& bytes);

}  // namespace firn
