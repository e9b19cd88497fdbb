#pragma once
// Sampling of directions in proportion to a brightness that a table gives.

#include <vector>

#include "common/math.h"

namespace firn {

struct ChosenDirection {
    Vec3f direction = Vec3f::UnitY();
    float density = 0;  // per steradian
};

/// Cells of equal steps in latitude and longitude, as the pixels of a picture of all directions: row 0 is at +y, the
/// middle column at -z, and +x is to the right of it.
class DirectionTable {
public:
    DirectionTable() = default;
    /// `brightness` of each cell, at least 0, row by row. Cells of brightness 0 are never chosen.
    DirectionTable(int width, int height, std::vector<float> brightness);

    /// Whether all cells are dark. The other members may not be called then.
    bool isDark() const { return m_rowCdf.empty(); }

    /// A direction from two uniform numbers in [0, 1).
    ChosenDirection sample(float u, float v) const;

    /// With which sample() chooses a direction, per steradian.
    float density(const Vec3f& direction) const;

    /// Mean of the chosen directions. Its length is 1 if they are all the same.
    Vec3f mean() const;

private:
    std::size_t cellOf(int row, int column) const
    {
        return static_cast<std::size_t>(row) * static_cast<std::size_t>(m_width) + static_cast<std::size_t>(column);
    }

    int m_width = 0, m_height = 0;
    std::vector<float> m_density;    // per steradian, of each cell
    std::vector<double> m_rowCdf;    // m_height + 1 values from 0 to 1
    std::vector<float> m_columnCdf;  // in each row, m_width values up to 1
};

/// Position of a direction in a picture of all directions, from 0 to 1 to the right and downwards.
Eigen::Vector2f placeInPicture(const Vec3f& direction);

}  // namespace firn
