#include "render/snow_surface.h"

#include <cmath>

#include "render/lane_noise.h"

namespace firn {

namespace {

constexpr int n = Bricks::values;
constexpr int rowSize = 16;  // values of a row along z, padded
constexpr int rowRegisters = rowSize / laneCount;

/// Sums over grains of N times volume, mass, and volume times shift, width and roughness.
enum Field { Volume, Mass, ShiftX, ShiftY, ShiftZ, Width, Roughness, fieldCount };
using Rows = std::array<float, n * n * rowSize>;
using Fields = std::array<Rows, fieldCount>;
using Amounts = std::array<float, fieldCount>;

// Fields of wide grains are smooth: in a brick they are cubic polynomials along each axis, through values at four
// places. Neighbouring bricks have the same values on their common face.
constexpr int places4 = 4;
using Cubic = std::array<float, places4 * places4 * places4>;  // z fastest
using CubicFields = std::array<Cubic, fieldCount>;
constexpr float wideFrom = 6;  // width of such grains over the spacing of values

float kernel(float x)
{
    x = std::abs(x);
    const float outer = std::max(2 - x, 0.0f), inner = std::max(1 - x, 0.0f);
    return (outer * outer * outer - 4 * inner * inner * inner) / 6;
}

Amounts amountsOf(const Grain& grain, float width_m)
{
    const float cube = width_m * width_m * width_m, volume = grain.volume_m3 / cube;
    return {volume,
            grain.mass_kg / cube,
            volume * grain.shift.x(),
            volume * grain.shift.y(),
            volume * grain.shift.z(),
            volume * width_m,
            volume * grain.roughness};
}

/// A grain in units of the spacing of values.
struct Splat {
    Vec3f local;
    float width;
    Amounts amounts;

    Splat(const Grain& grain, const ValuePlaces& places)
        : local(((grain.position - places.corner_m) / places.spacing_m).cast<float>()),
          width(std::max(1.0f, grain.width_m / static_cast<float>(places.spacing_m))),
          amounts(amountsOf(grain, width * static_cast<float>(places.spacing_m)))
    {
    }

