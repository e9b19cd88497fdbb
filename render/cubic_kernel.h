#pragma once
// The cubic B-spline of density.h.

#include <algorithm>
#include <cmath>

namespace firn {

/// N(x) as (2 - |x|)+^3 / 6 - 4 (1 - |x|)+^3 / 6, which has no branches.
template <typename Real>
Real cubicKernel(Real x)
{
    x = std::abs(x);
    const Real outer = std::max(static_cast<Real>(2) - x, static_cast<Real>(0)),
               inner = std::max(static_cast<Real>(1) - x, static_cast<Real>(0));
    return (outer * outer * outer - 4 * inner * inner * inner) / 6;
}

}  // namespace firn
