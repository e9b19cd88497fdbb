#include "render/posed_boxes.h"

#include <algorithm>
#include <cmath>

#include "render/ray.h"

namespace firn {

namespace {

constexpr float farAway = 1e18f;  // its square is finite

}  // namespace

void PosedBoxes::add(const Pose& pose, const Box3d& box)
{
    const int lane = m_count++ % laneCount;
    if (lane == 0) {
        m_lanes.emplace_back();
        for (Floats& offset : m_lanes.back().offset) offset = floats(farAway);
    }
    Lanes& lanes = m_lanes.back();
    const Mat3d rotation = pose.rotation.conjugate().toRotationMatrix();
    const Vec3d offset = pose.toLocal(Vec3d::Zero()) - box.center(), half = 0.5 * box.sizes();
    for (std::size_t row = 0; row < 3; ++row) {
        const auto r = static_cast<Eigen::Index>(row);
        for (std::size_t column = 0; column < 3; ++column)
            lanes.rotation[row][column][lane] = static_cast<float>(rotation(r, static_cast<Eigen::Index>(column)));
        lanes.offset[row][lane] = static_cast<float>(offset[r]);
        lanes.half[row][lane] = static_cast<float>(half[r]);
    }
}

float PosedBoxes::distance(const Vec3f& point) const
{
    Floats least = floats(infinity);
    for (const Lanes& lanes : m_lanes) {
        Floats square{};
        for (std::size_t row = 0; row < 3; ++row) {
            const auto& axis = lanes.rotation[row];
            const Floats local = axis[0] * point.x() + axis[1] * point.y() + axis[2] * point.z() + lanes.offset[row];
            const Floats outside = larger(Floats{}, magnitude(local) - lanes.half[row]);
            square += outside * outside;
        }
        least = smaller(least, square);
    }
    float result = infinity;
    for (int lane = 0; lane < laneCount; ++lane) result = std::min(result, least[lane]);
    return std::sqrt(result);
}

}  // namespace firn
