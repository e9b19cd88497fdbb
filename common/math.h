#pragma once
// Small linear algebra outside hot loops: Eigen types under short names, rigid poses and boxes.

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace firn {

using Vec3d = Eigen::Vector3d;
using Vec3f = Eigen::Vector3f;
using Vec3i = Eigen::Vector3i;
using Mat3d = Eigen::Matrix3d;
using Mat3f = Eigen::Matrix3f;
using Quatd = Eigen::Quaterniond;
using Box3d = Eigen::AlignedBox3d;

constexpr double pi = 3.14159265358979323846;

/// A rigid placement: local point -> rotation * point + translation (metres).
struct Pose {
    Quatd rotation = Quatd::Identity();
    Vec3d translation = Vec3d::Zero();

    Vec3d toWorld(const Vec3d& local) const { return rotation * local + translation; }
    Vec3d toLocal(const Vec3d& world) const { return rotation.conjugate() * (world - translation); }
    Pose operator*(const Pose& child) const
    {
        return {(rotation * child.rotation).normalized(), toWorld(child.translation)};
    }
};

}  // namespace firn
