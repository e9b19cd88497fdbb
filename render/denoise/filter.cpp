#include "render/denoise/filter.h"

#include <tbb/parallel_for.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "common/image/luminance.h"
#include "common/math.h"
#include "render/denoise/box_mean.h"

namespace firn {

namespace {

constexpr int radius = 7;            // both passes look at 15 x 15 pixels
constexpr float normalScale = 0.3f;  // differences of normals and albedo that are tolerated
constexpr float albedoScale = 0.05f;
constexpr float litScale = 5;     // of seen.lit.Y in the fit
constexpr float pilotSpread = 3;  // of the first pass, pixels
constexpr float spread = 5;       // of the second pass, pixels
constexpr float strength = 2;     // tolerated difference of the first pass's results, in standard errors
constexpr float ridge = 0.02f;    // of the fit: keeps slopes small where noise would decide them
// Greatest factors between the fit and the mean of its window, of brightness and of a colour's share: where noise
// decides slopes, they would give pixels of false colour.
constexpr float mostOff = 2, mostColour = 1.1f;

constexpr int lanes = 32;       // neighbouring pixels of a row that are filtered together
constexpr int regressors = 8;   // 1, normal (x, y, z), position in the window (x, y), lit, lit around the pixel
constexpr int margin = radius;  // around the picture

using Lanes = std::array<float, lanes>;

/// Close to exp(-d / 2), and zero from d = 8 on.
float kernel(float d)
{
    const float base = std::max(0.0f, 1 - 0.125f * d);
    return (base * base) * (base * base);
}

/// A layer with a margin, whose rows are whole groups of lanes. Outside of the picture it is zero.
class FilterLayer {
public:
    FilterLayer(int width, int height)
        : m_stride((width + lanes - 1) / lanes * lanes + 2 * margin),
          m_values(static_cast<std::size_t>(m_stride) * static_cast<std::size_t>(height + 2 * margin))
    {
    }
    float* at(int x, int y)
    {
        return m_values.data() + static_cast<std::ptrdiff_t>(y + margin) * m_stride + x + margin;
    }
    const float* at(int x, int y) const { return const_cast<FilterLayer*>(this)->at(x, y); }

private:
    std::ptrdiff_t m_stride;
    std::vector<float> m_values;
};

using ThreeLayers = std::vector<FilterLayer>;

class Filter {
public:
    explicit Filter(const Image& image)
        : m_width(image.width),
          m_height(image.height),
          m_inside(layer(image, [](std::size_t) { return 1.0f; })),
          m_colour(layers(image, {"R", "G", "B"}, 1)),
          m_variance(layers(image, {"stderr.R", "stderr.G", "stderr.B"}, 1)),
          m_normal(layers(image, seenNames(image, {"N.X", "N.Y", "N.Z"}), 1 / normalScale)),
          m_albedo(layers(image, seenNames(image, {"albedo.R", "albedo.G", "albedo.B"}), 1 / albedoScale)),
          m_lit(litLayers(image)),
          m_pilot(3, FilterLayer(m_width, m_height)),
          m_pilotVariance(m_pilot)
    {
        for (FilterLayer& variance : m_variance) {
            for (int y = 0; y < m_height; ++y) {
                for (int x = 0; x < m_width; ++x) *variance.at(x, y) *= *variance.at(x, y);
            }
        }
    }

    void run(Image& result)
    {
        forEachGroup([&](int x, int y) { firstPass(x, y); });
        const std::array<float*, 3> to = {result.find("R")->pixels.data(), result.find("G")->pixels.data(),
                                          result.find("B")->pixels.data()};
        forEachGroup([&](int x, int y) { secondPass(x, y, to); });
    }

private:
    template <class Value>
    static FilterLayer layer(const Image& image, const Value& value)
    {
        FilterLayer result(image.width, image.height);
        for (int y = 0; y < image.height; ++y) {
            const auto row = static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width);
            for (int x = 0; x < image.width; ++x) *result.at(x, y) = value(row + static_cast<std::size_t>(x));
        }
        return result;
    }

    /// The layers of the seen surface; in pictures without them, those of the paths' first vertices.
    static std::array<std::string, 3> seenNames(const Image& image, std::array<std::string, 3> names)
    {
        for (std::string& name : names) {
            if (image.find("seen." + name) != nullptr) name = "seen." + name;
        }
        return names;
    }

