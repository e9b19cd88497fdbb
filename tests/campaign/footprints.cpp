// Compares the depth of footprints in two simulations of a shot, for example with explicit and with semi-implicit
// steps. The surface of the snow is measured in columns one cell wide: it is the top of the particles, counted from the
// ground up to the first gap of two cells. A print is a group of adjacent columns that have sunk by more than `sunk` in
// either simulation. Its floor is those of its columns that have two columns of the print on every side.
//
//     build/tests/campaign/footprints CACHE OTHER FRAME
//
// Prints a line for each print of at least sixty columns: how many columns have sunk and how deep the floor is on
// average, in both simulations, and the difference. The exit code is 1 if a difference is above 5 %.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>

#include "common/cache/points_file.h"
#include "common/error.h"
#include "common/io/frame_range.h"

namespace {

using namespace firn;

constexpr double sunk = 0.03;  // m
constexpr std::size_t fewestColumns = 60;
constexpr double tolerance = 0.05;

using Column = std::pair<int, int>;  // x and z in cells
using Heights = std::map<Column, double>;

ParticleFrame readFrame(const std::filesystem::path& cache, int frame)
{
    return readPointsFile(framePath(cache / "snow.####.vdb", frame));
}

Heights surface(const ParticleFrame& frame)
{
    std::map<Column, std::vector<double>> columns;
    for (const Vec3d& x : frame.position_m) {
        const auto cell = [&](double along) { return static_cast<int>(std::floor(along / frame.dx_m)); };
        columns[{cell(x.x()), cell(x.z())}].push_back(x.y());
    }
    Heights heights;
    for (auto& [column, y] : columns) {
        std::sort(y.begin(), y.end());
        std::size_t top = 0;
        while (top + 1 < y.size() && y[top + 1] - y[top] < 2 * frame.dx_m) ++top;
        heights[column] = y[top];
    }
    return heights;
}

double depth(const Heights& before, const Heights& after, Column column)
{
    const auto found = after.find(column);
    return found == after.end() ? 0 : before.at(column) - found->second;
}

/// Removes the columns of one print from `all` and returns them.
std::vector<Column> takePrint(std::set<Column>& all)
{
    std::vector<Column> print, next = {*all.begin()};
    all.erase(all.begin());
    while (!next.empty()) {
        const Column at = next.back();
        next.pop_back();
        print.push_back(at);
        for (const auto& [dx, dz] : {Column{1, 0}, Column{-1, 0}, Column{0, 1}, Column{0, -1}})
            if (all.erase({at.first + dx, at.second + dz})) next.emplace_back(at.first + dx, at.second + dz);
    }
    return print;
}

std::set<Column> floorOf(const std::vector<Column>& print)
{
    constexpr int margin = 2;
    const std::set<Column> all(print.begin(), print.end());
    std::set<Column> floor;
    for (const auto& [x, z] : print) {
        bool inside = true;
        for (int k = -margin; k <= margin; ++k) inside = inside && all.count({x + k, z}) && all.count({x, z + k});
        if (inside) floor.insert({x, z});
    }
    return floor;
}

struct Print {
    std::size_t columns = 0, other_columns = 0;  // that have sunk
    Vec3d center = Vec3d::Zero();                // of its floor, in cells
    double depth = 0, other_depth = 0;           // of its floor, m
};

Print measure(const std::vector<Column>& columns, const Heights& before, const Heights& one, const Heights& two)
{
    Print print;
    for (const Column& column : columns) {
        print.columns += depth(before, one, column) > sunk;
        print.other_columns += depth(before, two, column) > sunk;
    }
    const std::set<Column> floor = floorOf(columns);
    for (const Column& column : floor) {
        print.center += Vec3d(column.first + 0.5, 0, column.second + 0.5) / static_cast<double>(floor.size());
        print.depth += depth(before, one, column) / static_cast<double>(floor.size());
        print.other_depth += depth(before, two, column) / static_cast<double>(floor.size());
    }
    return print;
}

int comparePrints(const std::filesystem::path& cache, const std::filesystem::path& other, int frame)
{
    const ParticleFrame first = readFrame(cache, 1);
    const Heights before = surface(first), one = surface(readFrame(cache, frame)),
                  two = surface(readFrame(other, frame));
    std::set<Column> low;
    for (const auto& [column, height] : before)
        if (std::max(depth(before, one, column), depth(before, two, column)) > sunk) low.insert(column);
    int prints = 0, different = 0;
    std::printf("   x m    z m  columns  other  depth m  other m  difference\n");
    while (!low.empty()) {
        const std::vector<Column> columns = takePrint(low);
        if (columns.size() < fewestColumns) continue;
        const Print print = measure(columns, before, one, two);
        const double difference = print.other_depth / print.depth - 1;
        std::printf("%6.2f %6.2f %8zu %6zu %8.4f %8.4f %+9.1f %%\n", print.center.x() * first.dx_m,
                    print.center.z() * first.dx_m, print.columns, print.other_columns, print.depth, print.other_depth,
                    100 * difference);
        ++prints;
        different += !(std::abs(difference) <= tolerance);
    }
    return prints == 0 || different > 0;
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc != 4) {
        std::fputs("usage: footprints CACHE OTHER FRAME\n", stderr);
        return 2;
    }
    try {
        return comparePrints(argv[1], argv[2], std::atoi(argv[3]));
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return static_cast<int>(error.code());
    }
}
