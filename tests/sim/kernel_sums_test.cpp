// Sums of kernels over the places of a point tile: in snow that is even, they are the same at all nodes.

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "common/snow/point_tile.h"
#include "sim/simd/kernel.h"

using namespace firn;

namespace {

struct KernelSums {
    double density_rms, gradient_rms;  // of sum V_p w_ip - 1 and of a component of h sum V_p grad w_ip
};

/// The sums at all nodes of a tile's period; the nodes are moved by a part of a cell along each axis.
KernelSums kernelSums(int perCell, double shift)
{
    constexpr int edge = PointTile::edge;
    std::vector<double> density(edge * edge * edge), slope(density.size());
    for (std::size_t c = 0; c < density.size(); ++c) {
        const int n = static_cast<int>(c);
        const Vec3i cell(n / edge / edge, n / edge % edge, n % edge);
        for (int i = 0; i < perCell; ++i) {
            const Vec3f& point = pointTile(perCell).points(cell)[i];
            const Vec3d x = cell.cast<double>() + point.cast<double>() + Vec3d::Constant(shift);
            const Vec3d base = x.array().floor();
            double w[3][4], s[4];
            for (int a = 0; a < 3; ++a) kernelWeights(x[a] - base[a], w[a]);
            kernelSlopes(x.x() - base.x(), s);
            for (int k = 0; k < 64; ++k) {
                const Vec3i offset(k / 16, k / 4 % 4, k % 4), node = base.cast<int>() + offset;
                const int at = (node.x() % edge * edge + node.y() % edge) * edge + node.z() % edge;
                const double yz = w[1][offset.y()] * w[2][offset.z()] / perCell;
                density[static_cast<std::size_t>(at)] += w[0][offset.x()] * yz;
                slope[static_cast<std::size_t>(at)] += s[offset.x()] * yz;
            }
        }
    }
    KernelSums sums{};
    for (std::size_t c = 0; c < density.size(); ++c) {
        sums.density_rms += (density[c] - 1) * (density[c] - 1);
        sums.gradient_rms += slope[c] * slope[c];
    }
    const double nodes = static_cast<double>(density.size());
    return {std::sqrt(sums.density_rms / nodes), std::sqrt(sums.gradient_rms / nodes)};
}

}  // namespace

TEST_CASE("Sums of kernels over seeded particles are even, wherever the nodes are")
{
    // A node of unsettled snow under even pressure feels sum V_p grad w_ip, which is zero in a continuum. Random places
    // in eight strata of a cell, one each, give an rms of .047 / h and a density with 3 % of noise.
    for (const int perCell : {4, 5, 8, 27})
        for (const double shift : {0.0, 0.3, 0.75}) {
            const KernelSums sums = kernelSums(perCell, shift);
            INFO(perCell << " particles per cell, nodes moved by " << shift << " cells");
            CHECK(sums.density_rms < 0.006);
            CHECK(sums.gradient_rms < 0.007);
        }
}
