#include "render/volume.h"

#include <cmath>
#include <utility>

namespace firn {

Volume Volume::homogeneous(const Vec3f& min, const Vec3f& max, float sigma_t)
{
    Volume volume;
    volume.m_constant = sigma_t;
    volume.m_min = min;
    volume.m_max = max;
    return volume;
}

Volume::Volume(Bricks extinction, const Vec3d& origin, double voxelSize_m)
    : m_bricks(std::move(extinction)),
      m_origin(origin.cast<float>()),
      m_voxelSize(static_cast<float>(voxelSize_m)),
      m_inverseVoxelSize(static_cast<float>(1 / voxelSize_m)),
      m_min(m_bricks.cell_min.cast<float>()),
      m_max(m_bricks.cell_max.cast<float>())
{
}

float Volume::extinction(const Vec3f& world) const
{
    const Vec3f p = toIndex(world);
    if (!isHomogeneous()) return m_bricks.at(p) * m_inverseVoxelSize;
    const bool inside = (p.array() >= m_min.array()).all() && (p.array() <= m_max.array()).all();
    return inside ? m_constant * m_inverseVoxelSize : 0;
}

Vec3f Volume::gradient(const Vec3f& world) const
{
    const float h = m_voxelSize;
    Vec3f result;
    for (int axis = 0; axis < 3; ++axis) {
        const Vec3f step = h * Vec3f::Unit(axis);
        result[axis] = (extinction(world + step) - extinction(world - step)) / (2 * h);
    }
    return result;
}

double Volume::extinctionIntegral() const
{
    const double area = double{m_voxelSize} * m_voxelSize;
    if (isHomogeneous()) return m_constant * (m_max - m_min).cast<double>().prod() * area;
    // A trilinear field integrates to the sum of its values, each weighted with its share of the brick's cells.
    const auto share = [](int i) { return i == 0 || i == Bricks::cells ? 0.5 : 1.0; };
    double sum = 0;
    for (std::size_t b = 0; b < m_bricks.bricks.size(); ++b) {
        const Bricks::Values& brick = m_bricks.bricks[b];
        const double cell = std::ldexp(1.0, 3 * m_bricks.levels[b]);
        for (int i = 0; i < static_cast<int>(brick.size()); ++i) {
            constexpr int n = Bricks::values;
            sum += brick[i] * cell * share(i / (n * n)) * share(i / n % n) * share(i % n);
        }
    }
    return sum * area;
}

}  // namespace firn
