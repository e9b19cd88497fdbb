#include "render/denoise/filter.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace firn {

namespace {

constexpr int bandRows = 16;

std::size_t pixelIndex(int x, int y, int width)
{
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
}

/// A layer with a margin that repeats the border pixels, so the neighbours of a pixel always exist.
class PaddedLayer {
public:
    PaddedLayer(int width, int height, int margin)
        : m_stride(width + 2 * margin),
          m_margin(margin),
          m_values(static_cast<std::size_t>(m_stride) * static_cast<std::size_t>(height + 2 * margin))
    {
    }
    float* row(int y) { return m_values.data() + static_cast<std::ptrdiff_t>(y + m_margin) * m_stride + m_margin; }
    const float* row(int y) const { return const_cast<PaddedLayer*>(this)->row(y); }

private:
    int m_stride, m_margin;
    std::vector<float> m_values;
};

/// `value(x, y)` of each pixel.
template <typename Value>
PaddedLayer makePaddedLayer(const Image& image, int margin, const Value& value)
{
    PaddedLayer plane(image.width, image.height, margin);
    for (int y = -margin; y < image.height + margin; ++y) {
        for (int x = -margin; x < image.width + margin; ++x) {
            plane.row(y)[x] = value(std::clamp(x, 0, image.width - 1), std::clamp(y, 0, image.height - 1));
        }
    }
    return plane;
}

PaddedLayer layer(const Image& image, int margin, const std::string& name)
{
    const std::vector<float>& pixels = image.at(name).pixels;
    return makePaddedLayer(image, margin, [&](int x, int y) { return pixels[pixelIndex(x, y, image.width)]; });
}

/// `value` of a layer, averaged over 3 x 3 pixels: with few samples, variances and guides are noisy too.
template <typename Value>
PaddedLayer smoothLayer(const Image& image, int margin, const std::string& name, const Value& value)
{
    const PaddedLayer raw = layer(image, 1, name);
    return makePaddedLayer(image, margin, [&](int x, int y) {
        float sum = 0;
        for (int v = y - 1; v <= y + 1; ++v) {
            for (int u = x - 1; u <= x + 1; ++u) sum += value(raw.row(v)[u]);
        }
        return sum / 9;
    });
}

/// What the filter compares: colour with its variance, and guides that differ between surfaces.
struct Features {
    int width, height;
    std::vector<PaddedLayer> color, variance;  // R, G, B
    std::vector<PaddedLayer> guides;           // normal and albedo in units of their scales, smoothed
    PaddedLayer depth;
    PaddedLayer inside;  // 1 in the picture, 0 in the margin

    Features(const Image& image, const PreviewSettings& settings)
        : width(image.width),
          height(image.height),
          depth(smoothLayer(image, settings.radius + 1, "depth.Z", [](float z) { return z; })),
          inside(image.width, image.height, settings.radius + 1)
    {
        const int margin = settings.radius + 1;
        const auto guide = [&](const std::string& name, double scale) {
            guides.push_back(
                smoothLayer(image, margin, name, [scale](float value) { return value / static_cast<float>(scale); }));
        };
        for (const std::string c : {"R", "G", "B"}) {
            color.push_back(layer(image, margin, c));
            variance.push_back(smoothLayer(image, margin, "stderr." + c, [](float error) { return error * error; }));
            guide("albedo." + c, settings.albedo_scale);
        }
        for (const std::string axis : {"X", "Y", "Z"}) guide("N." + axis, settings.normal_scale);
        for (int y = 0; y < height; ++y) std::fill_n(inside.row(y), width, 1.0f);
    }
};

/// Filters some rows, one offset between pixels after the other.
class Band {
public:
    Band(const Features& features, const PreviewSettings& settings, int begin, int end)
        : m_f(features),
          m_settings(settings),
          m_begin(begin),
          m_end(end),
          m_distance(features.width, end - begin, 1),
          m_guide(static_cast<std::size_t>(features.width)),
          m_weights(features.width, end - begin, 0),
          m_sums(3, m_weights)
    {
    }

