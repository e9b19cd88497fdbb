#include "render/lens.h"

#include <cmath>
#include <numbers>

namespace firn {
namespace {

/// An even point of the unit disc: squares around the middle become circles (Shirley and Chiu 1997).
Eigen::Vector2d inDisc(const Vec2f& u)
{
    const Eigen::Vector2d square = 2 * u.cast<double>() - Eigen::Vector2d::Ones();
    if (square.isZero(0)) return Eigen::Vector2d::Zero();
    const bool isWide = std::abs(square.x()) > std::abs(square.y());
    const double radius = isWide ? square.x() : square.y();
    const double eighth = 0.25 * std::numbers::pi * (isWide ? square.y() / square.x() : square.x() / square.y());
    const double angle = isWide ? eighth : 0.5 * std::numbers::pi - eighth;
    return radius * Eigen::Vector2d(std::cos(angle), std::sin(angle));
}

/// An even point of the regular polygon whose corners lie on the unit circle, with one of them at the top: a point of
/// one of the triangles between the middle and an edge.
Eigen::Vector2d inPolygon(const Vec2f& u, int corners, double rotation)
{
    const double scaled = static_cast<double>(u.x()) * corners, edge = std::floor(scaled);
    const auto corner = [&](double number) {
        const double angle = rotation + (0.25 + number / corners) * 2 * std::numbers::pi;
        return Eigen::Vector2d(std::cos(angle), std::sin(angle));
    };
    const double outwards = std::sqrt(scaled - edge), along = static_cast<double>(u.y());
    return outwards * ((1 - along) * corner(edge) + along * corner(edge + 1));
}

}  // namespace

Lens Lens::of(const Camera& camera, const CameraKey& at, double focus_m)
{
    Lens lens;
    if (camera.f_stop > 0) lens.radius_m = 0.5e-3 * at.focal_length_mm / camera.f_stop;
    lens.focus_m = at.focus_distance_m > 0 ? at.focus_distance_m : focus_m;
    lens.blades = camera.blades;
    lens.rotation = camera.blade_rotation_deg * std::numbers::pi / 180;
    return lens;
}

Eigen::Vector2d Lens::point(const Vec2f& u) const
{
    return radius_m * (blades > 0 ? inPolygon(u, blades, rotation) : inDisc(u));
}

double Lens::blurAt(double distance_m) const { return 2 * radius_m * std::abs(1 - distance_m / focus_m); }

}  // namespace firn
