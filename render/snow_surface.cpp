#include "render/snow_surface.h"

#include <algorithm>

#include "render/lane_noise.h"

namespace firn {

namespace {

struct Octave {
    float wavelength_m, still_m, rough_m;  // amplitude (rms) in snow as it fell, and in broken snow
};
constexpr float meanSize = 0.21f;     // of gradient noise; broken snow has sharp edges where the noise is 0
constexpr float packedShare = 0.35f;  // amplitude in packed snow, over that of snow as it fell

/// How far the border is moved outwards (m): several octaves of noise at the place where the snow lay at rest.
Floats displacement(Floats x, Floats y, Floats z, Floats roughness, Floats bump_m, float pixel_m, Floats reach_m)
{
    constexpr std::array<Octave, 6> octaves = {{{0.090f, 0.0006f, 0.0011f},
                                                {0.037f, 0.0004f, 0.0020f},
                                                {0.017f, 0.00027f, 0.0020f},
                                                {0.0075f, 0.0002f, 0.0014f},
                                                {0.0034f, 0.00016f, 0.0008f},
                                                {0.0016f, 0.00011f, 0.0004f}}};
    // Snow is smoother in some places than in others.
    constexpr float patch_m = 0.35f;
    const Floats patches = gradientNoise(x * (1 / patch_m), y * (1 / patch_m), z * (1 / patch_m), 7);
    const Floats stillShare = larger(floats(0.6f), 1.1f + 2.f * patches);
    Floats sum = bump_m;
    std::uint32_t seed = 11;
    for (const Octave& octave : octaves) {
        // Waves fade out between four pixels and two.
        const float seen = std::clamp(octave.wavelength_m / (2 * pixel_m) - 1, 0.0f, 1.0f);
        if (seen <= 0) break;
        const float scale = 1 / octave.wavelength_m;
        const Floats noise = gradientNoise(x * scale, y * scale, z * scale, seed);
        const Floats rough = larger(roughness, Floats{}), packed = larger(-roughness, Floats{});
        const Floats smoothPart =
            stillShare * (1.f - rough) * (1.f - (1 - packedShare) * packed) * octave.still_m * noise;
        const Floats edges = rough * octave.rough_m * (1.6f * (meanSize - magnitude(noise)));
        sum += (4 * seen) * (smoothPart + edges);
        seed += 101;
    }
    const Floats most = 0.22f * reach_m;
    return smaller(most, larger(-most, sum));
}

/// Density (kg/m^3) at the values from `first` on of a row.
Floats densityAt(const GrainFields& fields, const ValuePlaces& places, int row, int first)
{
    using Fields = GrainFields;
    const auto at = [&](Fields::Field field) { return fields.at(field, row, first); };
    constexpr float least = 1e-3f;
    const Floats occupied = larger(at(Fields::Volume), Floats{});
    if (all(occupied < least)) return Floats{};
    const Floats inverse = 1.f / larger(occupied, floats(least));
    const Floats reach = 1.5f * at(Fields::Width) * inverse;
    const auto spacing = static_cast<float>(places.spacing_m);
    const auto corner = places.corner_m.cast<float>().eval();
    const int i = row / Fields::values, j = row % Fields::values;
    const Floats x = corner.x() + spacing * static_cast<float>(i) + at(Fields::ShiftX) * inverse;
    const Floats y = corner.y() + spacing * static_cast<float>(j) + at(Fields::ShiftY) * inverse;
    const Floats z = corner.z() + spacing * toFloats(laneNumbers() + first) + at(Fields::ShiftZ) * inverse;
    const auto pixel_m = static_cast<float>(places.pixel_m);
    const Floats moved =
        displacement(x, y, z, at(Fields::Roughness) * inverse, at(Fields::Bump) * inverse, pixel_m, reach);
    const Floats edge = smaller(0.75f * spacing / reach, floats(0.5f));  // half of the ramp, in W
    const Floats inside = (occupied - 0.5f + moved / reach) / (2.f * edge) + 0.5f;
    const Floats ramp = smaller(larger(inside, Floats{}), floats(1));
    return larger(at(Fields::Mass), Floats{}) * inverse * select(edge < 0.5f, ramp, occupied);
}

}  // namespace

bool snowDensity(std::span<const Grain> grains, const ValuePlaces& places, Bricks::Values& result)
{
    static thread_local GrainFields fields;
    sumGrains(grains, places, fields);
    constexpr int n = Bricks::values;
    bool isFilled = false;
    float* to = result.data();
    for (int row = 0; row < n * n; ++row) {
        alignas(64) std::array<float, GrainFields::rowSize> densities;
        for (int first = 0; first < n; first += laneCount)
            storeRegister(densities.data() + first, densityAt(fields, places, row, first));
        to = std::copy_n(densities.begin(), n, to);
        isFilled |= std::any_of(densities.begin(), densities.begin() + n, [](float value) { return value > 0; });
    }
    return isFilled;
}

}  // namespace firn
