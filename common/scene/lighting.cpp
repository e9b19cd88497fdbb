#include "common/scene/lighting.h"

#include <cmath>

#include "common/scene/sun_position.h"

namespace firn {

namespace {

/// Strengths are such that level clean snow has a radiance of about 0.4, and faces that are turned to the light twice
/// that.
class Rig {
public:
    explicit Rig(const Camera& camera)
        : m_target(camera.keys.empty() ? camera.look_at : camera.keys.front().look_at),
          m_view(m_target - (camera.keys.empty() ? camera.position : camera.keys.front().position)),
          m_azimuth_deg(std::atan2(m_view.x(), m_view.z()) * 180 / pi)
    {
    }

    /// Clear sky. An azimuth of 0 is beyond the target, 90 to the left of the camera.
    LightSpec daylight(double elevation_deg, double azimuth_deg, double exposure) const
    {
        LightSpec light = atInfinity("day", LightKind::Daylight, {elevation_deg, azimuth_deg});
        light.ground_albedo = 0.8;
        light.exposure = exposure;
        return light;
    }

    /// A sun behind clouds: a wide disk.
    LightSpec cloudedSun(double elevation_deg, double azimuth_deg, double irradiance) const
    {
        LightSpec light = atInfinity("sun", LightKind::Sun, {elevation_deg, azimuth_deg});
        light.angular_diameter_deg = 50;
        light.strength = irradiance;
        light.visible = false;
        return light;
    }

    /// A lamp at a distance from the target, over that of the camera. `irradiance`: on a face at the target that is
    /// turned to the lamp.
    LightSpec lamp(const char* name, LightKind kind, double elevation_deg, double azimuth_deg, double distance,
                   double irradiance) const
    {
        const double away_m = distance * m_view.norm();
        LightSpec light = named(name, kind);
        light.look_at = m_target;
        light.position = m_target + away_m * directionOf({elevation_deg, m_azimuth_deg + azimuth_deg});
        light.strength = irradiance * away_m * away_m;
        light.visible = false;
        return light;
    }

    double size_m() const { return m_view.norm(); }

    static LightSpec named(const char* name, LightKind kind)
    {
        LightSpec light;
        light.name = name;
        light.kind = kind;
        return light;
    }

private:
    LightSpec atInfinity(const char* name, LightKind kind, const SunAngles& fromView) const
    {
        LightSpec light = named(name, kind);
        light.elevation_deg = fromView.elevation_deg;
        light.azimuth_deg = std::remainder(m_azimuth_deg + fromView.azimuth_deg, 360.0);
        return light;
    }

    Vec3d m_target, m_view;
    double m_azimuth_deg;
};

std::vector<LightSpec> overcast(const Rig& rig)
{
    // The CIE's overcast sky has a horizon of a third of the zenith's luminance.
    LightSpec sky = Rig::named("sky", LightKind::Sky);
    sky.color = Vec3d(0.92, 0.96, 1);
    sky.horizon_color = Vec3d(0.32, 0.335, 0.35);
    sky.strength = 0.34;
    return {rig.cloudedSun(28, 70, 1.5), sky};
}

std::vector<LightSpec> duskLamps(const Rig& rig)
{
    LightSpec first = rig.lamp("lamp", LightKind::Spot, 30, 60, 1.5, 1.0),
              second = rig.lamp("far-lamp", LightKind::Spot, 25, -100, 2.5, 0.1);
    for (LightSpec* lamp : {&first, &second}) {
        lamp->radius_m = 0.04 * rig.size_m();
        lamp->cone_deg = 110;
        lamp->soft_edge = 0.6;
        lamp->temperature_K = 3600;
    }
    return {rig.daylight(-4, 40, 6.6), first, second};
}

std::vector<LightSpec> studio(const Rig& rig)
{
    LightSpec room = Rig::named("room", LightKind::Constant);
    room.strength = 0.08;
    room.visible = false;
    LightSpec key = rig.lamp("key", LightKind::Rectangle, 28, 80, 1.2, 2.3),
              rim = rig.lamp("rim", LightKind::Rectangle, 20, -40, 1.4, 0.75),
              fill = rig.lamp("fill", LightKind::Rectangle, 40, -130, 1.6, 0.3);
    key.width_m = key.height_m = 0.5 * rig.size_m();
    rim.width_m = 0.9 * rig.size_m();
    rim.height_m = 0.25 * rig.size_m();
    fill.width_m = fill.height_m = rig.size_m();
    return {room, key, rim, fill};
}

}  // namespace

std::vector<std::string_view> lightingNames() { return {"scene", "low-sun", "overcast", "dusk-lamps", "studio"}; }

std::vector<LightSpec> readyLights(const std::string& lighting, const Camera& camera)
{
    const Rig rig(camera);
    if (lighting == "overcast") return overcast(rig);
    if (lighting == "dusk-lamps") return duskLamps(rig);
    if (lighting == "studio") return studio(rig);
    return {rig.daylight(14, 65, 0.6)};
}

}  // namespace firn
