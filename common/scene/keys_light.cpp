// Keys of [[light]]: none of them changes the simulation.

#include "common/scene/keys.h"
#include "common/scene/scene.h"

namespace firn {

using enum Affects;

const Table& lightTable()
{
    using L = LightSpec;
    static L defaults;
    static const Table table{
        "[[light]]",
        "A light. A scene without lights gets two, named `sun` and `sky`, which make a clear winter day.",
        &defaults,
        "kind",
        {
            {"name", fieldOf<&L::name>, "", anyValue(), Picture,
             "A name of your choice, for `--set` and messages. Without it: light1, light2, …"},
            {"kind",
             fieldOf<&L::kind>,
             "",
             anyValue(),
             Picture,
             "At infinity: a sun is a disk; a sky is a gradient from horizon to zenith; constant is the same radiance "
             "from all directions; daylight is a clear sky with its sun, computed from the atmosphere; environment is "
             "a picture of all directions. In space, so-called lamps: a rectangle that shines to one side, a sphere, "
             "and a spot, a disk that shines in a cone.",
             "",
             {"sun", "sky", "constant", "daylight", "environment", "rectangle", "sphere", "spot"}},
            {"color", fieldOf<&L::color>, "", between(0, 1e6), Picture,
             "Colour, linear Rec. 709. Of a sky: at the zenith."},
            {"strength", fieldOf<&L::strength>, "", between(0, 1e9), Picture,
             "Factor on the colours. For a sun, color times strength is the irradiance on a surface that faces it; for "
             "a sky and for constant light, the radiance; for a lamp, the irradiance on a surface that faces it at a "
             "distance of 1 m, if the lamp were small, so that a larger lamp only makes softer shadows. Daylight of "
             "strength 1 has a sun of irradiance 5 outside of the atmosphere; an environment of strength 1 has the "
             "radiance of its file."},
            {"exposure", fieldOf<&L::exposure>, "stops", between(-30, 30), Picture,
             "Another factor on the colours: 1 doubles them, -1 halves them."},
            {"temperature_K", fieldOf<&L::temperature_K>, "K", between(0, 40000), Picture,
             "Colour temperature, at least 1000: `color` is multiplied by the colour of a black body of this "
             "temperature and luminance 1. A candle has 1900, a halogen lamp 3200, daylight 6500. 0 means none."},
            {"visible", fieldOf<&L::visible>, "", anyValue(), Picture,
             "Whether the camera sees the light itself. Its light, shadows and reflections are there in any case. Like "
             "the "
             "sky, a lamp that is seen before no surface leaves alpha at 0."},
            {"elevation_deg", fieldOf<&L::elevation_deg>, "degrees", between(-90, 90), Picture,
             "Height of the sun above the horizon. It does not change a sky. Daylight is known down to -8, the deep "
             "dusk.",
             "sun sky daylight"},
            {"azimuth_deg", fieldOf<&L::azimuth_deg>, "degrees", between(-360, 360), Picture,
             "Direction of the sun, counted from +z towards +x. It does not change a sky.", "sun sky daylight"},
            {"when", fieldOf<&L::when>, "", anyValue(), Picture,
             "Date and time, which with `latitude_deg`, `longitude_deg` and `north_deg` replace `elevation_deg` and "
             "`azimuth_deg`. With the difference to UTC, or Z for UTC: \"2026-01-15T09:30+01:00\". `--dump-config` "
             "shows "
             "the angles; refraction is left out.",
             "sun daylight"},
            {"latitude_deg", fieldOf<&L::latitude_deg>, "degrees", between(-90, 90), Picture,
             "Latitude of the place, with `when`; north is positive.", "sun daylight"},
            {"longitude_deg", fieldOf<&L::longitude_deg>, "degrees", between(-180, 180), Picture,
             "Longitude of the place, with `when`; east is positive.", "sun daylight"},
            {"north_deg", fieldOf<&L::north_deg>, "degrees", between(-360, 360), Picture,
             "With `when`: azimuth of north. At 180, north is -z and east is +x.", "sun daylight"},
            {"angular_diameter_deg", fieldOf<&L::angular_diameter_deg>, "degrees", between(0, 180), Picture,
             "Angular diameter of the sun's disk. A larger disk gives softer shadows. Daylight accepts at most 10.",
             "sun daylight"},
            {"horizon_color", fieldOf<&L::horizon_color>, "", between(0, 1e6), Picture, "Colour at the horizon.",
             "sky"},
            {"turbidity", fieldOf<&L::turbidity>, "", between(1, 12), Picture,
             "Haze: 1 is pure air, 2 a very clear day, 3 a clear one, 6 a hazy one.", "daylight"},
            {"ground_albedo", fieldOf<&L::ground_albedo>, "", between(0, 1), Picture,
             "Albedo of the land around, which lights the sky from below and is seen below the horizon: 0.8 for a "
             "country under snow, 0.15 without snow.",
             "daylight"},
            {"sun_strength", fieldOf<&L::sun_strength>, "", between(0, 1e6), Picture,
             "Factor on the sun's disk alone: 1 is physical, 0 leaves it out.", "daylight"},
            {"file", fieldOf<&L::file>, "", anyValue(), Picture,
             "OpenEXR picture of all directions, twice as wide as high (latitude and longitude), in linear Rec. 709. "
             "Its top is +y, its middle -z, and +x is to the right of the middle.",
             "environment"},
            {"rotation_deg", fieldOf<&L::rotation_deg>, "degrees", between(-360, 360), Picture,
             "Turns the picture about the y axis, from +z towards +x.", "environment"},
            {"position", fieldOf<&L::position>, "m", coordinate_m(), Picture, "Position of the lamp's middle.",
             "rectangle sphere spot"},
            {"look_at", fieldOf<&L::look_at>, "m", coordinate_m(), Picture, "A point that the lamp faces.",
             "rectangle spot"},
            {"width_m", fieldOf<&L::width_m>, "m", length_m(), Picture,
             "Length of the rectangle's horizontal edges. With a parent that turns, they turn with it.", "rectangle"},
            {"height_m", fieldOf<&L::height_m>, "m", length_m(), Picture, "Length of its other edges.", "rectangle"},
            {"radius_m", fieldOf<&L::radius_m>, "m", lengthOrZero_m(), Picture,
             "Radius; 0 makes a point, with hard shadows, which no camera sees.", "sphere spot"},
            {"cone_deg", fieldOf<&L::cone_deg>, "degrees", aboveUpTo(0, 170), Picture,
             "Full angle of the cone of light.", "spot"},
            {"soft_edge", fieldOf<&L::soft_edge>, "", between(0, 1), Picture,
             "Share of the angle from the middle of the cone to its edge in which light fades: 0 gives a hard edge.",
             "spot"},
            {"parent", fieldOf<&L::parent>, "", anyValue(), Picture,
             "Name of the body that carries the lamp, such as the truck of a headlight. `position` and `look_at` are "
             "then relative to that body.",
             "rectangle sphere spot"},
            {"parent_node", fieldOf<&L::parent_node>, "", anyValue(), Picture,
             "Name of a node of the parent's file (.glb, .gltf, .fbx) or of a joint of a character, such as a hand. "
             "The lamp is then carried by it.",
             "rectangle sphere spot"},
            {"group", fieldOf<&L::group>, "", anyValue(), Picture,
             "Lights with the same group share a layer of the picture, `light.` and the name of the group: the part of "
             "the picture that is their light. As soon as one light has a group, the light of the others and of bodies "
             "with emission is in `light.rest`; \"\" and `rest` mean no group. Up to 15 groups; letters, digits, `_` "
             "and "
             "`-`."},
        }};
    return table;
}

}  // namespace firn