    void run(Image& result)
    {
        for (int dy = -m_settings.radius; dy <= m_settings.radius; ++dy) {
            for (int dx = -m_settings.radius; dx <= m_settings.radius; ++dx) {
                for (int y = m_begin - 1; y <= m_end; ++y) compareColors(y, dx, dy);
                for (int y = m_begin; y < m_end; ++y) {
                    compareGuides(y, dx, dy);
                    addNeighbours(y, dx, dy);
                }
            }
        }
        Channel* const channels[3] = {result.find("R"), result.find("G"), result.find("B")};
        for (std::size_t c = 0; c < 3; ++c) {
            for (int y = m_begin; y < m_end; ++y) {
                for (int x = 0; x < m_f.width; ++x) {  // the pixel itself weighs 1
                    channels[c]->pixels[pixelIndex(x, y, m_f.width)] =
                        m_sums[c].row(y - m_begin)[x] / m_weights.row(y - m_begin)[x];
                }
            }
        }
    }

private:
    /// Equation 2 of the paper: squared difference minus what noise explains, over the tolerance; mean of the channels.
    void compareColors(int y, int dx, int dy)
    {
        constexpr float tiny = 1e-7f;
        const float tolerance = static_cast<float>(m_settings.strength * m_settings.strength);
        float* distance = m_distance.row(y - m_begin);
        std::fill_n(distance - 1, m_f.width + 2, 0.0f);
        for (std::size_t c = 0; c < 3; ++c) {
            const float *color = m_f.color[c].row(y), *other = m_f.color[c].row(y + dy) + dx;
            const float *variance = m_f.variance[c].row(y), *otherVariance = m_f.variance[c].row(y + dy) + dx;
            for (int x = -1; x <= m_f.width; ++x) {
                const float difference = color[x] - other[x];
                const float noise = variance[x] + std::min(variance[x], otherVariance[x]);
                distance[x] +=
                    (difference * difference - noise) / (3 * (tiny + tolerance * (variance[x] + otherVariance[x])));
            }
        }
    }

    void compareGuides(int y, int dx, int dy)
    {
        const float perDepth = static_cast<float>(1 / (m_settings.depth_scale * m_settings.depth_scale));
        const float *depth = m_f.depth.row(y), *otherDepth = m_f.depth.row(y + dy) + dx;
        for (int x = 0; x < m_f.width; ++x) {
            const float relative = (depth[x] - otherDepth[x]) / std::max(1e-6f, std::max(depth[x], otherDepth[x]));
            m_guide[static_cast<std::size_t>(x)] = relative * relative * perDepth;
        }
        for (const PaddedLayer& guide : m_f.guides) {
            const float *value = guide.row(y), *other = guide.row(y + dy) + dx;
            for (int x = 0; x < m_f.width; ++x) {
                m_guide[static_cast<std::size_t>(x)] += (value[x] - other[x]) * (value[x] - other[x]);
            }
        }
    }

    /// Adds the neighbours at this offset. Colour distances are means over 3 x 3 pixels, the patches of the paper.
    void addNeighbours(int y, int dx, int dy)
    {
        constexpr float farthest = 8;  // beyond, a weight is below 3e-4
        const float* above = m_distance.row(y - m_begin - 1);
        const float* middle = m_distance.row(y - m_begin);
        const float* below = m_distance.row(y - m_begin + 1);
        const float* inside = m_f.inside.row(y + dy) + dx;
        for (int x = 0; x < m_f.width; ++x) {
            float patch = 0;
            for (int u = x - 1; u <= x + 1; ++u) patch += above[u] + middle[u] + below[u];
            const float total = m_guide[static_cast<std::size_t>(x)] + std::max(0.0f, patch / 9);
            if (inside[x] == 0 || total > farthest) continue;
            const float weight = std::exp(-total);
            m_weights.row(y - m_begin)[x] += weight;
            for (std::size_t c = 0; c < 3; ++c) {
                m_sums[c].row(y - m_begin)[x] += weight * (m_f.color[c].row(y + dy) + dx)[x];
            }
        }
    }

    const Features& m_f;
    const PreviewSettings& m_settings;
    int m_begin, m_end;
    PaddedLayer m_distance;  // rows from begin - 1 to end
    std::vector<float> m_guide;
    PaddedLayer m_weights;
    std::vector<PaddedLayer> m_sums;
};

}  // namespace

Image cleanPreview(const Image& image, const PreviewSettings& settings)
{
    Image result = image;
    std::erase_if(result.channels, [](const Channel& channel) {
        return channel.name != "R" && channel.name != "G" && channel.name != "B";
    });
    const std::vector<float>& samples = image.at("samples").pixels;
    if (*std::min_element(samples.begin(), samples.end()) < 2) return result;

    const Features features(image, settings);
    tbb::parallel_for(
        tbb::blocked_range<int>(0, (image.height + bandRows - 1) / bandRows, 1),
        [&](const tbb::blocked_range<int>& bands) {
            for (int band = bands.begin(); band != bands.end(); ++band) {
                Band(features, settings, band * bandRows, std::min(image.height, (band + 1) * bandRows)).run(result);
            }
        },
        tbb::simple_partitioner());
    return result;
}

}  // namespace firn
