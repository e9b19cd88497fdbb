#include "render/snow_surface.h"

#include <algorithm>

#include "render/lane_noise.h"

namespace firn {

namespace {

enum class Noise { Waves, Pieces };

/// Amplitudes are four times the rms: in snow as it fell, in broken snow, and in packed snow, which a body has pressed
/// flat but which keeps its grain.
struct Octave {
    float wavelength_m, still_m, rough_m, packed_m;
    float rounded;  // share that is gone where snow is wholly rounded
    float shards;   // factor on rough_m where snow broke like ice: faces are flat, edges sharp
    Noise still, rough;
};
constexpr std::array<Octave, 6> octaves = {
    {{0.0900f, 0.00240f, 0.0044f, 0.0007f, 0.00f, 1.0f, Noise::Waves, Noise::Waves},
     {0.0370f, 0.00160f, 0.0080f, 0.0007f, 0.35f, 1.3f, Noise::Waves, Noise::Pieces},
     {0.0170f, 0.00108f, 0.0080f, 0.0010f, 0.80f, 1.6f, Noise::Waves, Noise::Pieces},
     {0.0075f, 0.00120f, 0.0056f, 0.0018f, 1.00f, 1.5f, Noise::Pieces, Noise::Pieces},
     {0.0034f, 0.00140f, 0.0032f, 0.0020f, 1.00f, 0.5f, Noise::Pieces, Noise::Pieces},
     {0.0016f, 0.00080f, 0.0016f, 0.0011f, 1.00f, 0.2f, Noise::Pieces, Noise::Pieces}}};
// How far the border may be moved, over the distance over which W falls: in bulk, and of a lone crumb. That of snow
// that broke like ice is between the two.
constexpr float mostMoved = 0.22f, mostOfCrumb = 0.4f;

/// Shares of the kinds of snow at a place, how far it is rounded, how far it broke like ice, and how far it is a lone
/// crumb, each from 0 to 1.
struct Kinds {
    Floats still{}, rough{}, packed{}, rounding{}, shards{}, crumb{};
};

/// The sum of an octave's noises, each times its share, where any lane has one.
Floats noiseOf(const Octave& octave, Floats x, Floats y, Floats z, const Kinds& kinds, std::uint32_t seed)
{
    const float scale = 1 / octave.wavelength_m;
    const auto noise = [&](Noise kind) {
        return kind == Noise::Waves ? gradientNoise(x * scale, y * scale, z * scale, seed)
                                    : pieceNoise(x * scale, y * scale, z * scale, seed);
    };
    const Floats still_m = octave.still_m * kinds.still + octave.packed_m * kinds.packed;
    const Floats rough_m = octave.rough_m * kinds.rough * (1.f + (octave.shards - 1) * kinds.shards);
    if (octave.still == octave.rough) return (still_m + rough_m) * noise(octave.still);
    Floats sum{};
    if (!all(still_m <= 0)) sum += still_m * noise(octave.still);
    if (!all(rough_m <= 0)) sum += rough_m * noise(octave.rough);
    return sum;
}

/// Several octaves of noise (m).
Floats relief(Floats x, Floats y, Floats z, Kinds kinds, float pixel_m, Floats reach_m)
{
    const Floats rough = kinds.rough;
    Floats sum{};
    std::uint32_t seed = 11;
    for (const Octave& octave : octaves) {
        // Noise fades out between four pixels and two, and where it would only make small pieces larger or smaller. In
        // crumbs it may be longer, so that they have few faces.
        const float seen = std::clamp(octave.wavelength_m / (2 * pixel_m) - 1, 0.0f, 1.0f);
        if (seen <= 0) break;
        const Floats share = smaller(1.1f / octave.wavelength_m * reach_m, floats(1));
        const Floats ofCrumb = smaller(2.f * share, floats(1));
        kinds.rough = (share * share + kinds.crumb * (ofCrumb - share * share)) * rough;
        sum += seen * (1.f - octave.rounded * kinds.rounding) * noiseOf(octave, x, y, z, kinds, seed);
        seed += 101;
    }
    return sum;
}

/// The relief at the place (m) where the snow lay at rest.
Floats reliefAtRest(Floats x, Floats y, Floats z, Kinds kinds, float pixel_m, Floats reach_m)
{
    // Snow is smoother in some places than in others.
    constexpr float patch_m = 0.35f;
    const Floats patches = gradientNoise(x * (1 / patch_m), y * (1 / patch_m), z * (1 / patch_m), 7);
    kinds.still = larger(floats(0.6f), 1.1f + 2.f * patches) * (1.f - kinds.rough) * (1.f - kinds.packed);
    return relief(x, y, z, kinds, pixel_m, reach_m);
}

/// The relief of snow in pieces: each is rough and has a height of its own, and grooves lie between them, as far as it
/// is not packed.
Floats reliefOfPieces(std::span<const SnowPiece> pieces, Floats x, Floats y, Floats z, Kinds kinds, float pixel_m,
                      Floats reach_m)
{
    constexpr float height_m = 0.005f, groove_m = 0.005f, grooveWidth_m = 0.004f;
    const NearestPieces at = nearestPieces(pieces, x, y, z);
    const Floats inGroove = larger(1.f - at.border_m * (1 / grooveWidth_m), Floats{}), loose = 1.f - kinds.packed;
    const Floats sharp = loose * (1.f - 0.85f * kinds.rounding);  // melting rounds pieces and closes their gaps
    const Floats heights = (1.f + 0.6f * kinds.shards) * height_m * at.height;
    const Floats grooves = (1.f - 0.7f * kinds.shards) * groove_m * inGroove * inGroove;
    kinds.still = Floats{};
    kinds.rough = loose;
    return sharp * (heights - grooves) + relief(at.x, at.y, at.z, kinds, pixel_m, reach_m);
}

Floats share(Floats value) { return smaller(larger(value, Floats{}), floats(1)); }

/// Means of what the grains carry, at the values from `first` on of a row.
struct Means {
    const GrainFields& fields;
    int row, first;
    Floats per_volume;

