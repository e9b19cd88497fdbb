#include "common/compare/flip.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "common/math.h"

namespace firn {

namespace {

/// CIE XYZ over that of white, from linear Rec. 709 (D65): the rows sum to 1.
Mat3d rgbToRelativeXyz()
{
    Mat3d m;
    m << 10135552, 8788810, 4435075, 5226144, 17577620, 1774030, 1425312, 8788810, 70074185;
    for (int row = 0; row < 3; ++row) m.row(row) /= m.row(row).sum();
    return m;
}

const Mat3f toXyz = rgbToRelativeXyz().cast<float>();
const Mat3f toRgb = rgbToRelativeXyz().inverse().cast<float>();

/// CIELab without its cube roots: linear, so that averages of light stay averages.
Vec3f yCxCz(const Vec3f& rgb)
{
    const Vec3f xyz = toXyz * rgb;
    return {116 * xyz.y() - 16, 500 * (xyz.x() - xyz.y()), 200 * (xyz.y() - xyz.z())};
}

Vec3f rgbOf(const Vec3f& ycc)
{
    const float y = (ycc.x() + 16) / 116;
    return toRgb * Vec3f(y + ycc.y() / 500, y, y - ycc.z() / 200);
}

float labCurve(float t)
{
    constexpr float delta = 6 / 29.0f;
    return t > delta * delta * delta ? std::cbrt(t) : t / (3 * delta * delta) + 4 / 29.0f;
}

/// CIELab with chroma scaled by lightness, as dark colours look less colourful (Hunt).
Vec3f huntLab(const Vec3f& rgb)
{
    const Vec3f xyz = toXyz * rgb;
    const float fx = labCurve(xyz.x()), fy = labCurve(xyz.y()), fz = labCurve(xyz.z());
    const float lightness = 116 * fy - 16;
    return {lightness, 0.01f * lightness * 500 * (fx - fy), 0.01f * lightness * 200 * (fy - fz)};
}

float hyAb(const Vec3f& a, const Vec3f& b) { return std::abs(a.x() - b.x()) + (a - b).tail<2>().norm(); }

/// Colour difference to [0, 1]: the range that matters below p_c of the greatest takes p_t of it.
class ColorScale {
public:
    float operator()(const Vec3f& a, const Vec3f& b) const
    {
        constexpr float p_t = 0.95f;
        const float difference = std::pow(hyAb(a, b), q_c);
        const float knee = p_c * m_greatest;
        return difference < knee ? p_t / knee * difference
                                 : p_t + (difference - knee) / (m_greatest - knee) * (1 - p_t);
    }

private:
    static constexpr float q_c = 0.7f, p_c = 0.4f;
    float m_greatest = std::pow(hyAb(huntLab({0, 1, 0}), huntLab({0, 0, 1})), q_c);
};

PixelPlane separable(const PixelPlane& in, const ConvolutionWeights& rows, const ConvolutionWeights& columns)
{
    return alongColumns(alongRows(in, rows), columns);
}

/// Contrast sensitivity in the plane of the eye: sum over i of a_i sqrt(pi / b_i) exp(-pi² x² / b_i), x in degrees.
struct Sensitivity {
    double a[2], b[2];  // b in squared degrees
};

constexpr Sensitivity sensitivities[3] = {
    {{1, 0}, {0.0047, 1e-5}},
    {{1, 0}, {0.0053, 1e-5}},
    {{34.1, 13.5}, {0.04, 0.025}},
};

/// What the eye passes of one opponent channel: a sum of Gaussians of two dimensions, together of weight 1.
PixelPlane seen(const PixelPlane& in, const Sensitivity& sensitivity, double ppd)
{
    constexpr double widest = 0.04;
    const int radius = static_cast<int>(std::ceil(3 * std::sqrt(widest / (2 * pi * pi)) * ppd));
    const auto weightOf = [&](std::size_t i) {
        double line = 0;
        for (int x = -radius; x <= radius; ++x) line += std::exp(-pi * pi * x * x / (ppd * ppd * sensitivity.b[i]));
        return sensitivity.a[i] * std::sqrt(pi / sensitivity.b[i]) * line * line;
    };
    const double total = weightOf(0) + weightOf(1);
    PixelPlane out(in.width, in.height);
    for (std::size_t i = 0; i < 2; ++i) {
        if (sensitivity.a[i] == 0) continue;
        const ConvolutionWeights kernel = gaussianKernel(std::sqrt(sensitivity.b[i] / 2) / pi * ppd, radius);
        const PixelPlane blurred = separable(in, kernel, kernel);
        const float weight = static_cast<float>(weightOf(i) / total);
        tbb::parallel_for(0, in.height, [&](int y) {
            for (int x = 0; x < in.width; ++x) out.row(y)[x] += weight * blurred.row(y)[x];
        });
    }
    return out;
}

/// Scales the positive weights to a sum of 1 and the negative ones to -1.
ConvolutionWeights balanced(const std::vector<double>& weights)
{
    double positive = 0, negative = 0;
    for (const double weight : weights) (weight > 0 ? positive : negative) += std::abs(weight);
    ConvolutionWeights kernel;
    for (const double weight : weights)
        kernel.push_back(static_cast<float>(weight / (weight > 0 ? positive : negative)));
    return kernel;
}

struct Features {
    PixelPlane edges, points;  // magnitudes
};

PixelPlane magnitude(PixelPlane x, const PixelPlane& y)
{
    tbb::parallel_for(0, x.height, [&](int row) {
        float* to = x.row(row);
        const float* other = y.row(row);
        for (int i = 0; i < x.width; ++i) to[i] = std::sqrt(to[i] * to[i] + other[i] * other[i]);
    });
    return x;
}

/// First and second derivatives of Gaussians as wide as the eye's edge detectors, on lightness in [0, 1].
Features featuresOf(const PixelPlane& lightness, double ppd)
{
    constexpr double w = 0.082;  // degrees
    const double sigma = 0.5 * w * ppd;
    const int radius = static_cast<int>(std::ceil(3 * sigma));
    std::vector<double> first, second;
    for (int x = -radius; x <= radius; ++x) {
        const double g = std::exp(-0.5 * x * x / (sigma * sigma));
        first.push_back(-x * g);
        second.push_back((x * x / (sigma * sigma) - 1) * g);
    }
    const ConvolutionWeights smooth = gaussianKernel(sigma, radius), edge = balanced(first), point = balanced(second);
    const PixelPlane rows = alongRows(lightness, smooth), columns = alongColumns(lightness, smooth);
    return {magnitude(alongRows(columns, edge), alongColumns(rows, edge)),
            magnitude(alongRows(columns, point), alongColumns(rows, point))};
}

/// One image as the pipeline sees it.
struct Viewed {
    std::array<PixelPlane, 3> lab;  // after the eye's filters, Hunt-adjusted
    Features features;
};

Viewed view(const RgbPlanes& image, double ppd)
{
    const int width = image[0].width, height = image[0].height;
    std::array<PixelPlane, 3> opponent;
    opponent.fill(PixelPlane(width, height));
    PixelPlane lightness(width, height);
    tbb::parallel_for(0, height, [&](int y) {
        for (int x = 0; x < width; ++x) {
            const Vec3f rgb(image[0].row(y)[x], image[1].row(y)[x], image[2].row(y)[x]);
            const Vec3f ycc = yCxCz(rgb.cwiseMax(0.0f).cwiseMin(1.0f));
            for (std::size_t c = 0; c < 3; ++c) opponent[c].row(y)[x] = ycc[static_cast<Eigen::Index>(c)];
            lightness.row(y)[x] = (ycc.x() + 16) / 116;
        }
    });
    Viewed viewed;
    for (std::size_t c = 0; c < 3; ++c) viewed.lab[c] = seen(opponent[c], sensitivities[c], ppd);
    tbb::parallel_for(0, height, [&](int y) {
        std::array<float*, 3> row = {viewed.lab[0].row(y), viewed.lab[1].row(y), viewed.lab[2].row(y)};
        for (int x = 0; x < width; ++x) {
            const Vec3f rgb = rgbOf({row[0][x], row[1][x], row[2][x]});
            const Vec3f lab = huntLab(rgb.cwiseMax(0.0f).cwiseMin(1.0f));
            for (std::size_t c = 0; c < 3; ++c) row[c][x] = lab[static_cast<Eigen::Index>(c)];
        }
    });
    viewed.features = featuresOf(lightness, ppd);
    return viewed;
}

/// The ACES fit (2.51 x² + .03 x) / (2.43 x² + .59 x + .14) of .6 times the value, and its inverse.
struct AcesCurve {
    static constexpr double up[2] = {0.6 * 0.6 * 2.51, 0.6 * 0.03};
    static constexpr double down[3] = {0.6 * 0.6 * 2.43, 0.6 * 0.59, 0.14};

