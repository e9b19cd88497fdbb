// Counts the pieces that snow broke into in a frame of a cache.
//
//     ninja -C build breaking && build/tests/campaign/breaking CACHE FRAME ...
//
// Particles are loose or belong to pieces as tests/sim/pieces.h says. Prints for each frame: the share of the mass that
// is loose; that is in the largest piece; in other pieces of at least 10 %, 1 % and 0.1 % of the mass, and in smaller
// ones; the number of pieces of at least 0.1 %; the share that is faster than 1 m/s; and the kinetic energy, J.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "common/cache/points_file.h"
#include "common/error.h"
#include "common/io/frame_range.h"
#include "tests/sim/pieces.h"

namespace {

using namespace firn;

constexpr double fast_m_s = 1;

struct Breaking {
    double loose = 0, fast = 0, energy_J = 0;
    std::vector<double> pieces;  // shares of the mass, largest first
};

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
    result.pieces = solidPieces(frame);
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
