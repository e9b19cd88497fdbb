#include "render/denoise/denoiser.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "common/image/luminance.h"
#include "common/io/checked_file.h"
#include "common/io/checksum.h"
#include "render/denoise/perceptual_curve.h"

namespace firn {

namespace {

constexpr int bin = 16;

int roundUp(int value, int step) { return (value + step - 1) / step * step; }

float finite(float value) { return std::isfinite(value) ? value : 0; }

float colourInput(float radiance, float exposure)
{
    return PerceptualCurve::encode(std::max(0.0f, finite(radiance) * exposure));
}

float albedoInput(float albedo) { return std::clamp(finite(albedo), 0.0f, 1.0f); }
float normalInput(float normal) { return 0.5f * std::clamp(finite(normal), -1.0f, 1.0f) + 0.5f; }

double binLuminance(const NoisyPicture& picture, int left, int top)
{
    const int right = std::min(left + bin, picture.width), bottom = std::min(top + bin, picture.height);
    double sum = 0;
    for (int y = top; y < bottom; ++y) {
        for (int x = left; x < right; ++x) {
            const auto i =
                static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width) + static_cast<std::size_t>(x);
            const auto value = [&](std::size_t c) { return std::max(0.0f, finite(picture.colour[c][i])); };
            sum += luminance(value(0), value(1), value(2));
        }
    }
    return sum / ((right - left) * (bottom - top));
}

/// What the network sees of a tile; pixels outside the picture are zero.
std::vector<float> tileInput(const NoisyPicture& picture, const DenoiseTile& tile, double exposure)
{
    const auto pixels = static_cast<std::size_t>(tile.width) * static_cast<std::size_t>(tile.height);
    std::vector<float> input(DenoiseNetwork::inputs * pixels);
    const auto scale = static_cast<float>(exposure);
    const int right = std::min(tile.width, picture.width - tile.x);
    tbb::parallel_for(0, std::min(tile.height, picture.height - tile.y), [&](int y) {
        const auto from = static_cast<std::size_t>(tile.y + y) * static_cast<std::size_t>(picture.width) +
                          static_cast<std::size_t>(tile.x);
        const auto to = static_cast<std::size_t>(y) * static_cast<std::size_t>(tile.width);
        for (std::size_t x = 0; x < static_cast<std::size_t>(right); ++x) {
            for (std::size_t c = 0; c < 3; ++c) {
                input[c * pixels + to + x] = colourInput(picture.colour[c][from + x], scale);
                input[(3 + c) * pixels + to + x] = albedoInput(picture.albedo[c][from + x]);
                input[(6 + c) * pixels + to + x] = normalInput(picture.normal[c][from + x]);
            }
        }
    });
    return input;
}

void keepOutput(const std::vector<float>& output, const DenoiseTile& tile, double exposure, int width, Planes& result)
{
    const auto pixels = static_cast<std::size_t>(tile.width) * static_cast<std::size_t>(tile.height);
    const auto scale = static_cast<float>(1 / exposure);
    tbb::parallel_for(0, tile.keep_height, [&](int row) {
        const int y = tile.keep_y + row;
        const auto to =
            static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(tile.keep_x);
        const auto from = static_cast<std::size_t>(y - tile.y) * static_cast<std::size_t>(tile.width) +
                          static_cast<std::size_t>(tile.keep_x - tile.x);
        for (std::size_t x = 0; x < static_cast<std::size_t>(tile.keep_width); ++x) {
            for (std::size_t c = 0; c < 3; ++c) {
                const float code = std::clamp(output[c * pixels + from + x], 0.0f, 1.0f);
                result[c][to + x] = PerceptualCurve::decode(code) * scale;
            }
        }
    });
}

/// Where a tile begins and ends along one axis, and what is kept.
struct Cut {
    int begin, size, keep, keep_size;
};

/// Cuts an axis into `count` parts of about equal size.
std::vector<Cut> cut(int length, int count)
{
    std::vector<Cut> result;
    for (int i = 0; i < count; ++i) {
        const int keep = static_cast<int>(static_cast<long>(length) * i / count);
        const int end = static_cast<int>(static_cast<long>(length) * (i + 1) / count);
        const int begin =
            std::max(0, keep - DenoiseNetwork::reach) / DenoiseNetwork::granularity * DenoiseNetwork::granularity;
        const int seen = std::min(length, end + DenoiseNetwork::reach);
        result.push_back({begin, roundUp(seen - begin, DenoiseNetwork::granularity), keep, end - keep});
    }
    return result;
}

int largest(const std::vector<Cut>& spans)
{
    int result = 0;
    for (const Cut& span : spans) result = std::max(result, span.size);
    return result;
}

}  // namespace

double autoExposure(const NoisyPicture& picture)
{
    constexpr double middleGrey = 0.18, black = 1e-8;
    double sum = 0;
    long count = 0;
    for (int y = 0; y < picture.height; y += bin) {
        for (int x = 0; x < picture.width; x += bin) {
            const double brightness = binLuminance(picture, x, y);
            if (brightness <= black) continue;
            sum += std::log2(brightness);
            ++count;
        }
    }
    return count > 0 ? middleGrey / std::exp2(sum / static_cast<double>(count)) : 1;
}

std::vector<DenoiseTile> denoiseTiles(int width, int height, std::size_t largestTile)
{
    // The number of tiles along each axis grows, the longer edge first, until tiles are small enough or can no longer
    // shrink.
    int columns = 1, rows = 1;
    std::vector<Cut> across = cut(width, 1), down = cut(height, 1);
    const int smallest = 2 * DenoiseNetwork::reach + 4 * DenoiseNetwork::granularity;
    while (static_cast<std::size_t>(largest(across)) * static_cast<std::size_t>(largest(down)) > largestTile) {
        if (largest(across) <= smallest && largest(down) <= smallest) break;
        if (largest(across) >= largest(down)) {
            across = cut(width, ++columns);
        } else {
            down = cut(height, ++rows);
        }
    }
    // One size, so that the network is set up once. All tiles end where the whole picture would, rounded up to the
    // granularity: what the network makes of the border then does not depend on the tiles.
    const int tileWidth = largest(across), tileHeight = largest(down);
    const int lastX = roundUp(width, DenoiseNetwork::granularity) - tileWidth;
    const int lastY = roundUp(height, DenoiseNetwork::granularity) - tileHeight;
    std::vector<DenoiseTile> tiles;
    for (const Cut& y : down) {
        for (const Cut& x : across) {
            tiles.push_back({std::min(x.begin, lastX), std::min(y.begin, lastY), tileWidth, tileHeight, x.keep, y.keep,
                             x.keep_size, y.keep_size});
        }
    }
    return tiles;
}

Denoiser::Denoiser(const std::filesystem::path& weights, double memoryBytes)
    : m_name(weights.filename().string() + " " + checksum(readFile(weights))),
      m_network(readTza(weights), weights.string()),
      m_largestTile(static_cast<std::size_t>(memoryBytes / m_network.bytesPerPixel()))
{
}

Planes Denoiser::denoise(const NoisyPicture& picture, double exposure)
{
    Planes result;
    for (std::vector<float>& plane : result) plane.resize(picture.colour[0].size());
    for (const DenoiseTile& tile : denoiseTiles(picture.width, picture.height, m_largestTile)) {
        const std::vector<float> output = m_network.run(tile.width, tile.height, tileInput(picture, tile, exposure));
        keepOutput(output, tile, exposure, picture.width, result);
    }
    return result;
}

}  // namespace firn
