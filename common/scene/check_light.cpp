// What no single key of [[light]] can tell.

#include <algorithm>
#include <cctype>
#include <cmath>

#include "common/io/extension.h"
#include "common/io/frame_range.h"
#include "common/scene/scene_rules.h"
#include "common/scene/sun_position.h"

namespace firn {

namespace {

struct LightRules : SceneRules {
    void temperature(const LightSpec& spec, const std::string& path) const
    {
        constexpr double least_K = 1000;  // a cooler body is hardly visible
        if (spec.temperature_K == 0 || spec.temperature_K >= least_K) return;
        const std::string key = path + ".temperature_K";
        fault(key, shown(key) + " is " + numberText(spec.temperature_K) + ", expected 0 for none, or at least 1000");
    }

    /// The sun's place by date, or by angles, but not by both.
    void date(const LightSpec& spec, const std::string& path) const
    {
        // A dump gives all keys, so those that have their default count as not given.
        const LightSpec usual;
        const auto refuse = [&](const char* key, double value, double usualValue, const std::string& why) {
            if (value != usualValue) fault(join(path, key), "'" + std::string(key) + "' " + why);
        };
        if (spec.when.empty()) {
            const std::string why = "needs 'when', the date and time";
            refuse("latitude_deg", spec.latitude_deg, usual.latitude_deg, why);
            refuse("longitude_deg", spec.longitude_deg, usual.longitude_deg, why);
            refuse("north_deg", spec.north_deg, usual.north_deg, why);
            return;
        }
        for (const char* key : {"latitude_deg", "longitude_deg"})
            if (!builder.isGiven(join(path, key)))
                fault(path + ".when", "'when' needs '" + std::string(key) + "', the place on Earth");
        if (!julianDay(spec.when))
            fault(path + ".when", "'when' is " + quotedText(spec.when) +
                                      ", expected a date and time that exist, with the difference to UTC: "
                                      "\"2026-01-15T09:30+01:00\", or \"2026-01-15T08:30Z\"");
        // A dump has the angles that follow from 'when'.
        const SunAngles angles = sunAngles(spec);
        const std::string twice = "and 'when' are both given: use one";
        if (spec.elevation_deg != angles.elevation_deg)
            refuse("elevation_deg", spec.elevation_deg, usual.elevation_deg, twice);
        if (spec.azimuth_deg != angles.azimuth_deg) refuse("azimuth_deg", spec.azimuth_deg, usual.azimuth_deg, twice);
    }

    void sunIsUp(const LightSpec& spec, const std::string& path) const
    {
        const bool isDaylight = spec.kind == LightKind::Daylight;
        if (!isDaylight && spec.when.empty()) return;
        const double least = isDaylight ? -8 : 0, elevation = sunAngles(spec).elevation_deg;
        if (elevation >= least) return;
        const std::string key = path + (spec.when.empty() ? ".elevation_deg" : ".when");
        fault(key, "the sun of '" + spec.name + "' is at an elevation of " +
                       numberText(std::round(10 * elevation) / 10) + "°, expected at least " + numberText(least) +
                       "°. Below, it is night: " + (isDaylight ? "leave daylight out" : "leave the sun out"));
    }

    void daylight(const LightSpec& spec, const std::string& path) const
    {
        constexpr double widest_deg = 10;
        if (spec.kind != LightKind::Daylight || spec.angular_diameter_deg <= widest_deg) return;
        fault(path + ".angular_diameter_deg", "'angular_diameter_deg' of daylight is " +
                                                  numberText(spec.angular_diameter_deg) + ", expected at most 10");
    }

    /// It becomes the name of a layer.
    void group(const LightSpec& spec, const std::string& path) const
    {
        const bool isName = std::ranges::all_of(spec.group, [](char letter) {
            return std::isalnum(static_cast<unsigned char>(letter)) || letter == '_' || letter == '-';
        });
        if (!isName)
            fault(path + ".group",
                  shown(path + ".group") + " is " + quotedText(spec.group) + ", expected letters, digits, '_' and '-'");
    }

    void lamp(const LightSpec& spec, const std::string& path) const
    {
        const bool hasFront = spec.kind == LightKind::Rectangle || spec.kind == LightKind::Spot;
        if (hasFront && spec.position == spec.look_at)
            fault(path + ".look_at", "'look_at' of '" + spec.name + "' equals its position; it has no direction");
        carried(spec.name, spec.parent, spec.parent_node, path);
    }

    void light(LightSpec spec, const std::string& path) const
    {
        used(lightTable(), &spec, path, spec.name);
        file(lightTable(), spec, path);
        if (isFramePattern(spec.file))
            fault(path + ".file", "'" + spec.file.string() +
                                      "' is a sequence of files, expected one file: an environment does not change "
                                      "during the shot");
        if (spec.kind == LightKind::Environment && lowerExtension(spec.file) != ".exr")
            fault(path + ".file", "'" + spec.file.string() + "' is not an OpenEXR picture (.exr)");
        temperature(spec, path);
        date(spec, path);
        sunIsUp(spec, path);
        daylight(spec, path);
        group(spec, path);
        lamp(spec, path);
    }
};

}  // namespace

void checkLight(const SceneBuilder& builder, const LightSpec& spec, const std::string& path)
{
    LightRules{{builder}}.light(spec, path);
}

}  // namespace firn
