#include "render/adaptive_sampling.h"

#include <algorithm>
#include <cmath>

namespace firn {

namespace {

/// Of one group of pixels.
struct Group {
    double error = 0;  // sum over pixels of the relative error that one sample has
    int pixels = 0;
    int samples = 0;  // that each pixel has
};

std::vector<Group> measureGroups(const Film& film, const Tiles& tiles)
{
    const double floor = film.luminanceFloor();
    std::vector<Group> groups(2 * static_cast<std::size_t>(tiles.count()));
    for (int tile = 0; tile < tiles.count(); ++tile) {
        const PixelWindow window = tiles.at(tile);
        for (int y = window.y; y < window.y + window.height; ++y) {
            for (int x = window.x; x < window.x + window.width; ++x) {
                Group& group = groups[static_cast<std::size_t>(Tiles::groupOf(tile, x, y))];
                group.samples = film.samplesOf(x, y);
                group.error += film.relativeError(x, y, floor) * std::sqrt(group.samples);
                ++group.pixels;
            }
        }
    }
    return groups;
}

/// The mean error of one sample that decides for a group: that of the other group of its tile.
double decidingError(const std::vector<Group>& groups, std::size_t group)
{
    const Group& other = groups[group ^ 1U];
    const Group& decides = other.pixels > 0 ? other : groups[group];  // tiles of one pixel have one group
    return decides.pixels > 0 ? decides.error / decides.pixels : 0;
}

}  // namespace

PixelWindow Tiles::at(int tile) const
{
    const int x = tile % columns * tileEdge, y = tile / columns * tileEdge;
    return {window.x + x, window.y + y, std::min(tileEdge, window.width - x), std::min(tileEdge, window.height - y)};
}

std::vector<std::int32_t> nextSamples(const Film& film, double noiseTarget, double growth, int most)
{
    const std::vector<Group> groups = measureGroups(film, Tiles(film.window()));
    double pixels = 0, samples = 0, needs = 0;
    std::vector<double> need(groups.size());  // samples per pixel, up to a common factor
    for (std::size_t i = 0; i < groups.size(); ++i) {
        need[i] = std::cbrt(std::pow(decidingError(groups, i), 2));
        pixels += groups[i].pixels;
        samples += static_cast<double>(groups[i].pixels) * groups[i].samples;
        needs += groups[i].pixels * need[i];
    }
    if (needs <= 0) {
        needs = pixels;
        std::fill(need.begin(), need.end(), 1.0);
    }
    constexpr double leastGrowth = 1.1;
    double factor = growth * samples / needs;
    if (noiseTarget > 0) {  // sum over pixels of sigma / sqrt(factor need) = pixels target
        factor = std::clamp(std::pow(needs / (pixels * noiseTarget), 2), leastGrowth * samples / needs, factor);
    }
    // An error is known roughly: no group falls far behind the mean.
    const double least = samples / pixels / 8;
    std::vector<std::int32_t> wanted(groups.size());
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const double n = std::ceil(std::max(factor * need[i], least));
        wanted[i] = std::max(groups[i].samples, static_cast<std::int32_t>(std::min<double>(n, most)));
    }
    return wanted;
}

}  // namespace firn
