#pragma once
// Sums over the nodes of a point of contact on a tile of velocities whose fourth float is 1 / m.

#include "sim/contact_point.h"
#include "sim/simd/tile.h"

namespace firn {

inline Row perNodeOf(const std::array<float, 4>& z) { return perNode(Four{z[0], z[1], z[2], z[3]}); }
inline Four fourOf(const Vec3f& v) { return Four{v[0], v[1], v[2], 0}; }

/// sum w_ip of the rows' values, with weights squared or not.
template <bool squared>
Four sumAt(const Tile& tile, const ContactPoint& point)
{
    const auto weight = [](auto w) { return squared ? w * w : w; };
    const float* corner = tile.cell(point.cell);
    Row sum = {};
    for (int i = 0; i < 4; ++i) {
        Row plane = {};
        for (int j = 0; j < 4; ++j)
            plane += weight(point.y[j]) * loadRow(corner + i * Tile::planeStride + j * Tile::rowStride);
        sum += weight(point.x[i]) * plane;
    }
    return sumNodes(sum * weight(perNodeOf(point.z)));
}

/// sum w_ip v_i, m/s
inline Vec3f velocityAt(const Tile& tile, const ContactPoint& point)
{
    const Four v = sumAt<false>(tile, point);
    return {v[0], v[1], v[2]};
}

/// A = sum w_ip^2 / m_i, 1/kg
inline float responseAt(const Tile& tile, const ContactPoint& point) { return sumAt<true>(tile, point)[3]; }

/// Whether all of the point's nodes have mass.
inline bool allHaveMass(const Tile& tile, const ContactPoint& point)
{
    const float* corner = tile.cell(point.cell);
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
            const float* row = corner + i * Tile::planeStride + j * Tile::rowStride;
            if (!(row[3] > 0 && row[7] > 0 && row[11] > 0 && row[15] > 0)) return false;
        }
    return true;
}

/// The sum of the weights of nodes that have mass.
inline float weightWithMass(const Tile& tile, const ContactPoint& point)
{
    const float* corner = tile.cell(point.cell);
    float sum = 0;
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
            const float* row = corner + i * Tile::planeStride + j * Tile::rowStride;
            for (int k = 0; k < 4; ++k)
                if (row[4 * k + 3] > 0) sum += point.x[i] * point.y[j] * point.z[k];
        }
    return sum;
}

/// Replaces the point's nodes by f(node, w_ip value), a row at a time.
template <class F>
void changeNodes(Tile& tile, const ContactPoint& point, const Vec3f& value, const F& f)
{
    float* corner = tile.cell(point.cell);
    const Row alongZ = perNodeOf(point.z) * repeat(fourOf(value));
    for (int i = 0; i < 4; ++i) {
        const Row plane = point.x[i] * alongZ;
        for (int j = 0; j < 4; ++j) {
            float* at = corner + i * Tile::planeStride + j * Tile::rowStride;
            storeRow(at, f(loadRow(at), point.y[j] * plane));
        }
    }
}

/// v_i += w_ip J / m_i
inline void push(Tile& tile, const ContactPoint& point, const Vec3f& impulse)
{
    changeNodes(tile, point, impulse, [](Row node, Row weighted) { return node + weighted * lastOfNodes(node); });
}

/// Adds w_ip value to a tile of sums.
inline void addAt(Tile& tile, const ContactPoint& point, const Vec3f& value)
{
    changeNodes(tile, point, value, [](Row node, Row weighted) { return node + weighted; });
}

}  // namespace firn
