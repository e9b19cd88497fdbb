// What no single key of [[snow]] can tell.

#include "common/scene/region_thickness.h"
#include "common/scene/scene_rules.h"

namespace firn {

namespace {

/// The first key or table that makes a region a part of its shape; "" if none does.
std::string partKeyOf(const SnowRegion& region)
{
    if (!region.mask.file.empty()) return "[snow.mask]";
    if (region.top_only_m > 0) return "'top_only_m'";
    return region.patches.share < 1 ? "[snow.patches]" : "";
}

struct SnowRules : SceneRules {
    void region(SnowRegion region, const std::string& path) const
    {
        used(snowTable(), &region, path, region.name);
        const bool isBox = region.shape == SnowShape::Box;
        const bool isLayer = region.shape == SnowShape::Layer;
        if ((isBox || isLayer) && !builder.isGiven(path + ".min") && !builder.isGiven(path + ".max"))
            fault(path, "'" + region.name + "' is a " + (isBox ? "box" : "layer") + " and needs 'min' and 'max' (m)");
        for (int axis = 0; axis < 3 && (isBox || isLayer); ++axis) {
            if (isLayer && axis == 1) continue;
            if (region.max[axis] > region.min[axis]) continue;
            const std::string blamed = builder.isGiven(path + ".max") ? path + ".max" : path;
            fault(blamed, "'" + region.name + "' is empty: max in " + "xyz"[axis] + " is " +
                              numberText(region.max[axis]) + ", expected more than min, " +
                              numberText(region.min[axis]));
        }
        if (region.shape == SnowShape::Sphere && region.radius_m <= 0)
            fault(path, "'" + region.name + "' is a sphere and needs 'radius_m', above 0 (m)");
        if (isLayer && region.depth_m <= 0)
            fault(path, "'" + region.name + "' is a layer and needs 'depth_m', above 0 (m)");
        file(snowTable(), region, path);
        ground(region, path);
        extent(region, path);
        source(region, path);
    }

    /// What restricts a region to a part of its shape.
    void extent(const SnowRegion& region, const std::string& path) const
    {
        const std::string name = "'" + region.name + "'";
        if (const double thickness_m = thicknessOf(region); region.top_only_m > thickness_m)
            fault(path + ".top_only_m",
                  shown(path + ".top_only_m") + " is " + numberText(region.top_only_m) + ", but the region is only " +
                      numberText(thickness_m) +
                      (region.shape == SnowShape::Sphere ? " m from surface to centre" : " m thick"));
        mask(region, path);
        if (const std::string part = partKeyOf(region); region.source.length_s > 0 && !part.empty())
            fault(path + ".source.length_s", name + " is a stream, which does not go with " + part);
    }

    void mask(const SnowRegion& region, const std::string& path) const
    {
        const std::string name = "'" + region.name + "'";
        if (region.mask.file.empty()) {
            if (region.mask.invert) fault(path + ".mask.invert", "[snow.mask] of " + name + " needs a 'file'");
            return;
        }
        if (region.shape != SnowShape::Box && region.shape != SnowShape::Layer)
            fault(path + ".mask.file", "a mask is seen from above and needs a box or a layer; " + name + " is neither");
        if (!region.rotation_deg.isZero(0)) fault(path + ".mask.file", name + " has a mask and cannot be rotated");
    }

    void source(const SnowRegion& region, const std::string& path) const
    {
        const SnowSource& source = region.source;
        const std::string at = path + ".source", name = "'" + region.name + "'";
        if (!source.isThere()) {
            const std::string why = name + " needs 'length_s', or 'start_s' above 0, in [snow.source]";
            if (source.share != SnowSource().share) fault(at + ".share", why);
            if (!source.body.empty()) fault(at + ".body", why);
            return;
        }
        if (region.still) fault(at, name + " is still: it is there from the start and cannot come later");
        if (!region.spin_rad_s.isZero(0)) fault(path + ".spin_rad_s", name + " has a [snow.source] and cannot spin");
        if (region.volume == VolumeRule::Grid)
            fault(path + ".volume", "volume = \"grid\" needs all snow at the start and does not go with [snow.source]");
        if (source.length_s == 0) {
            if (!source.body.empty())
                fault(at + ".body", name + " comes at once and cannot be carried; a stream needs 'length_s'");
            return;
        }
        if (region.shape != SnowShape::Box && region.shape != SnowShape::Sphere)
            fault(at + ".length_s", name + " is neither a box nor a sphere; only these can be the mouth of a stream");
        if (region.velocity.isZero(0))
            fault(at + ".length_s", name + " has no velocity, so no snow flows out of it; expected 'velocity'");
        if (!source.body.empty() && named(source.body, at + ".body").shape == BodyShape::Character)
            fault(at + ".body", "'" + source.body + "' is a character; characters cannot carry a source");
    }

    void ground(const SnowRegion& region, const std::string& path) const
    {
        if (region.ground.empty()) {
            const auto alone = [&](const std::string& key) {
                fault(path + "." + key,
                      "'" + region.name + "' needs 'ground', the name of a body, because it has '" + key + "'");
            };
            if (region.ground_slope_deg != SnowRegion().ground_slope_deg) alone("ground_slope_deg");
            if (region.ground_fill_m != SnowRegion().ground_fill_m) alone("ground_fill_m");
            return;
        }
        const BodySpec& body = named(region.ground, path + ".ground");
        if (!body.collides)
            fault(path + ".ground", "'" + body.name + "' does not collide with snow (collides = false)");
    }
};

}  // namespace

void checkSnow(const SceneBuilder& builder, const SnowRegion& region, const std::string& path)
{
    SnowRules{{builder}}.region(region, path);
}

}  // namespace firn