    Floats operator()(GrainFields::Field field) const { return fields.at(field, row, first) * per_volume; }
};

Kinds kindsOf(const Means& mean)
{
    const Floats roughness = mean(GrainFields::Roughness), rounding = mean(GrainFields::Rounding);
    return {.rough = share(roughness),
            .packed = larger(-roughness, Floats{}),
            .rounding = share(rounding),
            .shards = share(-rounding),
            .crumb = share(roughness - 1.f)};
}

/// How far the border is moved outwards (m).
Floats displacement(const Means& mean, std::span<const SnowPiece> pieces, const ValuePlaces& places, const Kinds& kinds,
                    Floats reach_m)
{
    using Fields = GrainFields;
    const auto spacing = static_cast<float>(places.spacing_m), pixel_m = static_cast<float>(places.pixel_m);
    const auto corner = places.corner_m.cast<float>().eval();
    const int i = mean.row / Fields::values, j = mean.row % Fields::values;
    const Floats x = corner.x() + spacing * static_cast<float>(i) + Floats{};
    const Floats y = corner.y() + spacing * static_cast<float>(j) + Floats{};
    const Floats z = corner.z() + spacing * toFloats(laneNumbers() + mean.first);
    const Floats atRest = reliefAtRest(x + mean(Fields::ShiftX), y + mean(Fields::ShiftY), z + mean(Fields::ShiftZ),
                                       kinds, pixel_m, reach_m);
    const Floats sheared = share(mean(Fields::Sheared));
    if (pieces.empty() || all(sheared <= 0)) return atRest;
    return atRest + sheared * (reliefOfPieces(pieces, x, y, z, kinds, pixel_m, reach_m) - atRest);
}

/// Half of the ramp, in W, for voxels and pixels of these widths over the reach. Opaque snow is seen where its ramp
/// begins. A ramp as short as a voxel shows the voxels in its shadows as steps, like the rings of wood, and one that
/// depends on voxels has a step where two sizes of them meet. So it depends on the pixel. Where kernels are hardly
/// wider than voxels, it is as short as voxels allow, so that crumbs keep their shape.
Floats halfOfRamp(Floats voxel, Floats pixel)
{
    constexpr float shortest = 0.75f, wanted = 1.5f, widest = 0.3f;
    return smaller(larger(shortest * voxel, smaller(wanted * pixel, floats(widest))), floats(0.5f));
}

/// Density (kg/m^3) at the values from `first` on of a row.
Floats densityAt(const GrainFields& fields, std::span<const SnowPiece> pieces, const ValuePlaces& places, int row,
                 int first)
{
    using Fields = GrainFields;
    constexpr float least = 1e-3f;
    const Floats occupied = larger(fields.at(Fields::Volume, row, first), Floats{});
    if (all(occupied < least)) return Floats{};
    const Means mean{fields, row, first, 1.f / larger(occupied, floats(least))};
    const Floats reach = 1.5f * mean(Fields::Width);
    const Floats edge =
        halfOfRamp(static_cast<float>(places.spacing_m) / reach, static_cast<float>(places.pixel_m) / reach);
    const Kinds kinds = kindsOf(mean);
    const Floats most = mostMoved + (mostOfCrumb - mostMoved) * larger(kinds.crumb, 0.5f * kinds.shards);
    Floats moved{};
    if (!all((edge >= 0.5f) | (magnitude(occupied - 0.5f) >= most + edge)))
        moved = displacement(mean, pieces, places, kinds, reach) / reach;
    const Floats risen = (occupied - 0.5f + smaller(most, larger(-most, moved))) / (2.f * edge) + 0.5f;
    const Floats inside = share(risen);
    const Floats ramp = inside * inside * (3.f - 2.f * inside);
    return larger(mean(Fields::Mass), Floats{}) * select(edge < 0.5f, ramp, occupied);
}

}  // namespace

bool snowDensity(const GrainFields& fields, std::span<const SnowPiece> pieces, const ValuePlaces& places,
                 Bricks::Values& result)
{
    constexpr int edge = Bricks::values;
    bool isFilled = false;
    float* to = result.data();
    for (int row = 0; row < edge * edge; ++row) {
        alignas(64) std::array<float, GrainFields::rowSize> densities;
        for (int first = 0; first < edge; first += laneCount)
            storeRegister(densities.data() + first, densityAt(fields, pieces, places, row, first));
        to = std::copy_n(densities.begin(), edge, to);
        isFilled |= std::any_of(densities.begin(), densities.begin() + edge, [](float value) { return value > 0; });
    }
    return isFilled;
}

}  // namespace firn
