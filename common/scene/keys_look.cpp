// Keys of [camera], [[light]] and [render]: none of them changes the simulation.

#include "common/scene/keys.h"
#include "common/scene/presets.h"
#include "common/scene/scene.h"

namespace firn {

using enum Affects;

const Table& cameraKeyTable()
{
    using K = CameraKey;
    static K defaults;
    static const Table table{
        "[[camera.key]]",
        "Where the camera is at a time. What a key does not give is as in the key before it, and in the first as in "
        "`[camera]`.",
        &defaults,
        "",
        {
            {"time_s", fieldOf<&K::time_s>, "s", time_s(), Picture,
             "Time since the first frame; keys in increasing order."},
            {"position", fieldOf<&K::position>, "m", coordinate_m(), Picture, "Position at that time."},
            {"look_at", fieldOf<&K::look_at>, "m", coordinate_m(), Picture, "The point at the picture's centre."},
            {"focal_length_mm", fieldOf<&K::focal_length_mm>, "mm", between(1, 5000), Picture, "Focal length."},
        }};
    return table;
}

const Table& cameraTable()
{
    using C = Camera;
    static C defaults;
    static const Table table{
        "[camera]",
        "The camera; y is up in the picture.",
        &defaults,
        "",
        {
            {"position", fieldOf<&C::position>, "m", coordinate_m(), Picture, "Position."},
            {"look_at", fieldOf<&C::look_at>, "m", coordinate_m(), Picture, "The point at the picture's centre."},
            {"focal_length_mm", fieldOf<&C::focal_length_mm>, "mm", between(1, 5000), Picture, "Focal length."},
            {"sensor_width_mm", fieldOf<&C::sensor_width_mm>, "mm", between(1, 1000), Picture,
             "Width of the sensor; 36 is full frame."},
        },
        {listOf<&C::keys>("key", cameraKeyTable)}};
    return table;
}

const Table& lightTable()
{
    using L = LightSpec;
    static L defaults;
    static const Table table{
        "[[light]]",
        "A light. A scene without any gets two, called `sun` and `sky`, for a clear winter day.",
        &defaults,
        "kind",
        {
            {"name", fieldOf<&L::name>, "", anyValue(), Picture,
             "Free name, for `--set` and messages; else light1, light2, …"},
            {"kind",
             fieldOf<&L::kind>,
             "",
             anyValue(),
             Picture,
             "A distant disk, a gradient from horizon to zenith, or the same radiance from everywhere.",
             "",
             {"sun", "sky", "constant"}},
            {"color", fieldOf<&L::color>, "", between(0, 1e6), Picture, "Linear Rec. 709; of a sky at the zenith."},
            {"strength", fieldOf<&L::strength>, "", between(0, 1e9), Picture,
             "Sun: irradiance on a surface that faces it. Sky: radiance at the zenith. Constant: radiance."},
            {"elevation_deg", fieldOf<&L::elevation_deg>, "degrees", between(-90, 90), Picture,
             "Height above the horizon.", "sun sky"},
            {"azimuth_deg", fieldOf<&L::azimuth_deg>, "degrees", between(-360, 360), Picture, "From +z towards +x.",
             "sun sky"},
            {"angular_diameter_deg", fieldOf<&L::angular_diameter_deg>, "degrees", between(0, 180), Picture,
             "Size of the disk; larger gives softer shadows.", "sun"},
            {"horizon_color", fieldOf<&L::horizon_color>, "", between(0, 1e6), Picture, "Colour at the horizon.",
             "sky"},
        }};
    return table;
}

const Table& renderTable()
{
    using R = Render;
    static R defaults;
    static const Table table{
        "[render]",
        "Size, sampling and look of the pictures.",
        &defaults,
        "",
        {
            {"width", fieldOf<&R::width>, "pixels", between(1, 32768), Picture, "Width of the picture."},
            {"height", fieldOf<&R::height>, "pixels", between(1, 32768), Picture, "Height of the picture."},
            {"spp", fieldOf<&R::spp>, "", between(1, 1 << 24), Picture,
             "Paths per pixel; four times as many halve the noise."},
            {"preset", fieldOf<&R::preset>, "", anyValue(), Picture,
             "Colour of the snow: sets `albedo` where it is not given.", "", renderPresetNames()},
            {"extinction_per_m", fieldOf<&R::extinction_per_m>, "1/m", aboveUpTo(0, 1e9), Picture,
             "Extinction σ_t of snow of the reference density; it follows density."},
            {"reference_density_kg_m3", fieldOf<&R::reference_density_kg_m3>, "kg/m³", aboveUpTo(0, 1e5), Picture,
             "The density that `extinction_per_m` is given for."},
            {"albedo", fieldOf<&R::albedo>, "", between(0, 1), Picture,
             "Single-scattering albedo, linear Rec. 709; zeros take that of the preset."},
            {"anisotropy", fieldOf<&R::anisotropy>, "", between(-0.99, 0.99), Picture,
             "Mean cosine g of Henyey-Greenstein scattering; above 0 is forward."},
            {"max_bounces", fieldOf<&R::max_bounces>, "", between(0, 1e9), Picture,
             "Upper bound of scatterings, which darkens snow; 0 is unlimited."},
            {"voxel_m", fieldOf<&R::voxel_m>, "m", lengthOrZero_m(), Picture,
             "Voxel of the density grid; 0 is half of `solver.dx`."},
            {"seed", fieldOf<&R::seed>, "", atLeast(0), Picture, "Another number gives other noise."},
            {"half", fieldOf<&R::half>, "", anyValue(), Picture, "Half-float EXR channels instead of float."},
            {"view", fieldOf<&R::view>, "", anyValue(), Picture, "How PNG previews are toned.", "", {"filmic", "srgb"}},
            {"exposure", fieldOf<&R::exposure>, "stops", between(-20, 20), Picture, "Exposure of PNG previews."},
            {"filter_radius_px", fieldOf<&R::filter_radius_px>, "pixels", aboveUpTo(0, 16), Picture,
             "Radius of the reconstruction filter."},
        }};
    return table;
}

}  // namespace firn
