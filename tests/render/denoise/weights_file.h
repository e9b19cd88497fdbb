#pragma once
// A small network of the denoiser's form with random weights, and its TZA file.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "render/denoise/tza.h"

namespace firn {

/// Layers in their order with the channels that come in and go out; 16 on all inner levels.
inline const std::vector<std::pair<std::string, std::pair<int, int>>>& smallNetwork()
{
    static const std::vector<std::pair<std::string, std::pair<int, int>>> layers = {
        {"enc_conv0", {9, 16}},   {"enc_conv1", {16, 16}},  {"enc_conv2", {16, 16}},  {"enc_conv3", {16, 16}},
        {"enc_conv4", {16, 16}},  {"enc_conv5a", {16, 16}}, {"enc_conv5b", {16, 32}}, {"dec_conv4a", {48, 16}},
        {"dec_conv4b", {16, 16}}, {"dec_conv3a", {32, 16}}, {"dec_conv3b", {16, 16}}, {"dec_conv2a", {32, 32}},
        {"dec_conv2b", {32, 16}}, {"dec_conv1a", {25, 16}}, {"dec_conv1b", {16, 16}}, {"dec_conv0", {16, 3}}};
    return layers;
}

inline Tensors smallWeights()
{
    std::mt19937 random(7);
    Tensors result;
    for (const auto& [name, channels] : smallNetwork()) {
        const auto [in, out] = channels;
        std::normal_distribution<float> weight(0, std::sqrt(2.0f / static_cast<float>(9 * in)));
        std::uniform_real_distribution<float> bias(-0.1f, 0.2f);
        Tensor w{{out, in, 3, 3}, {}}, b{{out}, {}};
        for (int i = 0; i < out * in * 9; ++i) w.values.push_back(weight(random));
        for (int i = 0; i < out; ++i) b.values.push_back(bias(random));
        result[name + ".weight"] = w;
        result[name + ".bias"] = b;
    }
    // The results lie between 0 and 1, so that the denoiser does not clamp them.
    for (float& value : result["dec_conv0.weight"].values) value *= 0.05f;
    for (float& value : result["dec_conv0.bias"].values) value = 0.5f;
    return result;
}

/// The bytes of a TZA file with floats.
inline std::vector<std::byte> tzaBytes(const Tensors& tensors)
{
    std::vector<std::byte> bytes;
    const auto put = [&](const auto& value) {
        const auto* data = reinterpret_cast<const std::byte*>(&value);
        bytes.insert(bytes.end(), data, data + sizeof(value));
    };
    put(std::uint16_t{0x41D7});
    put(std::uint8_t{2});
    put(std::uint8_t{0});
    put(std::uint64_t{0});  // the table's offset, set below
    std::vector<std::uint64_t> offsets;
    for (const auto& [name, tensor] : tensors) {
        offsets.push_back(bytes.size());
        for (const float value : tensor.values) put(value);
    }
    const std::uint64_t table = bytes.size();
    std::memcpy(bytes.data() + 4, &table, sizeof(table));
    put(static_cast<std::uint32_t>(tensors.size()));
    std::size_t i = 0;
    for (const auto& [name, tensor] : tensors) {
        put(static_cast<std::uint16_t>(name.size()));
        for (const char c : name) put(c);
        put(static_cast<std::uint8_t>(tensor.shape.size()));
        for (const int size : tensor.shape) put(static_cast<std::uint32_t>(size));
        for (std::size_t d = 0; d < tensor.shape.size(); ++d) put("oihw"[d]);
        put('f');
        put(offsets[i++]);
    }
    return bytes;
}

}  // namespace firn
