#pragma once
// What a material model is. A model is a class template over V: double for one particle, Batch for the lanes of a
// batch. It holds the parameters of a region's matter and answers the questions below. Nothing outside the model knows
// its parameters or how it hardens. The models are listed in sim/material/materials.h.

#include <array>
#include <concepts>
#include <utility>

#include "common/scene/scene.h"
#include "sim/simd/symmetric3.h"

namespace firn {

/// What a particle of any model keeps. A model may use J_P as a history variable of its own; it starts at 1 and is
/// saved in checkpoints and frames. The other two are what their names say.
template <class V>
struct MaterialState {
    Mat3<V> F_E;       // elastic deformation gradient
    V J_P;             // det F_P of snow
    V modulus_factor;  // on the region's Young's modulus, from noise and crust; it never changes
    V fill;            // density at rest over closedPoreDensity; it never changes
    V strength;        // factor on the strain at which snow breaks, from noise and seams; it never changes
};

/// Where the pores of snow close and it becomes ice with bubbles, kg/m^3 (Cuffey & Paterson 2010, The Physics of
/// Glaciers, chapter 2).
constexpr double closedPoreDensity = 830;

/// What the semi-implicit step keeps of a particle: nine numbers whose meaning only the model knows.
template <class V>
using Tangent = std::array<V, 9>;

// clang-format off
template <class M, class V>
concept MaterialModel = requires(const M model, MaterialState<V> state, Mat3<V> A, V volume, V growth, Tangent<V> tangent,
                                 bool definite, SnowMaterial keys, bool plastic) {
    /// Psi, J/m^3.
    { model.energyDensity(state) } -> std::same_as<V>;
    /// Kirchhoff stress tau = P F_E^T, Pa.
    { model.kirchhoffStress(state) } -> std::same_as<Symmetric3<V>>;
    /// First Piola-Kirchhoff stress P = dPsi/dF_E, Pa; and its change with dF_E = A. Reference for the tests.
    { model.firstPiolaStress(state) } -> std::same_as<Mat3<V>>;
    { model.stressDifferential(state, A) } -> std::same_as<Mat3<V>>;
    /// What stressRate needs of a particle of this initial volume (m^3). `growth` is the share by which its volume is
    /// expected to change in the step; 0 gives the derivative of the stress. `definite` asks for an approximation that
    /// has no negative curvature.
    { model.tangent(state, volume, growth, definite) } -> std::same_as<Tangent<V>>;
    /// K(A) = V_0 dP(A F_E) F_E^T for a velocity gradient A; the same `definite` as the tangent's.
    { M::stressRate(tangent, A, definite) } -> std::same_as<Mat3<V>>;
    /// V_0 times the modulus between the gradient of one velocity component and the stress rate, averaged over the
    /// three axes. For the preconditioner, so the value for snow near rest is sufficient.
    { M::meanModulus(tangent) } -> std::same_as<V>;
    /// Plastic flow: changes the state.
    { model.plasticReturn(state) } -> std::same_as<void>;
    /// Whether a region's keys mean this model; and its parameters for these keys, in double.
    { M::describes(keys) } -> std::same_as<bool>;
    M::of(keys, plastic);
    /// rho_0 c^2 of the fastest pressure wave in this state, Pa.
    { model.waveModulus(state) } -> std::same_as<V>;
};
// clang-format on

/// Lane by lane: a where the mask is set, else b.
template <class Mask, class V>
Mat3<V> select(Mask mask, const Mat3<V>& a, const Mat3<V>& b)
{
    Mat3<V> result;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) result[i][j] = select(mask, a[i][j], b[i][j]);
    return result;
}
template <class Mask, class V>
Symmetric3<V> select(Mask mask, const Symmetric3<V>& a, const Symmetric3<V>& b)
{
    return {select(mask, a.xx, b.xx), select(mask, a.yy, b.yy), select(mask, a.zz, b.zz),
            select(mask, a.xy, b.xy), select(mask, a.xz, b.xz), select(mask, a.yz, b.yz)};
}
template <class Mask, class V>
Tangent<V> select(Mask mask, const Tangent<V>& a, const Tangent<V>& b)
{
    Tangent<V> result;
    for (std::size_t e = 0; e < result.size(); ++e) result[e] = select(mask, a[e], b[e]);
    return result;
}
template <class Mask, class V>
MaterialState<V> select(Mask mask, const MaterialState<V>& a, const MaterialState<V>& b)
{
    return {select(mask, a.F_E, b.F_E), select(mask, a.J_P, b.J_P), select(mask, a.modulus_factor, b.modulus_factor),
            select(mask, a.fill, b.fill), select(mask, a.strength, b.strength)};
}

template <class Mask, class A, class B>
std::pair<A, B> select(Mask mask, const std::pair<A, B>& a, const std::pair<A, B>& b)
{
    return {select(mask, a.first, b.first), select(mask, a.second, b.second)};
}

}  // namespace firn
