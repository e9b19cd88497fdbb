#include "render/mist_texture.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "render/cube.h"
#include "render/lane_noise.h"

namespace firn {

namespace {

constexpr std::array<float, 3> wavelengths_m = {0.047f, 0.021f, 0.0094f};
constexpr float contrast = 2.1f;     // of each octave
constexpr float variance = 0.0729f;  // of gradientNoise

/// The mean of max(0, 1 + s)^3 over normally distributed s of mean 0.
float meanOfCube(float varianceOfSum)
{
    if (varianceOfSum <= 0) return 1;
    const float sigma = std::sqrt(varianceOfSum);
    const float below = 0.5f * (1 + std::erf(1 / (sigma * std::sqrt(2.0f))));
    const float density = std::exp(-0.5f / varianceOfSum) / std::sqrt(2 * pif);
    return (1 + 3 * varianceOfSum) * below + (1 + 2 * varianceOfSum) * sigma * density;
}

/// The octaves that values at a spacing can hold, each with its amplitude.
struct Octaves {
    std::array<float, wavelengths_m.size()> amplitudes{};
    float scale = 1;  // so that the mean is 1

    explicit Octaves(float spacing)
    {
        float squares = 0;
        for (std::size_t k = 0; k < amplitudes.size(); ++k) {
            amplitudes[k] = contrast * std::clamp(wavelengths_m[k] / (2 * spacing) - 1, 0.0f, 1.0f);
            squares += variance * amplitudes[k] * amplitudes[k];
        }
        scale = 1 / meanOfCube(squares);
    }
};

/// (1 + noise)^3 is dense in small clouds and thin between them.
Floats textureAt(Floats x, Floats y, Floats z, const Octaves& octaves)
{
    Floats root = floats(1);
    for (std::size_t k = 0; k < wavelengths_m.size() && octaves.amplitudes[k] > 0; ++k) {
        const float scale = 1 / wavelengths_m[k];
        const auto seed = static_cast<std::uint32_t>(59 + 101 * k);
        root += octaves.amplitudes[k] * gradientNoise(x * scale, y * scale, z * scale, seed);
    }
    root = larger(Floats{}, root);
    return root * root * root * octaves.scale;
}

}  // namespace

void addMistTexture(const Vec3d& low, double spacing, Bricks::Values& mist)
{
    constexpr int n = Bricks::values, count = n * n * n;
    const Vec3f first = low.cast<float>();
    const auto step = static_cast<float>(spacing);
    const Octaves octaves(step);
    for (int i = 0; i < count; i += laneCount) {
        const int lanes = std::min(laneCount, count - i);
        float* const values = mist.data() + i;
        Floats x{}, y{}, z{}, densities{};
        for (int lane = 0; lane < lanes; ++lane) {
            const Vec3f place = first + step * cubeCoordinates(i + lane, n).cast<float>();
            x[lane] = place.x();
            y[lane] = place.y();
            z[lane] = place.z();
            densities[lane] = values[lane];
        }
        if (all(densities <= 0)) continue;
        densities *= textureAt(x, y, z, octaves);
        for (int lane = 0; lane < lanes; ++lane) values[lane] = densities[lane];
    }
}

}  // namespace firn
