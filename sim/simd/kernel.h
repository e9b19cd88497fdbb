#pragma once
// Cubic B-spline N of Stomakhin et al. 2013, section 4, on the four nodes around a particle in one axis.
// With f in [0, 1) the particle's offset in its cell, the nodes are at cell - 1, cell, cell + 1, cell + 2.

namespace firn {

/// N(x_p - x_i) for the four nodes, in units of h. They sum to one. In floats too, and without a bias: 4 / 6 is rounded
/// up, so with the closed form of w[2], w would sum to 1 + 4e-8, and free flight with APIC would gain speed.
template <class T>
void kernelWeights(T f, T w[4])
{
    const T g = 1 - f, sixth = T(1) / 6, half = T(1) / 2;
    w[0] = g * g * g * sixth;
    w[1] = (half * f - 1) * (f * f) + 4 * sixth;
    w[3] = f * f * f * sixth;
    w[2] = 1 - w[0] - w[1] - w[3];
}

/// dN/dx_p for the four nodes, per h. They sum to zero.
template <class T>
void kernelSlopes(T f, T s[4])
{
    const T g = 1 - f, half = T(1) / 2;
    s[0] = -half * g * g;
    s[1] = (3 * half * f - 2) * f;
    s[2] = (2 - 3 * half * g) * g;
    s[3] = half * f * f;
}

}  // namespace firn
