// The coarse grids under the semi-implicit solve.

#include <catch2/catch.hpp>
#include <random>

#include "sim/coarse_level.h"

using namespace firn;

namespace {

/// Leaves as snow has them: some side by side, one apart, on both sides of the origin, even and odd.
const std::vector<Vec3i> finer = {{-2, -1, 0}, {-1, -1, 0}, {-1, -1, 1}, {-1, 0, 0}, {0, 0, 0}, {0, 0, 1}, {5, 2, -3}};

NodeVector randomVector(std::size_t leaves, unsigned seed)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> number(-1, 1);
    NodeVector v;
    v.resize(leaves);
    for (std::size_t i = 0; i < leaves; ++i)
        for (int k = 0; k < floatsPerLeaf; ++k) v.leaf(i)[k] = number(random);
    return v;
}

double dot(const NodeVector& a, const NodeVector& b)
{
    double sum = 0;
    for (std::size_t i = 0; i < a.leaves(); ++i) sum += dotLeaf(a.leaf(i), b.leaf(i));
    return sum;
}

/// f of a node's position in cells of its own level, in the first float.
template <class F>
NodeVector sampled(const std::vector<Vec3i>& leaves, const F& f)
{
    NodeVector v;
    v.resize(leaves.size());
    for (std::size_t i = 0; i < leaves.size(); ++i)
        for (int n = 0; n < nodesPerLeaf; ++n)
            v.leaf(i)[4 * n] = f(leafSize * leaves[i] + Vec3i(n >> 6, n >> 3 & 7, n & 7));
    return v;
}

}  // namespace

TEST_CASE("A coarse level has the leaves that its finer ones take from, and no other")
{
    const CoarseLevel level(finer);
    // (-2, -1, 0) begins at the even x -2, z 0 and in the upper half of y: leaves (-1, -1, 0) and (-1, 0, 0); and so on
    const std::vector<Vec3i> expected = {{-1, -1, 0}, {-1, -1, 1}, {-1, 0, 0}, {-1, 0, 1}, {0, -1, 0}, {0, -1, 1},
                                         {0, 0, 0},   {0, 0, 1},   {2, 1, -2}, {2, 1, -1}, {3, 1, -2}, {3, 1, -1}};
    CHECK(level.leaves() == expected);
}

TEST_CASE("Trilinear functions pass from a coarse level to the finer one unchanged")
{
    const CoarseLevel level(finer);
    const auto function = [](const Vec3d& x) {
        return static_cast<float>(1 + 0.5 * x.x() - x.y() + 0.25 * x.z() + 0.125 * x.x() * x.y() * x.z());
    };
    const NodeVector coarse = sampled(level.leaves(), [&](const Vec3i& j) { return function(2 * j.cast<double>()); });
    const NodeVector expected = sampled(finer, [&](const Vec3i& i) { return function(i.cast<double>()); });
    float found[floatsPerLeaf];
    for (std::size_t i = 0; i < finer.size(); ++i) {
        level.prolong(coarse, i, found);
        for (int k = 0; k < floatsPerLeaf; ++k) CHECK(found[k] == Approx(expected.leaf(i)[k]).margin(1e-6));
    }
}

TEST_CASE("Restriction is the transpose of prolongation")
{
    CoarseLevel level(finer);
    const NodeVector fine = randomVector(finer.size(), 1), coarse = randomVector(level.leaves().size(), 2);
    NodeVector prolonged, restricted;
    prolonged.resize(finer.size());
    for (std::size_t i = 0; i < finer.size(); ++i) level.prolong(coarse, i, prolonged.leaf(i));
    level.restrictFrom([&](std::size_t i, float*) { return fine.leaf(i); }, restricted);
    const double expected = dot(fine, prolonged);
    CHECK(std::abs(expected) > 1);  // of 14336 products, each some 0.1
    CHECK(dot(coarse, restricted) == Approx(expected).epsilon(1e-5));
}