    bool isNear() const
    {
        const float reach = 2 * width;
        return (local.array() > -reach).all() && (local.array() < static_cast<float>(n - 1) + reach).all();
    }
    float weight(int axis, float at) const { return kernel((local[axis] - at) / width); }
};

void addWide(const Splat& splat, CubicFields& fields)
{
    constexpr float step = static_cast<float>(n - 1) / (places4 - 1);
    std::array<std::array<float, places4>, 3> weights;
    for (int axis = 0; axis < 3; ++axis)
        for (int i = 0; i < places4; ++i)
            weights[static_cast<std::size_t>(axis)][static_cast<std::size_t>(i)] =
                splat.weight(axis, step * static_cast<float>(i));
    Cubic product;
    for (std::size_t i = 0; i < places4; ++i) {
        for (std::size_t j = 0; j < places4; ++j) {
            const float weight = weights[0][i] * weights[1][j];
            for (std::size_t k = 0; k < places4; ++k) product[(i * places4 + j) * places4 + k] = weight * weights[2][k];
        }
    }
    for (std::size_t f = 0; f < fieldCount; ++f) {
        const float amount = splat.amounts[f];
        for (std::size_t m = 0; m < product.size(); ++m) fields[f][m] += amount * product[m];
    }
}

void addNarrow(const Splat& splat, Fields& fields)
{
    alignas(64) std::array<std::array<float, rowSize>, 3> weights{};
    for (int axis = 0; axis < 3; ++axis)
        for (int i = 0; i < n; ++i)
            weights[static_cast<std::size_t>(axis)][static_cast<std::size_t>(i)] =
                splat.weight(axis, static_cast<float>(i));
    std::array<Floats, rowRegisters> alongZ;
    for (std::size_t r = 0; r < alongZ.size(); ++r) alongZ[r] = loadRegister<Floats>(weights[2].data() + r * laneCount);
    for (std::size_t i = 0; i < n; ++i) {
        if (weights[0][i] == 0) continue;
        for (std::size_t j = 0; j < n; ++j) {
            const float weight = weights[0][i] * weights[1][j];
            if (weight == 0) continue;
            for (std::size_t f = 0; f < fieldCount; ++f) {
                for (std::size_t r = 0; r < alongZ.size(); ++r) {
                    float* const at = fields[f].data() + (i * n + j) * rowSize + r * laneCount;
                    storeRegister(at, loadRegister<Floats>(at) + (weight * splat.amounts[f]) * alongZ[r]);
                }
            }
        }
    }
}

/// Lagrange's weights of the four places for each value.
std::array<std::array<float, places4>, rowSize> lagrangeWeights()
{
    std::array<std::array<float, places4>, rowSize> weights{};
    for (std::size_t i = 0; i < n; ++i) {
        const float u = static_cast<float>(i) * (places4 - 1) / (n - 1);
        for (std::size_t a = 0; a < places4; ++a) {
            float weight = 1;
            for (std::size_t b = 0; b < places4; ++b)
                if (b != a) weight *= (u - static_cast<float>(b)) / (static_cast<float>(a) - static_cast<float>(b));
            weights[i][a] = weight;
        }
    }
    return weights;
}

/// Sets the fields to the cubic ones.
void spread(const CubicFields& cubic, Fields& fields)
{
    static const auto weights = lagrangeWeights();
    std::array<std::array<Floats, places4>, rowRegisters> alongZ;
    for (std::size_t r = 0; r < rowRegisters; ++r)
        for (std::size_t c = 0; c < places4; ++c)
            for (std::size_t lane = 0; lane < laneCount; ++lane)
                alongZ[r][c][static_cast<int>(lane)] = weights[r * laneCount + lane][c];
    for (std::size_t f = 0; f < fieldCount; ++f) {
        for (std::size_t i = 0; i < n; ++i) {
            std::array<std::array<float, places4>, places4> plane{};
            for (std::size_t a = 0; a < places4; ++a)
                for (std::size_t b = 0; b < places4; ++b)
                    for (std::size_t c = 0; c < places4; ++c)
                        plane[b][c] += weights[i][a] * cubic[f][(a * places4 + b) * places4 + c];
            for (std::size_t j = 0; j < n; ++j) {
                std::array<float, places4> line{};
                for (std::size_t b = 0; b < places4; ++b)
                    for (std::size_t c = 0; c < places4; ++c) line[c] += weights[j][b] * plane[b][c];
                for (std::size_t r = 0; r < rowRegisters; ++r) {
                    Floats sum{};
                    for (std::size_t c = 0; c < places4; ++c) sum += line[c] * alongZ[r][c];
                    storeRegister(fields[f].data() + (i * n + j) * rowSize + r * laneCount, sum);
                }
            }
        }
    }
}

void sumFields(std::span<const Grain> grains, const ValuePlaces& places, Fields& fields)
{
    CubicFields cubic{};
    const float wide_m = wideFrom * static_cast<float>(places.spacing_m);
    for (const Grain& grain : grains) {
        if (grain.width_m < wide_m) continue;
        const Splat splat(grain, places);
        if (splat.isNear()) addWide(splat, cubic);
    }
    spread(cubic, fields);
    for (const Grain& grain : grains) {
        if (grain.width_m >= wide_m) continue;
        const Splat splat(grain, places);
        if (splat.isNear()) addNarrow(splat, fields);
    }
}

struct Octave {
    float wavelength_m, still_m, rough_m;  // amplitude (rms) in snow as it fell, and in broken snow
};
constexpr float meanSize = 0.21f;     // of gradient noise; broken snow has sharp edges where the noise is 0
constexpr float packedShare = 0.35f;  // amplitude in packed snow, over that of snow as it fell

/// How far the border is moved outwards (m): several octaves of noise at the place where the snow lay at rest.
Floats displacement(Floats x, Floats y, Floats z, Floats roughness, float pixel_m, Floats reach_m)
{
    constexpr std::array<Octave, 6> octaves = {{{0.090f, 0.0007f, 0.0011f},
                                                {0.037f, 0.0004f, 0.0014f},
                                                {0.017f, 0.00025f, 0.0011f},
                                                {0.0075f, 0.00018f, 0.0008f},
                                                {0.0034f, 0.00013f, 0.0004f},
                                                {0.0016f, 0.00009f, 0.0002f}}};
    Floats sum{};
    std::uint32_t seed = 11;
    for (const Octave& octave : octaves) {
        // Waves fade out between four pixels and two.
        const float seen = std::clamp(octave.wavelength_m / (2 * pixel_m) - 1, 0.0f, 1.0f);
        if (seen <= 0) break;
        const float scale = 1 / octave.wavelength_m;
        const Floats noise = gradientNoise(x * scale, y * scale, z * scale, seed);
        const Floats rough = larger(roughness, Floats{}), packed = larger(-roughness, Floats{});
        const Floats smoothPart = (1.f - rough) * (1.f - (1 - packedShare) * packed) * octave.still_m * noise;
        const Floats edges = rough * octave.rough_m * (1.6f * (meanSize - magnitude(noise)));
        sum += (4 * seen) * (smoothPart + edges);
        seed += 101;
    }
    const Floats most = 0.22f * reach_m;
    return smaller(most, larger(-most, sum));
}

}  // namespace

bool snowDensity(std::span<const Grain> grains, const ValuePlaces& places, Bricks::Values& result)
{
    alignas(64) static thread_local Fields fields;
    sumFields(grains, places, fields);

    const auto spacing = static_cast<float>(places.spacing_m);
    const auto corner = places.corner_m.cast<float>().eval();
    bool filled = false;
    for (int row = 0; row < n * n; ++row) {
        for (int first = 0; first < n; first += laneCount) {
            const auto at = [&](Field f) { return loadRegister<Floats>(fields[f].data() + row * rowSize + first); };
            constexpr float least = 1e-3f;
            const Floats occupied = larger(at(Volume), Floats{});
            if (all(occupied < least)) {
                for (int k = first; k < std::min(n, first + laneCount); ++k)
                    result[static_cast<std::size_t>(row * n + k)] = 0;
                continue;
            }
            const Floats inverse = 1.f / larger(occupied, floats(least));
            const Floats reach = 1.5f * at(Width) * inverse;
            const Floats x = corner.x() + spacing * static_cast<float>(row / n) + at(ShiftX) * inverse;
            const Floats y = corner.y() + spacing * static_cast<float>(row % n) + at(ShiftY) * inverse;
            const Floats z = corner.z() + spacing * toFloats(laneNumbers() + first) + at(ShiftZ) * inverse;
            const Floats moved =
                displacement(x, y, z, at(Roughness) * inverse, static_cast<float>(places.pixel_m), reach);
            const Floats edge = smaller(0.75f * spacing / reach, floats(0.5f));  // half of the ramp, in W
            const Floats inside = (occupied - 0.5f + moved / reach) / (2.f * edge) + 0.5f;
            const Floats ramp = smaller(larger(inside, Floats{}), floats(1));
            const Floats density = larger(at(Mass), Floats{}) * inverse * select(edge < 0.5f, ramp, occupied);
            alignas(64) std::array<float, laneCount> values;
            storeRegister(values.data(), density);
            for (int k = first; k < std::min(n, first + laneCount); ++k) {
                const float value = values[static_cast<std::size_t>(k - first)];
                result[static_cast<std::size_t>(row * n + k)] = value;
                filled |= value > 0;
            }
        }
    }
    return filled;
}

}  // namespace firn
