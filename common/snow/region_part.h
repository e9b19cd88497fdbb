#pragma once
// The part of its shape that a region fills: the top of it, what a mask shows, and patches of noise. Where a part ends
// softly, single places are in or out at random, so that two kinds of snow mix there.

#include <optional>
#include <vector>

#include "common/image/gray_picture.h"
#include "common/math.h"
#include "common/scene/scene.h"

namespace firn {

/// Whether a region fills less than its shape.
bool isPart(const SnowRegion& region);

class RegionPart {
public:
    /// Reads the mask. Throws Error: File if it cannot be read; Usage if its aspect is not that of the region, or if
    /// no part of the region is in it.
    explicit RegionPart(const SnowRegion& spec);

    /// Whether there is snow at a point of the region's shape. The answer depends on the exact bits of `x`, m.
    bool contains(const Vec3d& x, double depth_m) const;

    /// The share of the places near a point that have snow, from 0 to 1.
    double share(const Vec3d& x) const;

private:
    double maskAt(const Vec3d& x) const;
    double patchesAt(const Vec3d& x) const;
    double noiseAt(const Vec3d& x) const;

    const SnowRegion& m_spec;
    std::optional<GrayPicture> m_mask;  // of shares
    double m_border = 0;                // value of the noise at the border of the patches
    double m_blur = 0;                  // half of the range of values in which kinds of snow mix
};

}  // namespace firn
