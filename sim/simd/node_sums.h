#pragma once
// One particle's 64 nodes on a tile: sums of node values with the kernel's weights and slopes, and their transposes.
// Slopes are per cell; the caller multiplies by the 1/h of the chain rule.

#include "sim/simd/kernel_rows.h"
#include "sim/simd/mat3.h"
#include "sim/simd/tile.h"

namespace firn {

/// Adds w_ip value to the rows of the particle's cell.
inline void addValue(CellRows& cell, const KernelRows& w, Four value)
{
    const Row alongZ = w.z * repeat(value);
    for (int i = 0; i < 4; ++i) {
        const Row plane = w.x[i] * alongZ;
        for (int j = 0; j < 4; ++j) cell.rows[4 * i + j] += w.y[j] * plane;
    }
}

/// Adds T grad w_ip to the rows of the particle's cell, T given by its columns.
inline void addTimesSlope(CellRows& cell, const KernelRows& w, Four columnX, Four columnY, Four columnZ)
{
    const Row fromX = w.z * repeat(columnX), fromY = w.z * repeat(columnY), fromZ = w.slope_z * repeat(columnZ);
    for (int i = 0; i < 4; ++i) {
        const Row alongX = w.slope_x[i] * fromX + w.x[i] * fromZ;
        const Row alongY = w.x[i] * fromY;
        for (int j = 0; j < 4; ++j) cell.rows[4 * i + j] += w.y[j] * alongX + w.slope_y[j] * alongY;
    }
}

/// Adds w_ip (value + A (x_i - x_p) / h) to the rows of the particle's cell, A given by its columns.
inline void addAffine(CellRows& cell, const KernelRows& w, const KernelMoments& moment, Four value, Four columnX,
                      Four columnY, Four columnZ)
{
    const Row fromX = w.z * repeat(columnX), fromY = w.z * repeat(columnY);
    const Row rest = w.z * repeat(value) + moment.z * repeat(columnZ);
    for (int i = 0; i < 4; ++i) {
        const Row alongX = w.x[i] * rest + moment.x[i] * fromX;
        const Row alongY = w.x[i] * fromY;
        for (int j = 0; j < 4; ++j) cell.rows[4 * i + j] += w.y[j] * alongX + moment.y[j] * alongY;
    }
}

/// sum w_ip v_i
inline Four sumValues(const Tile& tile, int cell, const KernelRows& w)
{
    const float* corner = tile.cell(cell);
    Row sum = {};
    for (int i = 0; i < 4; ++i) {
        Row plane = {};
        for (int j = 0; j < 4; ++j) plane += w.y[j] * loadRow(corner + i * Tile::planeStride + j * Tile::rowStride);
        sum += w.x[i] * plane;
    }
    return sumNodes(sum * w.z);
}

/// Columns of sum v_i (grad w_ip)^T: derivatives along x, y and z.
struct Gradient {
    Four along_x, along_y, along_z;
};

inline Gradient sumGradient(const Tile& tile, int cell, const KernelRows& w)
{
    const float* corner = tile.cell(cell);
    Row sum = {}, alongX = {}, alongY = {};
    for (int i = 0; i < 4; ++i) {
        Row plane = {}, planeY = {};
        for (int j = 0; j < 4; ++j) {
            const Row v = loadRow(corner + i * Tile::planeStride + j * Tile::rowStride);
            plane += w.y[j] * v;
            planeY += w.slope_y[j] * v;
        }
        sum += w.x[i] * plane;
        alongX += w.slope_x[i] * plane;
        alongY += w.x[i] * planeY;
    }
    return {sumNodes(alongX * w.z), sumNodes(alongY * w.z), sumNodes(sum * w.slope_z)};
}

/// sum w_ip v_i, sum v_i (grad w_ip)^T and sum w_ip v_i ((x_i - x_p) / h)^T in one pass over the tile.
struct AffineSums {
    Four value;
    Gradient gradient, moment;
};

inline AffineSums sumAffine(const Tile& tile, int cell, const KernelRows& w, const KernelMoments& moment)
{
    const float* corner = tile.cell(cell);
    Row sum = {}, slopeX = {}, slopeY = {}, momentX = {}, momentY = {};
    for (int i = 0; i < 4; ++i) {
        Row plane = {}, planeSlope = {}, planeMoment = {};
        for (int j = 0; j < 4; ++j) {
            const Row v = loadRow(corner + i * Tile::planeStride + j * Tile::rowStride);
            plane += w.y[j] * v;
            planeSlope += w.slope_y[j] * v;
            planeMoment += moment.y[j] * v;
        }
        sum += w.x[i] * plane;
        slopeX += w.slope_x[i] * plane;
        momentX += moment.x[i] * plane;
        slopeY += w.x[i] * planeSlope;
        momentY += w.x[i] * planeMoment;
    }
    return {sumNodes(sum * w.z),
            {sumNodes(slopeX * w.z), sumNodes(slopeY * w.z), sumNodes(sum * w.slope_z)},
            {sumNodes(momentX * w.z), sumNodes(momentY * w.z), sumNodes(sum * moment.z)}};
}

/// The gradients of a batch of particles.
class GradientLanes {
public:
    void set(int lane, const Gradient& g)
    {
        m_alongX.set(lane, g.along_x);
        m_alongY.set(lane, g.along_y);
        m_alongZ.set(lane, g.along_z);
    }
    void repeatFrom(int count)
    {
        for (FourLanes* lanes : {&m_alongX, &m_alongY, &m_alongZ}) lanes->repeatFrom(count);
    }
    /// dv_a/dx_b, times h
    Mat3<Batch> matrix() const
    {
        Mat3<Batch> m;
        m_alongX.columns(m[0][0], m[1][0], m[2][0]);
        m_alongY.columns(m[0][1], m[1][1], m[2][1]);
        m_alongZ.columns(m[0][2], m[1][2], m[2][2]);
        return m;
    }

private:
    FourLanes m_alongX, m_alongY, m_alongZ;
};

}  // namespace firn
