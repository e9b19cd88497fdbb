#include "render/camera.h"
#include "render/export/usd_parts.h"

namespace firn {
namespace {

constexpr double tenthsPerMillimetre = 0.01;  // USD measures focal length and aperture in tenths of a unit: of a metre

std::string transformOf(const PlacedCamera& camera)
{
    const Matrix4f to = camera.worldToCamera();
    const Vec3d right(to[0], to[1], to[2]), up(to[4], to[5], to[6]), forward(to[8], to[9], to[10]);
    return UsdText::matrix(right, up, -forward, camera.position());
}

}  // namespace

void addCamera(UsdText& usd, const Scene& scene, const std::vector<int>& frames)
{
    const Camera& camera = scene.camera;
    const int width = scene.render.width, height = scene.render.height;
    std::map<int, std::string> transform, focal, focus;
    for (const int frame : frames) {
        const double time_s = scene.timeOfFrame(frame);
        const CameraKey key = cameraAt(camera, time_s);
        transform[frame] = transformOf(PlacedCamera(camera, time_s, width, height));
        focal[frame] = UsdText::number(tenthsPerMillimetre * key.focal_length_mm);
        focus[frame] = UsdText::number(key.focus_distance_m);
    }
    const double aperture = tenthsPerMillimetre * camera.sensor_width_mm;
    usd.open("Camera", "camera");
    usd.line("float2 clippingRange = (0.01, 100000)");
    usd.attribute("float", "focalLength", focal);
    usd.line("float horizontalAperture = " + UsdText::number(aperture));
    usd.line("float verticalAperture = " + UsdText::number(aperture * height / width));
    usd.line("float horizontalApertureOffset = " + UsdText::number(aperture * camera.lens_shift_x));
    usd.line("float verticalApertureOffset = " + UsdText::number(aperture * camera.lens_shift_y));
    usd.line("float fStop = " + UsdText::number(camera.f_stop));
    usd.attribute("float", "focusDistance", focus);
    usd.attribute("matrix4d", "xformOp:transform", transform);
    usd.line("uniform token[] xformOpOrder = [\"xformOp:transform\"]");
    usd.close();
}

}  // namespace firn
