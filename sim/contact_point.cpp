#include "sim/contact_point.h"

#include <algorithm>
#include <cmath>

namespace firn {

namespace {

constexpr double recovery = 0.1;      // of a gap below zero in one step
constexpr double fastestRelease = 1;  // m/s

}  // namespace

double leastSpeed(double gap_m, bool isHeld, double dt_s)
{
    const double release = std::min(-recovery * gap_m / dt_s, fastestRelease);
    if (isHeld) return std::max(release, -fastestRelease);
    return gap_m > 0 ? -gap_m / dt_s : release;
}

Vec3f admissible(const ContactPoint& point, const Vec3f& J)
{
    if (point.sticks) return J;
    const float wanted = J.dot(point.normal), normal = std::max(wanted, -point.pull);
    if (normal <= 0 && point.pull <= 0) return Vec3f::Zero();
    const Vec3f tangential = J - wanted * point.normal;
    const float length = tangential.norm(), most = point.friction * (normal + point.pull);
    return normal * point.normal + (length > most ? Vec3f(tangential * (most / length)) : tangential);
}

Vec3f improved(const ContactPoint& point, const Vec3f& v)
{
    const float A = point.response;
    if (!(A > 0)) return Vec3f::Zero();
    const Vec3f u = v - point.body_velocity;
    const float normalSpeed = u.dot(point.normal), error = normalSpeed - point.least_speed;
    const Vec3f stopped = point.impulse - (u - normalSpeed * point.normal) / A;  // sideways
    const float pressing = point.impulse.dot(point.normal);
    return admissible(point, stopped - (error / A + point.softness * pressing) / (1 + point.softness) * point.normal);
}

bool bearsLoad(const ContactPoint& point) { return point.response > 0 && !point.impulse.isZero(0); }

Vec3f resistance(const ContactPoint& point, const Vec3f& u)
{
    if (point.sticks) return u / point.response;
    const float pressing = point.impulse.dot(point.normal);
    if (point.pull > 0 && pressing <= -0.999f * point.pull) return Vec3f::Zero();  // it comes off
    const Vec3f friction = point.impulse - pressing * point.normal, along = u.dot(point.normal) * point.normal;
    const bool slides = friction.norm() >= 0.999f * point.friction * (pressing + point.pull);
    const Vec3f held = along / (1 + point.softness);
    return (slides ? held : Vec3f(held + u - along)) / point.response;
}

}  // namespace firn
