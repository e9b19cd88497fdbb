#pragma once
// How many samples each part of a picture gets. The picture's noise is the mean relative error of its pixels; an error
// falls with the root of the number of samples n. For a given total of samples, the sum over pixels of sigma / sqrt(n)
// is least where n goes with sigma^(2/3).
//
// A pixel's number of samples must not depend on its own samples, or its mean is biased: pixels that happened to look
// quiet would stop too early. So each tile has two groups, the black and the white pixels of a chessboard. The black
// ones decide how many samples the white ones get, and the white ones decide for the black ones.

#include <cstdint>
#include <vector>

#include "render/film.h"

namespace firn {

inline constexpr int tileEdge = 16;

/// The tiles of a window, row by row.
struct Tiles {
    PixelWindow window;
    int columns, rows;

    explicit Tiles(const PixelWindow& of)
        : window(of), columns((of.width + tileEdge - 1) / tileEdge), rows((of.height + tileEdge - 1) / tileEdge)
    {
    }
    int count() const { return columns * rows; }
    PixelWindow at(int tile) const;
    /// The number of a pixel's group: two groups per tile.
    static int groupOf(int tile, int x, int y) { return 2 * tile + ((x + y) & 1); }
};

/// Samples per pixel that each group should have at the end of the next pass. The total grows by about the factor
/// `growth`, or by less if the noise target (0 = none) needs fewer, but by about 1.1 at least. No group gets fewer
/// samples than it has. No pixel gets more than `most`.
std::vector<std::int32_t> nextSamples(const Film& film, double noiseTarget, double growth, int most);

}  // namespace firn
