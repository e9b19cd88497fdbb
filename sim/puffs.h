#pragma once
// Puffs of powder, and how close ones become one.

#include <cstdint>
#include <vector>

#include "common/math.h"

namespace firn {

/// A round parcel of air with grains in it.
struct Puff {
    Vec3d position_m = Vec3d::Zero();
    Vec3d velocity_m_s = Vec3d::Zero();  // relative to the wind
    double radius_m = 0;
    double mass_kg = 0;  // of its grains
    std::uint32_t id = 0;
    std::uint32_t region = 0;
};

/// Whether a place in cells is within what keys of cells can hold.
bool hasCellKey(const Vec3d& cell);

/// Makes one puff of those of a region and of about one size that share a cell. The cell's edge is half the size, times
/// 2 to the power of `coarser`; sizes are h times powers of 2. Mass, centre of mass and momentum stay as they are, and
/// so does the spread around the centre. The result is sorted and does not depend on the order of `puffs`. Their places
/// must have keys (hasCellKey) in cells of h / 2.
std::vector<Puff> mergedPuffs(const std::vector<Puff>& puffs, double h, int coarser);

}  // namespace firn
