#include "render/grain_fields.h"

#include "render/cubic_kernel.h"

namespace firn {

namespace {

constexpr int n = GrainFields::values, rowSize = GrainFields::rowSize, fieldCount = GrainFields::count;
constexpr int rowRegisters = rowSize / laneCount;

// Fields of wide grains are smooth: in a brick they are cubic polynomials along each axis, through values at four
// places. Neighbouring bricks have the same values on their common face.
constexpr int places4 = 4;
using Cubic = std::array<float, places4 * places4 * places4>;  // z fastest
using CubicFields = std::array<Cubic, fieldCount>;
constexpr float wideFrom = 6;  // width of such grains over the spacing of values

/// A grain in units of the spacing of values.
struct GrainSplat {
    Vec3f local;
    float width;
    GrainAmounts amounts;

    GrainSplat(const Grain& grain, const ValuePlaces& places)
        : local(((grain.position - places.corner_m) / places.spacing_m).cast<float>()),
          width(std::max(1.0f, grain.width_m / static_cast<float>(places.spacing_m))),
          amounts(amountsOf(grain))
    {
        const float widened_m = width * static_cast<float>(places.spacing_m);
        amounts[GrainFields::Width] = grain.volume_m3 * widened_m;
        for (float& amount : amounts) amount /= widened_m * widened_m * widened_m;
    }

    bool isNear() const
    {
        const float reach = 2 * width;
        return (local.array() > -reach).all() && (local.array() < static_cast<float>(n - 1) + reach).all();
    }
    float weight(int axis, float at) const { return cubicKernel((local[axis] - at) / width); }
};

void addWide(const GrainSplat& splat, CubicFields& fields)
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

void addNarrow(const GrainSplat& splat, GrainFields& fields)
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
                    float* const at = fields.rows[f].data() + (i * n + j) * rowSize + r * laneCount;
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

/// Adds the cubic fields.
void spread(const CubicFields& cubic, GrainFields& fields)
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
                    float* const at = fields.rows[f].data() + (i * n + j) * rowSize + r * laneCount;
                    storeRegister(at, loadRegister<Floats>(at) + sum);
                }
            }
        }
    }
}

}  // namespace

GrainAmounts amountsOf(const Grain& grain)
{
    const float volume = grain.volume_m3;
    return {volume,
            grain.mass_kg,
            volume * grain.shift.x(),
            volume * grain.shift.y(),
            volume * grain.shift.z(),
            volume * grain.width_m,
            volume * grain.roughness,
            volume * grain.sheared,
            volume * grain.rounding};
}

void addGrains(std::span<const Grain> grains, const ValuePlaces& places, GrainFields& fields)
{
    CubicFields cubic{};
    bool isAnyWide = false;
    const float wide_m = wideFrom * static_cast<float>(places.spacing_m);
    for (const Grain& grain : grains) {
        const GrainSplat splat(grain, places);
        if (!splat.isNear()) continue;
        if (grain.width_m < wide_m) {
            addNarrow(splat, fields);
        } else {
            addWide(splat, cubic);
            isAnyWide = true;
        }
    }
    if (isAnyWide) spread(cubic, fields);
}

}  // namespace firn
