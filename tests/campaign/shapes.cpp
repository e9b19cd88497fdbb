// Compares where the snow is in two simulations of a shot, for example with explicit and with semi-implicit steps.
//
//     ninja -C build shapes && build/tests/campaign/shapes CACHE OTHER FRAME
//
// Prints for both: the extents that hold the mass between its 5th and 95th percentile along x, y and z; the share of
// the mass that is loose, in cells of two dx with less than a quarter of the density that snow was seeded with; the
// share that is faster than 1 m/s; and the share of the largest lump, that is, of cells that are not loose and touch.
// The exit code is 1 if an extent or a share differs by more than 30 % of the larger one. Shares below 2 % count as
// equal.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "common/cache/points_file.h"
#include "common/error.h"
#include "common/io/frame_range.h"

namespace {

using namespace firn;

constexpr double tolerance = 0.3, smallShare = 0.02, fast_m_s = 1, looseShare = 0.25, cellsOfDx = 2;

using Cell = std::array<int, 3>;
using CellMasses = std::map<Cell, double>;

struct Quantity {
    const char* name;
    double value;
    bool is_share;
};

double extent(const ParticleFrame& frame, int axis, double mass)
{
    std::vector<std::pair<double, double>> places;  // m, kg
    for (std::size_t i = 0; i < frame.size(); ++i) places.emplace_back(frame.position_m[i][axis], frame.mass_kg[i]);
    std::sort(places.begin(), places.end());
    const auto percentile = [&](double share) {
        double sum = 0;
        for (const auto& [place, kg] : places) {
            if ((sum += kg) >= share * mass) return place;
        }
        return places.back().first;
    };
    return percentile(0.95) - percentile(0.05);
}

CellMasses massesOf(const ParticleFrame& frame)
{
    const double size = cellsOfDx * frame.dx_m;
    CellMasses masses;
    for (std::size_t i = 0; i < frame.size(); ++i) {
        const Vec3d& x = frame.position_m[i];
        const auto index = [&](double along) { return static_cast<int>(std::floor(along / size)); };
        masses[{index(x.x()), index(x.y()), index(x.z())}] += frame.mass_kg[i];
    }
    return masses;
}

double sumOf(const CellMasses& masses)
{
    double sum = 0;
    for (const auto& entry : masses) sum += entry.second;
    return sum;
}

/// Removes the cells that touch the first one from `cells` and returns their mass.
double takeLump(CellMasses& cells)
{
    double mass = 0;
    std::vector<Cell> next = {cells.begin()->first};
    const auto visit = [&](const Cell& cell) {
        const auto found = cells.find(cell);
        if (found == cells.end()) return;
        mass += found->second;
        cells.erase(found);
        next.push_back(cell);
    };
    visit(next.front());
    while (!next.empty()) {
        const Cell at = next.back();
        next.pop_back();
        for (std::size_t axis = 0; axis < 3; ++axis) {
            for (const int step : {-1, 1}) {
                Cell cell = at;
                cell[axis] += step;
                visit(cell);
            }
        }
    }
    return mass;
}

double largestLump(CellMasses dense)
{
    double largest = 0;
    while (!dense.empty()) largest = std::max(largest, takeLump(dense));
    return largest;
}

/// Snow of the seeded density has this mass in a cell, kg.
double seededMass(const ParticleFrame& frame)
{
    double volume = 0, mass = 0;
    for (std::size_t i = 0; i < frame.size(); ++i) {
        volume += frame.volume0_m3[i];
        mass += frame.mass_kg[i];
    }
    return mass / volume * std::pow(cellsOfDx * frame.dx_m, 3);
}

std::vector<Quantity> measure(const ParticleFrame& frame)
{
    CellMasses dense = massesOf(frame);
    const double mass = sumOf(dense), least = looseShare * seededMass(frame);
    std::erase_if(dense, [&](const auto& entry) { return entry.second < least; });
    double fast = 0;
    for (std::size_t i = 0; i < frame.size(); ++i) {
        if (frame.velocity_m_s[i].norm() > fast_m_s) fast += frame.mass_kg[i];
    }
    return {{"extent x, m", extent(frame, 0, mass), false}, {"extent y, m", extent(frame, 1, mass), false},
            {"extent z, m", extent(frame, 2, mass), false}, {"loose", 1 - sumOf(dense) / mass, true},
            {"faster than 1 m/s", fast / mass, true},       {"largest lump", largestLump(dense) / mass, true}};
}

bool differ(const Quantity& one, const Quantity& other)
{
    const double larger = std::max(one.value, other.value);
    if (one.is_share && larger < smallShare) return false;
    return !(std::abs(one.value - other.value) <= tolerance * larger);
}

int compareShapes(const std::string& cache, const std::string& other, int frame)
{
    const auto read = [&](const std::filesystem::path& folder) {
        return measure(readPointsFile(framePath(folder / "snow.####.vdb", frame)));
    };
    const std::vector<Quantity> one = read(cache), two = read(other);
    int different = 0;
    for (std::size_t i = 0; i < one.size(); ++i) {
        const bool isDifferent = differ(one[i], two[i]);
        different += isDifferent;
        std::printf("%-18s %8.4f %8.4f%s\n", one[i].name, one[i].value, two[i].value, isDifferent ? "  differ" : "");
    }
    return different > 0;
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc != 4) {
        std::fputs("usage: shapes CACHE OTHER FRAME\n", stderr);
        return 2;
    }
    try {
        return compareShapes(argv[1], argv[2], std::atoi(argv[3]));
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return static_cast<int>(error.code());
    }
}
