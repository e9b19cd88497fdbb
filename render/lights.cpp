#include "render/lights.h"

#include <algorithm>
#include <utility>

#include "common/body/body.h"
#include "common/error.h"
#include "common/image/exr.h"
#include "common/scene/sun_position.h"
#include "render/light_color.h"
#include "render/mapped_sky.h"
#include "render/rectangle_light.h"
#include "render/sky.h"
#include "render/sky/daylight_map.h"
#include "render/sphere_light.h"
#include "render/spot_light.h"
#include "render/sun.h"

namespace firn {

namespace {

bool isGradient(const LightSpec& spec) { return spec.kind == LightKind::Constant || spec.kind == LightKind::Sky; }

bool isOff(const LightSpec& spec) { return lightColor(spec).isZero(0); }

std::shared_ptr<const Light> lampOf(const LightSpec& spec, const Pose& carrier)
{
    const Vec3f color = lightColor(spec).cast<float>();
    const Vec3f place = carrier.toWorld(spec.position).cast<float>();
    const auto radius = static_cast<float>(spec.radius_m);
    if (spec.kind == LightKind::Sphere) return std::make_shared<SphereLight>(place, radius, color, spec.visible);
    const LightFrame frame = LightFrame::facing(place, carrier.toWorld(spec.look_at).cast<float>(),
                                                (carrier.rotation * Vec3d::UnitY()).cast<float>());
    if (spec.kind == LightKind::Rectangle)
        return std::make_shared<RectangleLight>(frame, static_cast<float>(spec.width_m),
                                                static_cast<float>(spec.height_m), color, spec.visible);
    const Cone cone{static_cast<float>(spec.cone_deg / 2 * pi / 180), static_cast<float>(spec.soft_edge)};
    return std::make_shared<SpotLight>(frame, radius, cone, color, spec.visible);
}

std::shared_ptr<const Motion> carrierOf(const Scene& scene, const LightSpec& spec)
{
    if (spec.parent.empty()) return nullptr;
    const BodySpec& body = *std::ranges::find(scene.bodies, spec.parent, &BodySpec::name);
    return firn::carrierOf(scene, body, spec.parent_node, scene.file.string() + ": light '" + spec.name + "'");
}

}  // namespace

Lights::Lights(const std::vector<LightSpec>& specs) : Lights(LightRig(specs).at(0)) {}

Lights::Lights(const std::vector<std::shared_ptr<const Light>>& lights)
    : Lights(lights, std::vector<int>(lights.size()), 1)
{
}

Lights::Lights(std::vector<std::shared_ptr<const Light>> lights, std::vector<int> groups, int groupCount)
    : m_all(std::move(lights)), m_groups(std::move(groups)), m_groupCount(groupCount)
{
    for (std::size_t i = 0; i < m_all.size(); ++i) {
        if (m_all[i]->foundBy() == FoundBy::Scattering) continue;
        m_sampled.push_back(m_all[i].get());
        m_sampledGroups.push_back(m_groups[i]);
    }
    m_anyInSpace = std::any_of(m_all.begin(), m_all.end(), [](const auto& light) { return !light->isAtInfinity(); });
}

LightRig::LightRig(const std::vector<LightSpec>& specs) : m_groups(lightGroups(specs))
{
    addGradients(specs);
    for (const LightSpec& spec : specs) add(spec, nullptr);
}

LightRig::LightRig(const Scene& scene) : m_groups(lightGroups(scene.lights))
{
    addGradients(scene.lights);
    for (const LightSpec& spec : scene.lights) add(spec, carrierOf(scene, spec));
}

/// For each group, one light for all gradient and constant skies that the camera sees, and one for the others.
void LightRig::addGradients(const std::vector<LightSpec>& specs)
{
    const int count = std::max(1, static_cast<int>(m_groups.size()));
    for (int group = 0; group < count; ++group)
        for (const bool isVisible : {true, false}) {
            const auto sum = std::make_shared<Sky>(isVisible);
            bool isUsed = false;
            for (const LightSpec& spec : specs) {
                if (!isGradient(spec) || spec.visible != isVisible || groupOf(spec, m_groups) != group) continue;
                sum->add(spec);
                isUsed = true;
            }
            if (isUsed) m_atInfinity.push_back({"", sum, group});
        }
}

void LightRig::addAtInfinity(const LightSpec& spec, std::shared_ptr<const Light> light)
{
    m_atInfinity.push_back({isOff(spec) ? "" : spec.name, std::move(light), groupOf(spec, m_groups)});
}

void LightRig::add(const LightSpec& spec, std::shared_ptr<const Motion> carrier)
{
    switch (spec.kind) {
        case LightKind::Sky:
        case LightKind::Constant:
            break;  // see addGradients()
        case LightKind::Sun:
            addAtInfinity(spec, std::make_shared<Sun>(spec));
            break;
        case LightKind::Daylight:
            addDaylight(spec);
            break;
        case LightKind::Environment:
            addEnvironment(spec);
            break;
        case LightKind::Rectangle:
        case LightKind::Sphere:
        case LightKind::Spot:
            m_lamps.push_back({spec, std::move(carrier)});
            break;
    }
}

void LightRig::addMap(const LightSpec& spec, SkyMap map, const Vec3f& color)
{
    const auto shared = std::make_shared<const SkyMap>(std::move(map));
    for (const SkyPart part : {SkyPart::Soft, SkyPart::Bright})
        if (shared->has(part)) addAtInfinity(spec, std::make_shared<MappedSky>(shared, part, color, spec.visible));
}

void LightRig::addEnvironment(const LightSpec& spec)
{
    const std::string where = spec.file_place + ": light '" + spec.name + "', ";
    Image image;
    try {
        image = readExr(spec.file);
    } catch (const Error& error) {
        throw Error(error.code(), where + error.what());
    }
    addMap(spec, {image.width, image.height, skyPixels(image, where + spec.file.string()), spec.rotation_deg},
           lightColor(spec).cast<float>());
}

void LightRig::addDaylight(const LightSpec& spec)
{
    constexpr double sunOutside = 5;  // irradiance outside of the atmosphere at strength 1
    constexpr double sunInMap_deg = 180;
    const SunAngles sun = sunAngles(spec);
    DaylightMap map = daylightMap({spec.turbidity, spec.ground_albedo}, sun.elevation_deg, spec.angular_diameter_deg);
    const Vec3f color = (sunOutside * lightColor(spec)).cast<float>();
    addMap(spec, {map.width, map.height, std::move(map.pixels), sun.azimuth_deg - sunInMap_deg}, color);
    const Vec3f ofSun = static_cast<float>(spec.sun_strength) * color.cwiseProduct(map.sun_irradiance);
    if (!ofSun.isZero(0)) addAtInfinity(spec, std::make_shared<Sun>(spec, ofSun));
}

std::vector<std::string> LightRig::sampledNames() const
{
    std::vector<std::string> names;
    for (const AtInfinity& sky : m_atInfinity)
        if (sky.light->foundBy() != FoundBy::Scattering) names.push_back(sky.name);
    for (const InSpace& lamp : m_lamps) names.push_back(isOff(lamp.spec) ? "" : lamp.spec.name);
    return names;
}

std::vector<LightRig::PlacedLamp> LightRig::lampsAt(double time_s) const
{
    std::vector<PlacedLamp> lamps;
    for (const InSpace& lamp : m_lamps)
        lamps.push_back({lamp.spec, lamp.carrier ? lamp.carrier->pose(time_s) : Pose()});
    return lamps;
}

Lights LightRig::at(double time_s) const
{
    std::vector<std::shared_ptr<const Light>> lights;
    lights.reserve(m_atInfinity.size() + m_lamps.size());
    std::vector<int> groups;
    for (const AtInfinity& sky : m_atInfinity) {
        lights.push_back(sky.light);
        groups.push_back(sky.group);
    }
    for (const PlacedLamp& lamp : lampsAt(time_s)) {
        lights.push_back(lampOf(lamp.spec, lamp.carrier));
        groups.push_back(groupOf(lamp.spec, m_groups));
    }
    return {std::move(lights), std::move(groups), std::max(1, static_cast<int>(m_groups.size()))};
}

}  // namespace firn
