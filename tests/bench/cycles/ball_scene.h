#pragma once
// The scene that Firn and Cycles both render: a lumpy ball of snow with gaps, lit by a sun and a constant sky. The
// camera sees neither the sun's disc nor anything but the ball and the sky. Lengths in metres, y up.

#include <openvdb/openvdb.h>
#include <nlohmann/json.hpp>

#include "common/snow/noise.h"
#include "render/camera.h"
#include "render/density_volume.h"
#include "render/lights.h"
#include "render/sun.h"
#include "tests/render/noise_volume.h"

namespace firn::bench {

struct BallScene {
    double radius_m = 0.1;
    double voxel_m = 0.1 / 32;
    double extinction_per_m = 1000;  // where there are neither lumps nor gaps
    float g = 0.5f;
    int picture_px = 128;  // width and height
    Vec3d eye = Vec3d(0.05, 0.12, 0.5);
    double focal_length_mm = 78;
    double sun_irradiance = 3;
    double sun_elevation_deg = 35;
    double sun_azimuth_deg = 75;
    double sun_diameter_deg = 0.53;
    double sky_radiance = 0.3;
};

/// Extinction (1/m) at a point: lumps of 1 and 2 cm, gaps of 3 cm, an outline with bumps of 4 cm.
inline double extinctionAt(const BallScene& scene, const Vec3d& point)
{
    const auto noise = [&](int seed, double size_m) { return gradientNoise(seed, point / size_m); };
    const bool outside = point.norm() + 0.1 * scene.radius_m * noise(1, 0.04) > 0.95 * scene.radius_m;
    if (outside || noise(2, 0.03) < -0.3) return 0;
    return scene.extinction_per_m * std::max(0.0, 1 + 0.8 * noise(3, 0.02) + 0.4 * noise(4, 0.01));
}

/// The density is the extinction (1/m). The outermost voxels are empty.
inline DensityGrid densityOf(const BallScene& scene)
{
    const Vec3i reach = Vec3i::Constant(static_cast<int>(scene.radius_m / scene.voxel_m) + 2);
    return test::densityInBox(-reach, reach, scene.voxel_m, [&](const Vec3i& voxel) {
        return static_cast<float>(extinctionAt(scene, voxel.cast<double>() * scene.voxel_m));
    });
}

/// As a grid named "density", in metres.
inline openvdb::FloatGrid::Ptr vdbOf(const DensityGrid& density)
{
    openvdb::FloatGrid::Ptr grid = openvdb::FloatGrid::create(0);
    grid->setName("density");
    grid->setTransform(openvdb::math::Transform::createLinearTransform(density.voxel_m));
    constexpr int edge = DensityGrid::leafEdge;
    for (std::size_t n = 0; n < density.keys.size(); ++n) {
        const Vec3i corner = edge * leafOfKey(density.keys[n]);
        for (int i = 0; i < edge * edge * edge; ++i) {
            const float value = density.leaves[n][static_cast<std::size_t>(i)];
            const Vec3i at = corner + Vec3i(i / (edge * edge), i / edge % edge, i % edge);
            if (value > 0) grid->tree().setValue({at.x(), at.y(), at.z()}, value);
        }
    }
    return grid;
}

inline Lights lightsOf(const BallScene& scene)
{
    LightSpec sun, sky;
    sun.strength = scene.sun_irradiance;
    sun.elevation_deg = scene.sun_elevation_deg;
    sun.azimuth_deg = scene.sun_azimuth_deg;
    sun.angular_diameter_deg = scene.sun_diameter_deg;
    sky.kind = LightKind::Constant;
    sky.strength = scene.sky_radiance;
    return Lights(std::vector{sun, sky});
}

inline Camera cameraOf(const BallScene& scene)
{
    Camera camera;
    camera.position = scene.eye;
    camera.look_at = Vec3d::Zero();
    camera.focal_length_mm = scene.focal_length_mm;
    return camera;
}

/// What another renderer has to know, beside the grid and the albedo.
inline nlohmann::json describe(const BallScene& scene)
{
    const Camera camera = cameraOf(scene);
    Matrix4f view = PlacedCamera(camera, 0, scene.picture_px, scene.picture_px).worldToCamera();
    for (std::size_t i = 8; i < 12; ++i) view[i] = -view[i];  // Blender's camera looks along -z
    const Vec3f sun = lightDirection(scene.sun_elevation_deg, scene.sun_azimuth_deg);
    const Volume volume = volumeFromDensity(densityOf(scene), 1);
    const double ballVolume = 4. / 3 * pi * std::pow(scene.radius_m, 3);
    return {{"picture_px", scene.picture_px},
            {"world_to_camera", view},
            {"focal_length_mm", camera.focal_length_mm},
            {"sensor_width_mm", camera.sensor_width_mm},
            {"g", scene.g},
            {"voxel_m", scene.voxel_m},
            {"optical_radius", volume.extinctionIntegral() / ballVolume * scene.radius_m},
            {"sun_irradiance", scene.sun_irradiance},
            {"sun_diameter_deg", scene.sun_diameter_deg},
            {"toward_sun", std::vector<float>(sun.begin(), sun.end())},
            {"sky_radiance", scene.sky_radiance}};
}

}  // namespace firn::bench
