#include <algorithm>
#include <cmath>

#include "render/export/usd_parts.h"
#include "render/light_color.h"
#include "render/light_frame.h"
#include "render/sun.h"

namespace firn {
namespace {

/// Intensity and colour, whose largest channel is 1.
void addColor(UsdText& usd, const Vec3d& value)
{
    const double most = value.maxCoeff();
    usd.line("color3f inputs:color = " + UsdText::tuple(most > 0 ? Vec3d(value / most) : Vec3d(Vec3d::Ones())));
    usd.line("float inputs:intensity = " + UsdText::number(most));
}

void addTransform(UsdText& usd, const std::map<int, std::string>& transform)
{
    usd.attribute("matrix4d", "xformOp:transform", transform);
    usd.line("uniform token[] xformOpOrder = [\"xformOp:transform\"]");
}

/// Lights of USD shine along their -z axis.
std::string towards(const Vec3f& direction, const Vec3f& right, const Vec3f& up, const Vec3f& place)
{
    return UsdText::matrix(right.cast<double>(), up.cast<double>(), -direction.cast<double>(), place.cast<double>());
}

void addSun(UsdText& usd, const Sun& sun, double diameter_deg)
{
    const LightSample sample = sun.sample(Vec3f::Zero(), Vec2f(0, 0));
    const Vec3f shine = -sun.direction(), right = shine.unitOrthogonal();
    usd.open("DistantLight", "sun");
    addColor(usd, (sample.irradiance * sample.scale).cast<double>());
    usd.line("bool inputs:normalize = 1");
    usd.line("float inputs:angle = " + UsdText::number(diameter_deg));
    addTransform(usd, {{0, towards(shine, right, right.cross(shine), Vec3f::Zero())}});
    usd.close();
}

/// Of all lights at infinity but suns, over the upper half of the directions.
Vec3d meanRadiance(const Lights& lights)
{
    constexpr int count = 4096;
    constexpr double goldenAngle = 2.399963229728653;
    Vec3d sum = Vec3d::Zero();
    for (int k = 0; k < count; ++k) {
        const double y = (k + 0.5) / count, r = std::sqrt(1 - y * y), angle = goldenAngle * k;
        Ray ray;
        ray.direction = Vec3d(r * std::cos(angle), y, r * std::sin(angle)).cast<float>();
        for (const auto& light : lights.all())
            if (light->isAtInfinity() && dynamic_cast<const Sun*>(light.get()) == nullptr)
                sum += light->radiance(ray, infinity).cast<double>();
    }
    return sum / count;
}

/// Radiance of a lamp whose colour is the irradiance at a distance of 1 m.
Vec3d radianceOf(const LightSpec& lamp, double radius_m)
{
    const double area = lamp.kind == LightKind::Rectangle ? lamp.width_m * lamp.height_m : pi * radius_m * radius_m;
    return lightColor(lamp) / area;
}

void addLamp(UsdText& usd, const LightSpec& lamp, const std::map<int, std::string>& transform)
{
    const double radius_m = std::max(lamp.radius_m, 1e-3);  // a point would have an infinite radiance
    const bool isSpot = lamp.kind == LightKind::Spot;
    usd.open(lamp.kind == LightKind::Rectangle ? "RectLight" : "SphereLight", lamp.name,
             isSpot ? "prepend apiSchemas = [\"ShapingAPI\"]" : "");
    addColor(usd, radianceOf(lamp, radius_m));
    if (lamp.kind == LightKind::Rectangle) {
        usd.line("float inputs:width = " + UsdText::number(lamp.width_m));
        usd.line("float inputs:height = " + UsdText::number(lamp.height_m));
    } else {
        usd.line("float inputs:radius = " + UsdText::number(radius_m));
    }
    if (isSpot) {
        usd.line("float inputs:shaping:cone:angle = " + UsdText::number(lamp.cone_deg / 2));
        usd.line("float inputs:shaping:cone:softness = " + UsdText::number(lamp.soft_edge));
    }
    addTransform(usd, transform);
    usd.close();
}

std::string placeOf(const LightRig::PlacedLamp& lamp)
{
    const Vec3f place = lamp.carrier.toWorld(lamp.spec.position).cast<float>();
    if (lamp.spec.kind == LightKind::Sphere)
        return UsdText::matrix(Vec3d::UnitX(), Vec3d::UnitY(), Vec3d::UnitZ(), place.cast<double>());
    const LightFrame frame = LightFrame::facing(place, lamp.carrier.toWorld(lamp.spec.look_at).cast<float>(),
                                                (lamp.carrier.rotation * Vec3d::UnitY()).cast<float>());
    return towards(frame.front, -frame.right, frame.up, place);  // seen along the light, x points to the right
}

}  // namespace

void addLights(UsdText& usd, const Scene& scene, const LightRig& rig, const std::vector<int>& frames)
{
    const Lights lights = rig.at(scene.timeOfFrame(frames.front()));
    const auto hasDisc = [](const LightSpec& of) {
        return of.kind == LightKind::Sun || of.kind == LightKind::Daylight;
    };
    const auto disc = std::ranges::find_if(scene.lights, hasDisc);
    usd.open("Scope", "lights");
    for (const auto& light : lights.all())
        if (const auto* const sun = dynamic_cast<const Sun*>(light.get()))
            addSun(usd, *sun,
                   disc == scene.lights.end() ? LightSpec().angular_diameter_deg : disc->angular_diameter_deg);
    if (const Vec3d sky = meanRadiance(lights); sky.maxCoeff() > 0) {
        usd.open("DomeLight", "sky");
        addColor(usd, sky);
        usd.close();
    }
    std::vector<std::map<int, std::string>> places(rig.lampsAt(0).size());
    for (const int frame : frames) {
        const auto lamps = rig.lampsAt(scene.timeOfFrame(frame));
        for (std::size_t i = 0; i < lamps.size(); ++i) places[i][frame] = placeOf(lamps[i]);
    }
    const auto lamps = rig.lampsAt(0);
    for (std::size_t i = 0; i < lamps.size(); ++i) addLamp(usd, lamps[i].spec, places[i]);
    usd.close();
}

}  // namespace firn
