#include "render/camera.h"

#include <algorithm>
#include <cmath>

#include "common/error.h"
#include "common/level_right.h"

namespace firn {

namespace {

/// A key's camera as one vector, so that position, target, focal length, focus and roll share one interpolation.
using KeyVector = Eigen::Matrix<double, 9, 1>;

KeyVector toVector(const CameraKey& key)
{
    KeyVector result;
    const double toTarget_m = (key.look_at - key.position).norm();
    result << key.position, key.look_at, key.focal_length_mm,
        key.focus_distance_m > 0 ? key.focus_distance_m : toTarget_m, key.roll_deg;
    return result;
}

/// Slope at key i: through its neighbours, one-sided at the ends.
KeyVector slopeAt(const std::vector<CameraKey>& keys, std::size_t i)
{
    const CameraKey& before = keys[i == 0 ? 0 : i - 1];
    const CameraKey& after = keys[std::min(i + 1, keys.size() - 1)];
    return (toVector(after) - toVector(before)) / (after.time_s - before.time_s);
}

KeyVector hermite(const KeyVector& p0, const KeyVector& p1, const KeyVector& slope0, const KeyVector& slope1, double u)
{
    const double u2 = u * u, u3 = u2 * u;
    return (2 * u3 - 3 * u2 + 1) * p0 + (u3 - 2 * u2 + u) * slope0 + (3 * u2 - 2 * u3) * p1 + (u3 - u2) * slope1;
}

Matrix4f rowsOf(const Eigen::Matrix4d& matrix)
{
    Matrix4f rows{};
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i] = static_cast<float>(matrix(static_cast<Eigen::Index>(i / 4), static_cast<Eigen::Index>(i % 4)));
    return rows;
}

}  // namespace

CameraKey cameraAt(const Camera& camera, double time_s)
{
    if (camera.played) {
        CameraKey key = camera.played(time_s);
        if (camera.focus_distance_m > 0) key.focus_distance_m = camera.focus_distance_m;
        return key;
    }
    if (camera.keys.empty())
        return {time_s,         camera.position, camera.look_at, camera.focal_length_mm, camera.focus_distance_m,
                camera.roll_deg};
    const std::vector<CameraKey>& keys = camera.keys;
    if (time_s <= keys.front().time_s) return keys.front();
    if (time_s >= keys.back().time_s) return keys.back();
    const auto later = std::upper_bound(keys.begin(), keys.end(), time_s,
                                        [](double time, const CameraKey& key) { return time < key.time_s; });
    const std::size_t i = static_cast<std::size_t>(later - keys.begin()) - 1;
    const double span = keys[i + 1].time_s - keys[i].time_s;
    const KeyVector state = hermite(toVector(keys[i]), toVector(keys[i + 1]), span * slopeAt(keys, i),
                                    span * slopeAt(keys, i + 1), (time_s - keys[i].time_s) / span);
    const bool hasFocus = std::ranges::any_of(keys, [](const CameraKey& key) { return key.focus_distance_m > 0; });
    return {time_s,
            state.head<3>(),
            state.segment<3>(3),
            std::max(state[6], 1e-3),
            hasFocus ? std::max(state[7], 1e-3 * state[6]) : 0,
            state[8]};
}

PlacedCamera::PlacedCamera(const Camera& camera, double time_s, int width, int height)
{
    const CameraKey key = cameraAt(camera, time_s);
    const Vec3d view = key.look_at - key.position;
    if (!(view.norm() > 1e-9))
        throw Error(ExitCode::Usage, "camera: position and look_at are the same point; the camera needs a direction");
    m_position = key.position;
    m_forward = view.normalized();
    m_right = levelRight(m_forward);
    m_up = m_right.cross(m_forward);
    if (key.roll_deg != 0) roll(key.roll_deg * pi / 180);
    m_width = width;
    m_height = height;
    m_middle = {m_width * (0.5 - camera.lens_shift_x), 0.5 * m_height + m_width * camera.lens_shift_y};
    m_pixel = camera.sensor_width_mm / key.focal_length_mm / width;
    m_lens = Lens::of(camera, key, view.norm());
}

void PlacedCamera::roll(double angle_rad)
{
    const Vec3d right = m_right;
    m_right = std::cos(angle_rad) * right - std::sin(angle_rad) * m_up;
    m_up = std::cos(angle_rad) * m_up + std::sin(angle_rad) * right;
}

Ray PlacedCamera::ray(float x, float y) const
{
    return {m_position.cast<float>(), towards(x, y).normalized().cast<float>()};
}

