#pragma once
// A camera with a thin lens: from scene keys to rays. Pixels are square; (0, 0) is the upper left corner of the
// picture, (width, height) the lower right one, and the field of view is that of the sensor's width.

#include "common/image/image.h"
#include "common/scene/scene.h"
#include "render/lens.h"
#include "render/ray.h"
#include "render/sampler.h"
#include "render/shutter.h"

namespace firn {

/// Where the camera is at a time. Between keys the camera follows cubic Hermite curves with slopes from the
/// neighbouring keys (non-uniform Catmull-Rom), so moves have no kinks. It rests before the first key and after the
/// last.
CameraKey cameraAt(const Camera& camera, double time_s);

class PlacedCamera {
public:
    /// Picture size in pixels. Throws Error(Usage) when the camera looks at its own position.
    PlacedCamera(const Camera& camera, double time_s, int width, int height);

    /// The ray through a point of the picture and the middle of the lens.
    Ray ray(float x, float y) const;
    /// The same through the sample's point of the lens.
    Ray ray(float x, float y, const Sampler& sampler) const;

    /// Where a world point appears in the picture, and its distance along the view axis (m, negative behind).
    Vec3d project(const Vec3d& world) const;

    float width() const { return static_cast<float>(m_width); }  // of the picture, pixels
    float height() const { return static_cast<float>(m_height); }

    const Vec3d& position() const { return m_position; }
    double distanceTo(const Vec3d& world) const { return (world - m_position).norm(); }
    /// Edge of a pixel at a distance (m), m.
    double pixelAt(double distance_m) const { return distance_m * m_pixel; }
    /// Size (m) of the smallest detail that the picture shows of what is within `radius` (m) of a world point.
    double detailOf(const Vec3d& world, double radius) const;
    const Lens& lens() const { return m_lens; }
    /// False if no point within `radius` (m) of a world point appears in the picture.
    bool mayShow(const Vec3d& world, double radius) const;

    /// Unit vector along the view axis.
    const Vec3d& axis() const { return m_forward; }

    /// World to camera space as OpenEXR has it: x right, y up, z along the view axis; left-handed.
    Matrix4f worldToCamera() const;
    /// World to the picture: x / w is 0 at its left edge and 1 at its right one, y / w is 0 at its top and 1 at its
    /// bottom, z / w is 0 at 1 m along the view axis and 1 at infinity.
    Matrix4f worldToNdc() const;

private:
    void roll(double angle_rad);
    Vec3d towards(float x, float y) const;
    Eigen::Matrix4d toCamera() const;

    Vec3d m_position;
    Vec3d m_right, m_up, m_forward;
    Lens m_lens;
    double m_pixel = 0;  // edge of a pixel at unit distance
    double m_width = 0, m_height = 0;
    Eigen::Vector2d m_middle;  // where the view axis meets the picture, pixels
};

/// The camera while the shutter is open.
class MovingCamera {
public:
    /// A camera that rests.
    explicit MovingCamera(const PlacedCamera& camera);
    /// Picture size in pixels. Throws as PlacedCamera() does, here or in at().
    MovingCamera(const Camera& camera, const Shutter& shutter, int width, int height);

    /// At a position in the shutter's interval, from 0 to 1.
    PlacedCamera at(float position) const;

private:
    Camera m_spec;
    Shutter m_shutter;
    int m_width, m_height;
    PlacedCamera m_middle;
    bool m_moves;
};

/// Offset of a sample from its pixel's centre, in pixels, distributed as a tent filter of the given radius. Samples
/// drawn so have equal weights, and each belongs to one pixel.
Vec2f sampleTent(Vec2f u, float radius_px);

}  // namespace firn
