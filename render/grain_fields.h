#pragma once
// Sums over grains at the values of a brick.

#include <algorithm>
#include <array>
#include <span>

#include "render/bricks.h"
#include "render/grains.h"
#include "render/lanes.h"

namespace firn {

/// Where a brick's values lie: value (i, j, k) at corner + spacing (i, j, k), in metres.
struct ValuePlaces {
    Vec3d corner_m = Vec3d::Zero();
    double spacing_m = 1;
    double pixel_m = 0;  // edge of a pixel there; finer noise is left out
};

struct GrainFields {
    /// Sums over grains of N times volume, mass, and volume times shift, width, roughness, sheared and rounding.
    enum Field { Volume, Mass, ShiftX, ShiftY, ShiftZ, Width, Roughness, Sheared, Rounding };
    static constexpr int count = 9;

    static constexpr int values = Bricks::values;
    static constexpr int rowSize = 16;  // values of a row along z, padded
    using Rows = std::array<float, values * values * rowSize>;

    alignas(64) std::array<Rows, count> rows;

    bool isAnySheared() const
    {
        return std::any_of(rows[Sheared].begin(), rows[Sheared].end(), [](float sum) { return sum > 0; });
    }

    /// The values from `first` on of a row along z; row = values x + y.
    Floats at(Field field, int row, int first) const
    {
        return loadRegister<Floats>(rows[field].data() + row * rowSize + first);
    }
};

/// What a grain adds to the fields, times N over the cube of its kernel's width.
using GrainAmounts = std::array<float, GrainFields::count>;
GrainAmounts amountsOf(const Grain& grain);

/// Adds grains to the fields.
void addGrains(std::span<const Grain> grains, const ValuePlaces& places, GrainFields& fields);

}  // namespace firn
