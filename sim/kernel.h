#pragma once
// Cubic B-spline N of Stomakhin et al. 2013, section 4, on the four nodes around a particle in one axis.
// With f in [0, 1) the particle's offset in its cell, the nodes are at cell - 1, cell, cell + 1, cell + 2.

namespace firn {

/// N(x_p - x_i) for the four nodes, in units of h. They sum to one.
template <class T>
void kernelWeights(T f, T w[4])
{
    const T g = 1 - f;
    w[0] = g * g * g / 6;
    w[1] = T(2) / 3 - f * f + f * f * f / 2;
    w[2] = T(2) / 3 - g * g + g * g * g / 2;
    w[3] = f * f * f / 6;
}

/// dN/dx_p for the four nodes, per h. They sum to zero.
template <class T>
void kernelSlopes(T f, T s[4])
{
    const T g = 1 - f;
    s[0] = -g * g / 2;
    s[1] = -2 * f + T(1.5) * f * f;
    s[2] = 2 * g - T(1.5) * g * g;
    s[3] = f * f / 2;
}

}  // namespace firn