    static float apply(float x)
    {
        const float above = (static_cast<float>(up[0]) * x + static_cast<float>(up[1])) * x;
        return std::min(1.0f, above / ((static_cast<float>(down[0]) * x + static_cast<float>(down[1])) * x +
                                       static_cast<float>(down[2])));
    }
    static double inverse(double shown)
    {
        const double a = up[0] - shown * down[0], b = up[1] - shown * down[1], c = -shown * down[2];
        return (-b + std::sqrt(b * b - 4 * a * c)) / (2 * a);
    }
};

RgbPlanes toneMapped(RgbPlanes image, double exposure)
{
    const float gain = static_cast<float>(std::exp2(exposure));
    const float brightest = 1e4f;  // where the curve has long reached 1 and its squares are still finite
    for (PixelPlane& plane : image) {
        tbb::parallel_for(0, plane.height, [&](int y) {
            for (int x = 0; x < plane.width; ++x) {
                float& value = plane.row(y)[x];
                value = AcesCurve::apply(std::clamp(gain * value, 0.0f, brightest));
            }
        });
    }
    return image;
}

}  // namespace

PixelPlane flipLdr(const RgbPlanes& reference, const RgbPlanes& test, double pixelsPerDegree)
{
    assert(reference[0].width == test[0].width && reference[0].height == test[0].height);
    const Viewed a = view(reference, pixelsPerDegree), b = view(test, pixelsPerDegree);
    const ColorScale colorDifference;
    PixelPlane out(reference[0].width, reference[0].height);
    tbb::parallel_for(0, out.height, [&](int y) {
        for (int x = 0; x < out.width; ++x) {
            const auto labOf = [&](const Viewed& v) {
                return Vec3f(v.lab[0].row(y)[x], v.lab[1].row(y)[x], v.lab[2].row(y)[x]);
            };
            const float edges = std::abs(a.features.edges.row(y)[x] - b.features.edges.row(y)[x]);
            const float points = std::abs(a.features.points.row(y)[x] - b.features.points.row(y)[x]);
            const float feature = std::min(1.0f, std::sqrt(std::max(edges, points) / std::sqrt(2.0f)));  // q_f = 1/2
            out.row(y)[x] = std::pow(colorDifference(labOf(a), labOf(b)), 1 - feature);
        }
    });
    return out;
}

Exposures flipExposures(const RgbPlanes& reference, double maxStops)
{
    constexpr double shown = 0.85;
    std::vector<float> luminances(reference[0].values.size());
    for (std::size_t i = 0; i < luminances.size(); ++i) {
        const Vec3f rgb(reference[0].values[i], reference[1].values[i], reference[2].values[i]);
        luminances[i] = toXyz.row(1).dot(rgb);
    }
    const auto median = [&] {
        const auto middle = luminances.begin() + static_cast<std::ptrdiff_t>((luminances.size() - 1) / 2);
        std::nth_element(luminances.begin(), middle, luminances.end());
        return *middle;
    };
    if (!(median() > 0)) std::erase_if(luminances, [](float value) { return !(value > 0); });
    if (luminances.empty()) return {};
    const double bright = AcesCurve::inverse(shown);
    Exposures exposures;
    exposures.start = std::log2(bright / static_cast<double>(*std::max_element(luminances.begin(), luminances.end())));
    exposures.stop = std::min(std::log2(bright / static_cast<double>(median())), exposures.start + maxStops);
    exposures.count = std::max(2, static_cast<int>(std::ceil(exposures.stop - exposures.start)));
    return exposures;
}

PixelPlane flipHdr(const RgbPlanes& reference, const RgbPlanes& test, const Exposures& exposures,
                   double pixelsPerDegree)
{
    PixelPlane out(reference[0].width, reference[0].height);
    for (int i = 0; i < exposures.count; ++i) {
        const double stops = exposures.at(i);
        const PixelPlane one = flipLdr(toneMapped(reference, stops), toneMapped(test, stops), pixelsPerDegree);
        tbb::parallel_for(0, out.height, [&](int y) {
            for (int x = 0; x < out.width; ++x) out.row(y)[x] = std::max(out.row(y)[x], one.row(y)[x]);
        });
    }
    return out;
}

}  // namespace firn
