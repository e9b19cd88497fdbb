#include "render/ggx.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace firn {

namespace {

float square(float x) { return x * x; }

/// Smith's auxiliary function: hidden over visible facets.
float hiddenShare(const Vec3f& w, float alpha)
{
    const float tangent2 = (square(w.x()) + square(w.y())) / square(w.z());
    return 0.5f * (std::sqrt(1 + square(alpha) * tangent2) - 1);
}

constexpr int cosines = 32, roughnesses = 32;

/// Albedos over a lattice of cosine and of the root of alpha, and their means over the cosine.
struct AlbedoTable {
    std::array<std::array<GgxAlbedo, cosines>, roughnesses> albedo;
    std::array<GgxAlbedo, roughnesses> mean;
};

constexpr float smallestCosine = 1e-3f;

float cosineAt(int i) { return std::max(smallestCosine, static_cast<float>(i) / (cosines - 1)); }

/// By the mean of the facets' weights, over a lattice of the facets that are seen.
GgxAlbedo measured(float cosine, float alpha)
{
    constexpr int n = 48;
    const Vec3f out(std::sqrt(1 - square(cosine)), 0, cosine);
    GgxAlbedo sum;
    for (int k = 0; k < n * n; ++k) {
        const Vec2f u(static_cast<float>(k % n) + 0.5f,
                      static_cast<float>(k / n) + 0.5f);  // NOLINT(bugprone-integer-division)
        const Vec3f in = sampleGgx(out, alpha, u / n);
        if (in.z() <= 0) continue;
        const float seen = 1 + hiddenShare(out, alpha);
        const float weight = seen / (seen + hiddenShare(in, alpha)) / (n * n);
        const float grazing = std::pow(1 - std::max(0.0f, out.dot((in + out).normalized())), 5.0f);
        sum.scale += (1 - grazing) * weight;
        sum.bias += grazing * weight;
    }
    return sum;
}

AlbedoTable makeTable()
{
    AlbedoTable table;
    for (int a = 0; a < roughnesses; ++a) {
        const float alpha = square(std::max(0.02f, static_cast<float>(a) / (roughnesses - 1)));
        auto& row = table.albedo[static_cast<std::size_t>(a)];
        for (int i = 0; i < cosines; ++i) row[static_cast<std::size_t>(i)] = measured(cosineAt(i), alpha);
        // The exact integral of what interpolation gives: values are linear between the cosines.
        GgxAlbedo& mean = table.mean[static_cast<std::size_t>(a)];
        for (std::size_t i = 0; i + 1 < row.size(); ++i) {
            const float low = static_cast<float>(i) / (cosines - 1), step = 1.0f / (cosines - 1);
            const float atLow = step * (low + step / 3), atHigh = step * (low + 2 * step / 3);
            const GgxAlbedo &first = row[i], &second = row[i + 1];
            mean.scale += atLow * first.scale + atHigh * second.scale;
            mean.bias += atLow * first.bias + atHigh * second.bias;
        }
    }
    return table;
}

const AlbedoTable& albedoTable()
{
    static const AlbedoTable table = makeTable();
    return table;
}

GgxAlbedo between(const GgxAlbedo& a, const GgxAlbedo& b, float t)
{
    return {a.scale + t * (b.scale - a.scale), a.bias + t * (b.bias - a.bias)};
}

/// A place in a lattice of n values from 0 to 1.
struct Place {
    std::size_t low;
    float share;  // of the next value
};

Place placeOf(float value, int n)
{
    const float at = std::clamp(value, 0.0f, 1.0f) * static_cast<float>(n - 1);
    const int low = std::min(static_cast<int>(at), n - 2);
    return {static_cast<std::size_t>(low), at - static_cast<float>(low)};
}

}  // namespace

float ggxDistribution(const Vec3f& h, float alpha)
{
    const float a2 = square(alpha), slope = (a2 - 1) * square(h.z()) + 1;
    return a2 / (pif * square(slope));
}

float ggxReflectance(const Vec3f& in, const Vec3f& out, float alpha)
{
    if (in.z() <= 0 || out.z() <= 0) return 0;
    const float shadowing = 1 / (1 + hiddenShare(in, alpha) + hiddenShare(out, alpha));
    return ggxDistribution((in + out).normalized(), alpha) * shadowing / (4 * in.z() * out.z());
}

Vec3f sampleGgx(const Vec3f& out, float alpha, Vec2f u)
{
    const Vec3f stretched = Vec3f(alpha * out.x(), alpha * out.y(), out.z()).normalized();
    const float phi = 2 * pif * u.x();
    const float z = (1 - u.y()) * (1 + stretched.z()) - stretched.z();
    const float s = std::sqrt(std::clamp(1 - square(z), 0.0f, 1.0f));
    const Vec3f cap = Vec3f(s * std::cos(phi), s * std::sin(phi), z) + stretched;
    const Vec3f h = Vec3f(alpha * cap.x(), alpha * cap.y(), std::max(0.0f, cap.z())).normalized();
    return 2 * out.dot(h) * h - out;
}

float ggxDensity(const Vec3f& in, const Vec3f& out, float alpha)
{
    if (in.z() <= 0 || out.z() <= 0) return 0;
    return ggxDistribution((in + out).normalized(), alpha) / (4 * out.z() * (1 + hiddenShare(out, alpha)));
}

GgxAlbedo ggxAlbedo(float cosine, float alpha)
{
    const Place a = placeOf(std::sqrt(alpha), roughnesses), c = placeOf(cosine, cosines);
    const auto& table = albedoTable().albedo;
    const auto inRow = [&](std::size_t row) { return between(table[row][c.low], table[row][c.low + 1], c.share); };
    return between(inRow(a.low), inRow(a.low + 1), a.share);
}

GgxAlbedo meanGgxAlbedo(float alpha)
{
    const Place a = placeOf(std::sqrt(alpha), roughnesses);
    const auto& mean = albedoTable().mean;
    return between(mean[a.low], mean[a.low + 1], a.share);
}

}  // namespace firn
