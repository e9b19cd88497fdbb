#include "common/leaf_key.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <tuple>
#include <vector>

using namespace firn;

TEST_CASE("A leaf's key gives its coordinates back, up to the limits on either side")
{
    for (const int x : {-leafKeyLimit, -1, 0, 5, leafKeyLimit - 1})
        for (const int y : {-leafKeyLimit, -7, 0, leafKeyLimit - 1})
            for (const int z : {-leafKeyLimit, -1, 0, 1, leafKeyLimit - 1})
                CHECK(leafOfKey(leafKey(x, y, z)) == Vec3i(x, y, z));
}

TEST_CASE("Keys sort as leaves do by x, then y, then z")
{
    std::vector<Vec3i> leaves;
    for (const int x : {-9, -1, 0, 4})
        for (const int y : {-3, 0, 8})
            for (const int z : {-1, 0, 2}) leaves.emplace_back(x, y, z);
    std::reverse(leaves.begin(), leaves.end());
    std::sort(leaves.begin(), leaves.end(), [](const Vec3i& a, const Vec3i& b) { return leafKey(a) < leafKey(b); });
    for (std::size_t i = 1; i < leaves.size(); ++i) {
        const Vec3i &a = leaves[i - 1], &b = leaves[i];
        CHECK(std::tuple(a.x(), a.y(), a.z()) < std::tuple(b.x(), b.y(), b.z()));
    }
}
