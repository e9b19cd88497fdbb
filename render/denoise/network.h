#pragma once
// The network of Open Image Denoise: a U-Net (Ronneberger, Fischer and Brox 2015) of sixteen 3x3 convolutions. Five
// levels, each half as large as the one before; the input and the three inner levels before pooling skip to the
// decoder. oneDNN runs the convolutions.

#include <memory>
#include <string>
#include <vector>

#include "render/denoise/tza.h"

namespace firn {

class DenoiseNetwork {
public:
    static constexpr int inputs = 9;        // colour, albedo, normal
    static constexpr int outputs = 3;       // colour
    static constexpr int granularity = 16;  // sizes of tiles are multiples of it
    static constexpr int reach = 112;       // pixels farther away do not change a pixel

    /// Throws Error(File) where `weights`, read from the file `name`, are those of another network.
    DenoiseNetwork(const Tensors& weights, const std::string& name);
    ~DenoiseNetwork();

    /// Denoises a tile. `input`: [inputs][height][width], each about 0 to 1. Returns [outputs][height][width]. The same
    /// bits for any number of threads. Keeps the memory of the last tile, about bytesPerPixel() times its pixels.
    std::vector<float> run(int width, int height, const std::vector<float>& input);

    double bytesPerPixel() const;

private:
    struct Layers;
    class Tile;
    std::unique_ptr<Layers> m_layers;
    std::unique_ptr<Tile> m_tile;
};

}  // namespace firn
