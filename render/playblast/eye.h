#pragma once
// Two ways to see: through the scene's camera, and along the sun's light.

#include "render/camera.h"
#include "render/playblast/depth_picture.h"

namespace firn {

/// The pinhole at the middle of the camera's lens. Nearness is 1 / depth (1/m).
class PinholeEye {
public:
    static constexpr float nearest_m = 0.02f;  // nothing nearer is drawn

    explicit PinholeEye(const PlacedCamera& camera);

    /// Pixels times depth, and depth (m): all three are linear in the point.
    Vec3f toPicture(const Vec3f& point_m) const { return m_toPicture * (point_m - m_position); }
    /// `picture`: of toPicture(); the depth is positive.
    static DrawnPoint drawn(const Vec3f& picture)
    {
        return {picture.x() / picture.z(), picture.y() / picture.z(), 1 / picture.z()};
    }
    /// From the eye to the point at depth 1 m that a place in the picture shows.
    Vec3f direction(float x, float y) const { return m_toWorld * Vec3f(x, y, 1); }
    Vec3f point(float x, float y, float nearness) const { return m_position + direction(x, y) / nearness; }

    const Vec3f& position() const { return m_position; }
    /// Pixels per metre at a depth of 1 m.
    float scale() const { return m_scale; }

private:
    Vec3f m_position;
    Mat3f m_toWorld, m_toPicture;
    float m_scale;
};

/// Parallel light onto a square of `size` pixels that holds a ball. Nearness is 1 + the way towards the light (m),
/// counted from the ball's far side.
class SunEye {
public:
    /// `direction`: towards the light, unit length.
    SunEye(const Vec3f& direction, const Vec3f& middle_m, float radius_m, int size);

    DrawnPoint drawn(const Vec3f& point_m) const;
    float pixelsPerMetre() const { return m_scale; }

private:
    Mat3f m_axes;  // rows: right, down, towards the light
    Vec3f m_middle;
    float m_radius, m_scale, m_half;
};

}  // namespace firn