Ray PlacedCamera::ray(float x, float y, const Sampler& sampler) const
{
    if (m_lens.isPinhole()) return ray(x, y);
    const Eigen::Vector2d point = m_lens.point(sampler.stratified(Sampler::Event::Lens));
    const Vec3d onLens = point.x() * m_right + point.y() * m_up;
    const Vec3d inFocus = m_lens.focus_m * towards(x, y);
    return {(m_position + onLens).cast<float>(), (inFocus - onLens).normalized().cast<float>()};
}

/// From the camera to the plane at distance 1 along the view axis.
Vec3d PlacedCamera::towards(float x, float y) const
{
    const double right = (static_cast<double>(x) - m_middle.x()) * m_pixel;
    const double up = (m_middle.y() - static_cast<double>(y)) * m_pixel;
    return m_forward + right * m_right + up * m_up;
}

Vec3d PlacedCamera::project(const Vec3d& world) const
{
    const Vec3d offset = world - m_position;
    const double depth = offset.dot(m_forward);
    return {m_middle.x() + offset.dot(m_right) / (depth * m_pixel), m_middle.y() - offset.dot(m_up) / (depth * m_pixel),
            depth};
}

double PlacedCamera::detailOf(const Vec3d& world, double radius) const
{
    constexpr double shareOfBlur = 0.25;
    const double depth = (world - m_position).dot(m_forward);
    const double blur = m_lens.blurAt(std::clamp(m_lens.focus_m, depth - radius, depth + radius));
    return std::max(pixelAt(std::max(distanceTo(world) - radius, 0.1 * radius)), shareOfBlur * blur);
}

bool PlacedCamera::mayShow(const Vec3d& world, double radius) const
{
    const Vec3d offset = world - m_position;
    const double depth = offset.dot(m_forward);
    const double blur = 0.5 * std::max(m_lens.blurAt(depth - radius), m_lens.blurAt(depth + radius));
    /// Whether it is on the inner side of the picture's edge that is so many pixels away from the view axis.
    const auto isInside = [&](double across, double pixels) {
        const double slope = pixels * m_pixel;
        return across - slope * depth <= radius * std::sqrt(1 + slope * slope) + blur;
    };
    const double right = offset.dot(m_right), up = offset.dot(m_up);
    return depth > -radius && isInside(right, m_width - m_middle.x()) && isInside(-right, m_middle.x()) &&
           isInside(up, m_middle.y()) && isInside(-up, m_height - m_middle.y());
}

Eigen::Matrix4d PlacedCamera::toCamera() const
{
    Eigen::Matrix4d matrix = Eigen::Matrix4d::Identity();
    const Vec3d axes[3] = {m_right, m_up, m_forward};
    for (int row = 0; row < 3; ++row) matrix.row(row) << axes[row].transpose(), -axes[row].dot(m_position);
    return matrix;
}

Matrix4f PlacedCamera::worldToCamera() const { return rowsOf(toCamera()); }

Matrix4f PlacedCamera::worldToNdc() const
{
    const double perWidth = 1 / (m_pixel * m_width), perHeight = 1 / (m_pixel * m_height);
    Eigen::Matrix4d toNdc;
    toNdc << perWidth, 0, m_middle.x() / m_width, 0,  //
        0, -perHeight, m_middle.y() / m_height, 0,    //
        0, 0, 1, -1,                                  //
        0, 0, 1, 0;
    return rowsOf(toNdc * toCamera());
}

MovingCamera::MovingCamera(const PlacedCamera& camera)
    : m_width(static_cast<int>(camera.width())),
      m_height(static_cast<int>(camera.height())),
      m_middle(camera),
      m_moves(false)
{
}

MovingCamera::MovingCamera(const Camera& camera, const Shutter& shutter, int width, int height)
    : m_spec(camera),
      m_shutter(shutter),
      m_width(width),
      m_height(height),
      m_middle(camera, shutter.middle_s(), width, height),
      m_moves(!shutter.isInstant() && (camera.keys.size() > 1 || camera.played))
{
}

PlacedCamera MovingCamera::at(float position) const
{
    if (!m_moves) return m_middle;
    return {m_spec, m_shutter.time_s(position), m_width, m_height};
}

Vec2f sampleTent(Vec2f u, float radius_px)
{
    // Inverse of the tent's cumulative distribution on [-1, 1].
    const auto tent = [](float v) { return v < 0.5f ? std::sqrt(2 * v) - 1 : 1 - std::sqrt(2 - 2 * v); };
    return radius_px * Vec2f(tent(u.x()), tent(u.y()));
}

}  // namespace firn