    static ThreeLayers layers(const Image& image, const std::array<std::string, 3>& names, float scale)
    {
        ThreeLayers result;
        for (const std::string& name : names) {
            const std::vector<float>& pixels = image.at(name).pixels;
            result.push_back(layer(image, [&](std::size_t i) { return scale * pixels[i]; }));
        }
        return result;
    }

    /// seen.lit.Y, and its mean over 5 x 5 pixels, as far as light spreads in snow; zero in pictures without it.
    static ThreeLayers litLayers(const Image& image)
    {
        constexpr int spread_px = 2;
        std::vector<float> lit(image.pixelCount());
        if (const Channel* channel = image.find("seen.lit.Y")) lit = channel->pixels;
        const std::vector<float> around = boxMean(lit, image.width, image.height, spread_px);
        return {layer(image, [&](std::size_t i) { return litScale * lit[i]; }),
                layer(image, [&](std::size_t i) { return litScale * around[i]; })};
    }

    template <class Body>
    void forEachGroup(const Body& body) const
    {
        tbb::parallel_for(0, m_height, [&](int y) {
            for (int x = 0; x < m_width; x += lanes) body(x, y);
        });
    }

    /// Calls visit(dx, dy) for each place of the window.
    template <class Visit>
    static void forEachOffset(const Visit& visit)
    {
        for (int dy = -radius; dy <= radius; ++dy) {
            for (int dx = -radius; dx <= radius; ++dx) visit(dx, dy);
        }
    }

    static void addSquares(const ThreeLayers& layers, int x, int y, int dx, int dy, float scale, Lanes& sum)
    {
        for (const FilterLayer& layer : layers) {
            const float *here = layer.at(x, y), *there = layer.at(x + dx, y + dy);
            for (int i = 0; i < lanes; ++i) sum[i] += scale * (there[i] - here[i]) * (there[i] - here[i]);
        }
    }

    /// Weights from distances; zero outside of the picture.
    void weigh(int x, int y, Lanes& distance) const
    {
        const float* const inside = m_inside.at(x, y);
        for (int i = 0; i < lanes; ++i) distance[i] = inside[i] * kernel(distance[i]);
    }

    /// Squared distance of an offset in units of `scale` pixels.
    static float apart(int dx, int dy, float scale) { return static_cast<float>(dx * dx + dy * dy) / (scale * scale); }

    void firstPass(int x, int y)
    {
        Lanes sum{};
        std::array<Lanes, 3> colour{}, variance{};
        forEachOffset([&](int dx, int dy) {
            Lanes weight;
            weight.fill(apart(dx, dy, pilotSpread));
            addSquares(m_normal, x, y, dx, dy, 1, weight);
            addSquares(m_albedo, x, y, dx, dy, 1, weight);
            weigh(x + dx, y + dy, weight);
            for (int i = 0; i < lanes; ++i) sum[i] += weight[i];
            for (std::size_t c = 0; c < 3; ++c) {
                const float *value = m_colour[c].at(x + dx, y + dy), *noise = m_variance[c].at(x + dx, y + dy);
                for (int i = 0; i < lanes; ++i) {
                    colour[c][i] += weight[i] * value[i];
                    variance[c][i] += weight[i] * weight[i] * noise[i];
                }
            }
        });
        for (std::size_t c = 0; c < 3; ++c) {
            for (int i = 0; i < std::min(lanes, m_width - x); ++i) {
                m_pilot[c].at(x, y)[i] = colour[c][i] / sum[i];
                m_pilotVariance[c].at(x, y)[i] = variance[c][i] / (sum[i] * sum[i]);
            }
        }
    }

    /// Adds the squared difference of two results of the first pass in units of what noise explains, mean of R, G and
    /// B.
    void addPilotDistance(int x, int y, int dx, int dy, Lanes& sum) const
    {
        constexpr float tiny = 1e-9f, scale = 1 / (3 * strength * strength);
        for (std::size_t c = 0; c < 3; ++c) {
            const float *here = m_pilot[c].at(x, y), *there = m_pilot[c].at(x + dx, y + dy);
            const float *noise = m_pilotVariance[c].at(x, y), *otherNoise = m_pilotVariance[c].at(x + dx, y + dy);
            for (int i = 0; i < lanes; ++i) {
                const float difference = there[i] - here[i];
                sum[i] += scale * difference * difference / (noise[i] + otherNoise[i] + tiny);
            }
        }
    }

