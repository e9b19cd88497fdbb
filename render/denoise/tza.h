#pragma once
// Weights of a neural network in a TZA file, the format of the weights that Open Image Denoise publishes.
//
// Little endian. Header: magic 0x41D7 (16 bits), major and minor version (8 bits each), offset of the table (64 bits).
// Table: number of tensors (32 bits); for each its name (16-bit length, characters), number of dimensions (8 bits), the
// dimensions (32 bits each), a letter for each dimension ("oihw", "x"), the type ('f' = float, 'h' = half) and the
// offset of its values (64 bits).

#include <cstddef>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace firn {

struct Tensor {
    std::vector<int> shape;
    std::vector<float> values;  // the last dimension varies fastest
};

using Tensors = std::map<std::string, Tensor>;

/// `name` is for messages. Throws Error(File) for another format or version, and for damaged or truncated data.
Tensors decodeTza(std::span<const std::byte> bytes, const std::string& name);

/// Like decodeTza, from a file of at most 256 MiB.
Tensors readTza(const std::filesystem::path& path);

}  // namespace firn
