// Counts the pieces that snow broke into in a frame of a cache.
//
//     ninja -C build breaking && build/tests/campaign/breaking CACHE FRAME ...
//
// A particle is loose where its volume has grown to 1.5 times or more, J = det F_E J_P >= 1.5; else it is solid. Solid
// particles that are at most 1.25 dx apart belong to one piece. Prints for each frame: the share of the mass that is
// loose; that is in the largest piece; in other pieces of at least 10 %, 1 % and 0.1 % of the mass, and in smaller
// ones; the number of pieces of at least 0.1 %; the share that is faster than 1 m/s; and the kinetic energy, J.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "common/cache/points_file.h"
#include "common/error.h"
#include "common/io/frame_range.h"

namespace {

using namespace firn;

constexpr double looseVolume = 1.5, linkOfDx = 1.25, fast_m_s = 1;

using Cell = std::array<int, 3>;

class Pieces {
public:
    explicit Pieces(std::size_t count) : m_parent(count) { std::iota(m_parent.begin(), m_parent.end(), std::size_t{0}); }

    std::size_t rootOf(std::size_t i)
    {
        while (m_parent[i] != i) i = m_parent[i] = m_parent[m_parent[i]];
        return i;
    }
    void join(std::size_t a, std::size_t b) { m_parent[rootOf(a)] = rootOf(b); }

private:
    std::vector<std::size_t> m_parent;
};

struct Breaking {
    double loose = 0, fast = 0, energy_J = 0;
    std::vector<double> pieces;  // shares of the mass, largest first
};

std::vector<std::size_t> solidOnes(const ParticleFrame& frame)
{
    std::vector<std::size_t> solid;
    for (std::size_t i = 0; i < frame.size(); ++i)
        if (frame.F_E[i].determinant() * frame.J_P[i] < static_cast<float>(looseVolume)) solid.push_back(i);
    return solid;
}

/// Masses of the groups of particles that are linked, kg.
std::vector<double> linked(const ParticleFrame& frame, const std::vector<std::size_t>& some)
{
    const double reach = linkOfDx * frame.dx_m;
    std::map<Cell, std::vector<std::size_t>> cells;
    const auto cellOf = [&](std::size_t i) {
        const Vec3d at = (frame.position_m[i] / reach).array().floor();
        return Cell{static_cast<int>(at.x()), static_cast<int>(at.y()), static_cast<int>(at.z())};
    };
    for (const std::size_t i : some) cells[cellOf(i)].push_back(i);
    Pieces pieces(frame.size());
    const auto joinWith = [&](std::size_t i, const Cell& cell) {
        const auto others = cells.find(cell);
        if (others == cells.end()) return;
        for (const std::size_t j : others->second)
            if (j > i && (frame.position_m[i] - frame.position_m[j]).squaredNorm() <= reach * reach) pieces.join(i, j);
    };
    for (const std::size_t i : some) {
        const Cell cell = cellOf(i);
        for (int n = 0; n < 27; ++n)
            joinWith(i, {cell[0] + n / 9 - 1, cell[1] + n / 3 % 3 - 1, cell[2] + n % 3 - 1});
    }
    std::map<std::size_t, double> mass;
    for (const std::size_t i : some) mass[pieces.rootOf(i)] += static_cast<double>(frame.mass_kg[i]);
    std::vector<double> masses;
    for (const auto& entry : mass) masses.push_back(entry.second);
    return masses;
}

Breaking measure(const ParticleFrame& frame)
{
    Breaking result;
    double mass = 0;
    for (std::size_t i = 0; i < frame.size(); ++i) {
        const double m = static_cast<double>(frame.mass_kg[i]);
        const double speed2 = static_cast<double>(frame.velocity_m_s[i].squaredNorm());
        mass += m;
        result.energy_J += m * speed2 / 2;
        if (speed2 > fast_m_s * fast_m_s) result.fast += m;
    }
    result.pieces = linked(frame, solidOnes(frame));
    for (double& piece : result.pieces) piece /= mass;
    std::sort(result.pieces.rbegin(), result.pieces.rend());
    result.loose = 1 - std::accumulate(result.pieces.begin(), result.pieces.end(), 0.0);
    result.fast /= mass;
    return result;
}

void print(int frame, const Breaking& b)
{
    const auto between = [&](double least, double most) {
        double sum = 0;
        for (std::size_t i = 1; i < b.pieces.size(); ++i)
            if (b.pieces[i] >= least && b.pieces[i] < most) sum += b.pieces[i];
        return sum;
    };
    const auto number = std::count_if(b.pieces.begin(), b.pieces.end(), [](double share) { return share >= 1e-3; });
    std::printf("%5d  %5.3f  %7.3f  %5.3f  %5.3f  %5.3f  %7.3f  %6ld  %5.3f  %8.3f\n", frame, b.loose,
                b.pieces.empty() ? 0 : b.pieces[0], between(0.1, 1), between(0.01, 0.1), between(1e-3, 0.01),
                between(0, 1e-3), static_cast<long>(number), b.fast, b.energy_J);
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc < 3) {
        std::fputs("usage: breaking CACHE FRAME ...\n", stderr);
        return 2;
    }
    try {
        std::puts("frame  loose  largest  >=10%   >=1%  >=.1%  smaller  pieces   fast  energy J");
        for (int a = 2; a < argc; ++a) {
            const int frame = std::atoi(argv[a]);
            const std::filesystem::path folder = argv[1];
            print(frame, measure(readPointsFile(framePath(folder / "snow.####.vdb", frame))));
        }
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return static_cast<int>(error.code());
    }
}
