#pragma once
// The cubic kernel of the particles of a batch, and of one of them as rows.

#include "sim/simd/kernel.h"
#include "sim/simd/rows.h"

namespace firn {

/// Weights and slopes (times h) of the cubic kernel for one particle: four nodes in x and y, a whole row in z.
struct KernelRows {
    float x[4], y[4], slope_x[4], slope_y[4];
    Row z, slope_z;
};

/// Weights times the distance of the node from the particle, in cells: APIC's first moments.
struct KernelMoments {
    float x[4], y[4];
    Row z;
};

/// Weights, slopes and moments of the particles of a batch, from their offsets in the cell.
class KernelLanes {
public:
    KernelLanes(Batch fx, Batch fy, Batch fz)
    {
        put(fx, m_x, m_slopeX);
        put(fy, m_y, m_slopeY);
        storePair(m_f[0], fx);
        storePair(m_f[1], fy);
        storePair(m_f[2], fz);
    }

    KernelRows operator[](int lane) const
    {
        KernelRows w;
        for (int i = 0; i < 4; ++i) {
            w.x[i] = m_x[i][lane];
            w.y[i] = m_y[i][lane];
            w.slope_x[i] = m_slopeX[i][lane];
            w.slope_y[i] = m_slopeY[i][lane];
        }
        // along z, the polynomials of kernel.h expanded in the offset f
        const float f = m_f[2][lane];
        constexpr float twoThirds = 2.f / 3, sixth = (1 - twoThirds) / 2;  // so rounded that c0 sums to one exactly
        const Row c0 = perNode(Four{sixth, twoThirds, sixth, 0}), c1 = perNode(Four{-.5f, 0, .5f, 0});
        const Row c2 = perNode(Four{.5f, -1, .5f, 0}), c3 = perNode(Four{-sixth, .5f, -.5f, sixth});
        const Row twoC2 = perNode(Four{1, -2, 1, 0}), threeC3 = perNode(Four{-.5f, 1.5f, -1.5f, .5f});
        w.z = ((c3 * f + c2) * f + c1) * f + c0;
        w.z = withoutNegative(w.z);  // where f is nearly one, rounding makes the first weight negative
        w.slope_z = (threeC3 * f + twoC2) * f + c1;
        return w;
    }

    KernelMoments moments(int lane) const
    {
        KernelMoments moment;
        for (int i = 0; i < 4; ++i) {
            moment.x[i] = m_x[i][lane] * (static_cast<float>(i - 1) - m_f[0][lane]);
            moment.y[i] = m_y[i][lane] * (static_cast<float>(i - 1) - m_f[1][lane]);
        }
        moment.z = (*this)[lane].z * (perNode(Four{-1, 0, 1, 2}) - m_f[2][lane]);
        return moment;
    }

private:
    using Nodes = float[4][batchSize];

    static void put(Batch f, Nodes& weights, Nodes& slopes)
    {
        Batch w[4], s[4];
        kernelWeights(f, w);
        kernelSlopes(f, s);
        for (int i = 0; i < 4; ++i) {
            storePair(weights[i], w[i]);
            storePair(slopes[i], s[i]);
        }
    }

    alignas(64) Nodes m_x, m_y, m_slopeX, m_slopeY;
    alignas(64) float m_f[3][batchSize];
};

}  // namespace firn