    void secondPass(int x, int y, const std::array<float*, 3>& to) const
    {
        std::array<std::array<Lanes, regressors>, regressors> squares{};  // the lower triangle
        std::array<std::array<Lanes, 3>, regressors> products{};
        forEachOffset([&](int dx, int dy) {
            constexpr float looser = 0.25f;
            Lanes weight;
            weight.fill(apart(dx, dy, spread));
            addSquares(m_normal, x, y, dx, dy, looser, weight);
            addSquares(m_albedo, x, y, dx, dy, looser, weight);
            addPilotDistance(x, y, dx, dy, weight);
            weigh(x + dx, y + dy, weight);

            std::array<Lanes, regressors> f;
            f[0].fill(1);
            for (std::size_t c = 0; c < 3; ++c) {
                const float *here = m_normal[c].at(x, y), *there = m_normal[c].at(x + dx, y + dy);
                for (int i = 0; i < lanes; ++i) f[1 + c][i] = there[i] - here[i];
            }
            f[4].fill(static_cast<float>(dx) / radius);
            f[5].fill(static_cast<float>(dy) / radius);
            for (std::size_t c = 0; c < m_lit.size(); ++c) {
                const float *here = m_lit[c].at(x, y), *there = m_lit[c].at(x + dx, y + dy);
                for (int i = 0; i < lanes; ++i) f[6 + c][i] = there[i] - here[i];
            }
            for (std::size_t a = 0; a < regressors; ++a) {
                Lanes weighted;
                for (int i = 0; i < lanes; ++i) weighted[i] = weight[i] * f[a][i];
                for (std::size_t b = 0; b <= a; ++b) {
                    for (int i = 0; i < lanes; ++i) squares[a][b][i] += weighted[i] * f[b][i];
                }
                for (std::size_t c = 0; c < 3; ++c) {
                    const float* const colour = m_colour[c].at(x + dx, y + dy);
                    for (int i = 0; i < lanes; ++i) products[a][c][i] += weighted[i] * colour[i];
                }
            }
        });
        for (int i = 0; i < std::min(lanes, m_width - x); ++i) {
            const Vec3f colour = fit(squares, products, i);
            const auto pixel =
                static_cast<std::size_t>(y) * static_cast<std::size_t>(m_width) + static_cast<std::size_t>(x + i);
            for (std::size_t c = 0; c < 3; ++c) to[c][pixel] = colour[static_cast<Eigen::Index>(c)];
        }
    }

    /// `value`, with a brightness and a colour as near to those of `mean` as wanted.
    static Vec3f likeColour(const Vec3f& value, const Vec3f& mean)
    {
        const auto brightness = [](const Vec3f& of) { return std::max(1e-12f, luminance(of)); };
        const float bright = brightness(mean), fitted = brightness(value);
        const Vec3f colour = mean / bright;
        const Vec3f kept = (value / fitted).cwiseMax(colour / mostColour).cwiseMin(colour * mostColour);
        return kept * std::clamp(fitted, bright / mostOff, bright * mostOff);
    }

    /// The fit's value in the middle of the window.
    static Vec3f fit(const std::array<std::array<Lanes, regressors>, regressors>& squares,
                     const std::array<std::array<Lanes, 3>, regressors>& products, int lane)
    {
        Eigen::Matrix<float, regressors, regressors> matrix;
        Eigen::Matrix<float, regressors, 3> right;
        for (int a = 0; a < regressors; ++a) {
            for (int b = 0; b <= a; ++b) matrix(a, b) = squares[a][b][lane];
            for (int c = 0; c < 3; ++c) right(a, c) = products[a][c][lane];
            if (a > 0) matrix(a, a) += ridge * matrix(0, 0);
        }
        const Vec3f mean = (right.row(0).transpose() / matrix(0, 0)).cwiseMax(0);
        const Vec3f value = matrix.selfadjointView<Eigen::Lower>().ldlt().solve(right).row(0).transpose();
        return likeColour(value, mean);
    }

    int m_width, m_height;
    FilterLayer m_inside;  // 1 in the picture
    ThreeLayers m_colour, m_variance, m_normal, m_albedo, m_lit, m_pilot, m_pilotVariance;
};

}  // namespace

Image filterNoise(const Image& image)
{
    Image result = image;
    std::erase_if(result.channels, [](const Channel& channel) {
        return channel.name != "R" && channel.name != "G" && channel.name != "B";
    });
    const std::vector<float>& samples = image.at("samples").pixels;
    if (*std::min_element(samples.begin(), samples.end()) >= 2) Filter(image).run(result);
    return result;
}

}  // namespace firn
