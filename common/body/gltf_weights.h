#pragma once
// Weights of glTF skins as floats. glTF also allows integers, whose largest value stands for 1; Assimp 5.2 does not
// read those.

#include <functional>
#include <optional>
#include <string>

namespace firn {

/// The JSON of a glTF file, text or binary. Throws std::out_of_range if a binary file is cut.
std::string jsonOfGltf(const std::string& bytes);

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

}  // namespace firn
