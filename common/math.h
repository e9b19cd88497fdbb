#pragma once
// Small linear algebra outside hot loops: Eigen types under short names. Every source parses this header, so it holds
// no function bodies: each would instantiate Eigen's templates in every source.

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace firn {

using Vec3d = Eigen::Vector3d;
using Vec2f = Eigen::Vector2f;
using Vec3f = Eigen::Vector3f;
using Vec3i = Eigen::Vector3i;
using Mat3d = Eigen::Matrix3d;
using Mat3f = Eigen::Matrix3f;
using Quatd = Eigen::Quaterniond;
using Box3d = Eigen::AlignedBox3d;

constexpr double pi = 3.14159265358979323846;
constexpr auto pif = static_cast<float>(pi);

}  // namespace firn
